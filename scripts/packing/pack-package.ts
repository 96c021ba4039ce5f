// The tarball of a package, made by `npm pack` as for publishing. It is made in a copy of the packages without anything that
// was built before, so that several checks can run at once and `prepack` has to build everything itself.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { linkPackages } from './link-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['packages', 'tsdown.config.ts', 'tsconfig.json'];
/** Folders that git does not hold, and those that no package holds. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', 'panel', 'test']);

/**
 * @param name the folder of the package, below `packages`
 * @param folder where the tarball is put
 * @returns the path of the tarball
 */
export async function packPackage(name: string, folder: string): Promise<string> {
  const copy = await mkdtemp(join(folder, 'copy-'));
  try {
    await copySources(copy);
    const args = ['pack', '--silent', '--offline', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: join(copy, 'packages', name),
      env: { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
    });
    return join(folder, stdout.trim().split('\n').at(-1) ?? '');
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function copySources(copy: string): Promise<void> {
  for (const path of COPIED) {
    await cp(join(ROOT, path), join(copy, path), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(basename(source)),
    });
  }
  linkPackages(copy);
}
