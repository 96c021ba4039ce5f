import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBundleFile } from './bundle-files.ts';

let folder: string;

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'galley-bundle-'));
  folder = join(root, 'bundle');
  await mkdir(join(folder, 'files/deep'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'files/deep/photo.jpg'), 'bytes');
  await symlink(join(root, 'secret.txt'), join(folder, 'files/link.txt'));
  await symlink('deep/photo.jpg', join(folder, 'files/near.jpg'));
  await symlink(root, join(folder, 'elsewhere'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

afterAll(() => rm(join(folder, '..'), { recursive: true }));

test('opens a file in a subfolder of the bundle', async () => {
  const opened = await openBundleFile(folder, 'files/deep/photo.jpg');
  if (!opened.ok) throw new Error(opened.problem);
  await using handle = opened.value;
  expect(await handle.readFile('utf8')).toBe('bytes');
});

test.each([
  ['files/none.jpg', 'does not exist'],
  ['none/none.jpg', 'does not exist'],
  ['files/deep/photo.jpg/x', 'does not exist'],
  ['files/deep', 'is a folder, not a file'],
  ['files/link.txt', 'is a symbolic link'],
  ['files/near.jpg', 'is a symbolic link'],
  ['elsewhere/secret.txt', 'contains the symbolic link elsewhere'],
  ['pipe', 'is not a regular file'],
  ['x'.repeat(300), 'has a name that is too long for this system'],
])('does not open %s: it %s', async (path, problem) => {
  expect(await openBundleFile(folder, path)).toEqual({ ok: false, problem });
});
