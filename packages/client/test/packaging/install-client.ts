// A project in which only the client is installed, as packed for publishing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage, unpackClient } from '../../../../scripts/packing/pack-package.ts';

export interface ClientProject extends AsyncDisposable {
  readonly path: string;
  /** The installed package's folder. */
  readonly package: string;
  /** Writes files by name. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

export async function installClient(): Promise<ClientProject> {
  const path = await mkdtemp(join(tmpdir(), 'client-project-'));
  const workshop = await mkdtemp(join(tmpdir(), 'client-tarball-'));
  const installed = await unpackClient(await packPackage('client', workshop), path);
  await rm(workshop, { recursive: true });
  await writeFile(join(path, 'package.json'), '{ "type": "module", "private": true }\n');
  return {
    path,
    package: installed,
    async write(files) {
      for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
