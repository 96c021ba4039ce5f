// The tarballs of all published packages.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './pack-package.ts';

/** The paths of the tarballs, by package folder. */
export interface Tarballs {
  readonly server: string;
  readonly client: string;
  readonly preview: string;
  readonly 'create-galley': string;
}

/** The tarballs are deleted together with the temporary folder. */
export async function packPackages(): Promise<Tarballs> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'));
  const [server, client, preview, creator] = await Promise.all([
    packPackage('server', folder),
    packPackage('client', folder),
    packPackage('preview', folder),
    packPackage('create-galley', folder),
  ]);
  return { server, client, preview, 'create-galley': creator };
}
