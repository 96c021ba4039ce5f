// Builds a package's tarball with `npm pack`, as it would be published, then checks and unpacks it. It is built in a copy of the packages
// without any earlier build output, so that several checks can run at the same time and `prepack` has to build everything itself.

import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const ROOT = join(import.meta.dirname, '../..');
const INSTALLED = join(ROOT, 'node_modules');
const COPIED = ['packages', 'examples', 'tsdown.config.ts', 'tsconfig.json'];
/** Folders that are not in git, and those that no package includes. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', 'panel', 'test']);

/**
 * @param name the package's folder under `packages`
 * @param folder where the tarball is written
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

/**
 * Links the packages installed here into a copy of the sources, except that workspaces point to the copy.
 * @param copy the folder that contains `packages`
 */
export function linkPackages(copy: string): void {
  const target = join(copy, 'node_modules');
  mkdirSync(join(target, '@galley'), { recursive: true });
  for (const name of readdirSync(INSTALLED)) {
    if (name !== '@galley') symlinkSync(join(INSTALLED, name), join(target, name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(target, '@galley', name));
  }
}

/**
 * Unpacks the tarball of a library into a project, as an installation would.
 * @param name the library's folder under `packages`
 * @returns the package's folder in `project`
 */
export async function unpackPackage(name: string, tarball: string, project: string): Promise<string> {
  const folder = join(project, 'node_modules/@galley', name);
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  return folder;
}

/** The problems in the layout of a package that is about to be published; empty if there are none. */
export async function lintLayout(tarball: string): Promise<readonly string[]> {
  const { buffer, byteOffset, byteLength } = await readFile(tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}
