// The client's tarball, made by `npm pack` as for publishing. It is made in a copy of the package, so that several checks can
// do it at once and none of them meets files that another one is just replacing.

import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = [
  'packages/client/src',
  'packages/client/package.json',
  'packages/client/README.md',
  'packages/client/LICENSE',
  'tsdown.config.ts',
  'tsconfig.json',
];

/**
 * @param folder of the caller, where the copy and the tarball may lie
 * @returns the path of the tarball
 */
export async function packClient(folder: string): Promise<string> {
  const copy = join(folder, 'client-copy');
  await mkdir(join(copy, 'packages/client'), { recursive: true });
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--offline', '--pack-destination', folder], {
    cwd: join(copy, 'packages/client'),
    env: { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
  });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
