// Generates the types in `packages/wire` from the OpenAPI documents of both APIs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANAGEMENT_TYPES_PATH, renderManagementTypes } from '../packages/admin/scripts/render-management-types.ts';
import { DELIVERY_TYPES_PATH, renderDeliveryTypes } from './api-types/render-delivery-types.ts';

const ROOT = join(import.meta.dirname, '..');

writeFileSync(join(ROOT, DELIVERY_TYPES_PATH), renderDeliveryTypes());
writeFileSync(join(ROOT, MANAGEMENT_TYPES_PATH), await renderManagementTypes());
