import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { API_TYPES_PATH, renderApiTypes } from './render-api-types.ts';

const path = join(import.meta.dirname, '..', API_TYPES_PATH);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, await renderApiTypes());
