// The page for operators says which test holds each promise: those tests are there, and no attack is left out.

import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const ATTACKS = join(import.meta.dirname, '../security');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const tests = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: ROOT });

test('every test that the page names is there', () => {
  const names = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !tests.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

test('the page names every attack', () => {
  const attacks = globSync('**/*.test.ts', { cwd: ATTACKS }).map((path) => relative('', path));
  expect(attacks.filter((path) => !page.includes(basename(path)))).toEqual([]);
});
