import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { setup } from './temporary-folder.ts';

test('each test run has its own temporary folder', () => {
  expect(basename(tmpdir())).toMatch(/^galley-/);
});

test('the folder is deleted with everything left in it, and the previous temporary folder is used again', async () => {
  const outer = tmpdir();
  const teardown = setup();
  const inner = tmpdir();
  expect(dirname(inner)).toBe(outer);
  writeFileSync(join(inner, 'left-behind'), '');
  expect(readdirSync(inner)).toEqual(['left-behind']);
  await teardown();
  expect(existsSync(inner)).toBe(false);
  expect(tmpdir()).toBe(outer);
});
