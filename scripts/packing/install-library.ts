// A project in which only one library is installed, as packed for publishing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useSharedResource } from '../../packages/server/test/support/shared-resources.ts';
import { unpackPackage } from './pack-package.ts';

export interface LibraryProject extends AsyncDisposable {
  readonly path: string;
  /** The installed package's folder. */
  readonly package: string;
  /** Writes the given files, keyed by name. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

/** @param name the library's folder under `packages` */
export async function installLibrary(name: 'client' | 'preview'): Promise<LibraryProject> {
  const path = await mkdtemp(join(tmpdir(), `${name}-project-`));
  const installed = await unpackPackage(name, await useSharedResource(name), path);
  await writeFile(join(path, 'package.json'), '{ "type": "module", "private": true }\n');
  return {
    path,
    package: installed,
    async write(files) {
      for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
