// npm has an unrelated package called `galley`. Without Galley installed, `npx galley` would download and run that package.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const TEXTS = [
  '*.md',
  'docs/**/*.md',
  'deploy/**/*',
  'packages/*/README.md',
  'packages/*/{bin,src}/**/*.{js,ts,tsx}',
  'packages/create-galley/templates/**/*',
  'examples/**/*',
];

const lines = globSync(TEXTS, { cwd: ROOT, withFileTypes: true, exclude: ['**/node_modules'] })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => `${path.slice(ROOT.length + 1)}: ${line}`),
  );

test('no text contains an npx command that could download the package called galley', () => {
  expect(lines.filter((line) => line.includes('npx --no galley ')).length).toBeGreaterThan(30);
  expect(lines.filter((line) => /\bnpx (-y |--yes )?galley\b/.test(line))).toEqual([]);
});

test('options never come before the first command, because npx would treat them as its own', () => {
  expect(lines.filter((line) => /\bnpx --no galley -/.test(line))).toEqual([]);
});
