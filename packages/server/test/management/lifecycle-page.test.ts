// Compares docs/lifecycle.md with the lifecycle module.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LIFECYCLE_REFUSALS } from '../../src/content/lifecycle.ts';
import { buildLifecycleTable } from './lifecycle-table.ts';

const page = await readFile(new URL('../../../../docs/lifecycle.md', import.meta.url), 'utf8');

test('the table of statuses and actions matches the code', () => {
  const table = page.match(/(?:^\| .* \|\n)+/m)?.[0];
  expect(table).toBe(buildLifecycleTable());
});

test('every reason for rejecting an action is explained', () => {
  const explained = [...page.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(Object.keys(LIFECYCLE_REFUSALS).sort());
});
