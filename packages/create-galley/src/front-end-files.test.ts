import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, listFrontEndFiles } from './front-end-files.ts';

test('leaves out the keys, installed packages and build output of a front end that has been run in its source folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'front-ends-'));
  const published = ['package.json', 'src/app/[...path]/page.tsx', 'src/lib/distance.ts'];
  const kept = [
    '.env.local',
    '.next/server/app.js',
    'dist/server/entry.mjs',
    'dist-static/current/index.html',
    'next-env.d.ts',
    'node_modules/next/package.json',
    'src/content-types.ts',
    'tsconfig.tsbuildinfo',
  ];
  for (const path of [...published, ...kept]) {
    await mkdir(dirname(join(root, 'site', path)), { recursive: true });
    await writeFile(join(root, 'site', path), 'x');
  }
  expect(
    listFiles(root, 'site')
      .map(({ path }) => path)
      .sort(),
  ).toEqual(published);
});

test.each(['next', 'astro'] as const)('the %s front end consists of its own files and the shared files', (frontEnd) => {
  const paths = listFrontEndFiles(frontEnd).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['package.json', 'src/lib/draft-mode.ts', 'src/lib/read-variable.ts']));
  expect(new Set(paths).size).toBe(paths.length);
});
