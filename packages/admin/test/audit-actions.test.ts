import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_TEXTS } from '../src/texts/audit-texts.ts';

const SERVICE = join(import.meta.dirname, '../../server/src');

test('has a sentence for every action that the service records in the audit log, and for no others', () => {
  const sources = globSync(['authoring/**/*.ts', 'cli/*.ts'], { cwd: SERVICE })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(SERVICE, path), 'utf8'));
  const nouns = Object.keys(AUDIT_TEXTS.groups).join('|');
  // A bundle's file name looks like an action.
  const pattern = new RegExp(`'((?:${nouns})\\.(?!ndjson)[a-z_]+)'`, 'g');
  const noted = sources.flatMap((text) => [...text.matchAll(pattern)].map(([, action = '']) => action));
  expect(Object.keys(AUDIT_TEXTS.actions).toSorted()).toEqual([...new Set(noted)].toSorted());
});
