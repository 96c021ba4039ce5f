// For each promise, the security page names a test. These tests must exist, and the page must mention every attack.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const ATTACKS = 'packages/server/test/{security,proof/security}/**/*.test.ts';
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const tests = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: ROOT });

test('every test that the page refers to exists', () => {
  const names = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !tests.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

test('the page mentions every test file that simulates an attack', () => {
  const attacks = globSync(ATTACKS, { cwd: ROOT });
  expect(attacks.filter((path) => !page.includes(basename(path)))).toEqual([]);
});
