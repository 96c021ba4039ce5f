// Runs the packed creator on the oldest Node.js version found on this machine and checks the project it creates without a front end.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runProgram, runWithSuccess, startProgram } from '../../../../scripts/testing/running-program.ts';
import { findOldestNode } from '../../../client/test/packaging/find-node.ts';
import { useSharedResource } from '../../../server/test/support/shared-resources.ts';
import { INSTALL, installCreator, type PackedCreator } from './packed-creator.ts';

const oldest = findOldestNode();

let creator: PackedCreator;

beforeAll(async () => {
  creator = await installCreator(await useSharedResource('packages'));
});

test('prints its help and its version', async () => {
  const help = await creator.create(['--help'], oldest.path);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toContain('--template <name>');
  expect(await creator.create(['--version'], oldest.path)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});

test.each([[['a', 'b']], [['a', '--template', 'vue']], [['a', '--fast']]])('%j exits with status 2', async (args) => {
  const { status, stderr } = await creator.create(args, oldest.path);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^error: .*\nTry: /) });
});

test('exits with status 1 for a non-empty folder or an existing file, and leaves it unchanged', async () => {
  await mkdir(join(creator.folder, 'taken'));
  await writeFile(join(creator.folder, 'taken/mine.txt'), 'mine');
  for (const [path, reason] of [
    ['taken', 'is not empty'],
    ['taken/mine.txt', 'is a file'],
  ] as const) {
    const { status, stderr } = await creator.create([path], oldest.path);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) });
  }
  expect(await readdir(join(creator.folder, 'taken'))).toEqual(['mine.txt']);
  expect(await readFile(join(creator.folder, 'taken/mine.txt'), 'utf8')).toBe('mine');
});

test('the two printed commands start Galley on the current Node.js, even in a path with spaces', async () => {
  const created = await creator.createFromTarballs(['My Site'], oldest.path);
  expect(created).toMatchObject({ status: 0, stderr: '' });
  expect(created.stdout).toContain('\n  cd "My Site"\n  npm install\n  npm start\n');
  const cwd = join(creator.folder, 'My Site');
  expect(JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))).toMatchObject({ name: 'my-site' });

  const env = { PATH: [dirname(oldest.path), process.env.PATH].join(delimiter), GALLEY_PORT: '0' };
  await runWithSuccess(INSTALL, { cwd, env });
  await using service = startProgram(['npm', 'start'], { cwd, env });
  const [, url] = await service.waitFor(/"address":"(http[^"]+)","msg":"listening"/);
  const [, key] = await service.waitFor(/API key +(gk_[\w-]+)/);
  const headers = { authorization: `Bearer ${key}`, 'x-service-site': 's_demo' };
  expect((await fetch(`${url}/api/v1/content/c_page_privacy`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/admin/`)).status).toBe(200);

  const list = await runProgram(['npx', '--no', 'galley', 'site', 'list', '--json'], { cwd, env });
  expect({ status: list.status, stdout: list.stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining('s_demo'),
  });
  expect(await service.stop()).toMatchObject({ stdout: expect.stringContaining('"msg":"stopped"') });
});
