// The tarballs of the published packages. Each package is packed at most once per process, and all tarballs are in one folder. They are
// deleted together with the temporary folder.

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

let folder: Promise<string> | undefined;
const packed = new Map<keyof Tarballs, Promise<string>>();

export async function packPackages(): Promise<Tarballs> {
  const [server, client, preview, creator] = await Promise.all([
    packOnce('server'),
    packOnce('client'),
    packOnce('preview'),
    packOnce('create-galley'),
  ]);
  return { server, client, preview, 'create-galley': creator };
}

export function packOnce(name: keyof Tarballs): Promise<string> {
  const tarball = packed.get(name) ?? pack(name);
  packed.set(name, tarball);
  return tarball;
}

async function pack(name: keyof Tarballs): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'packages-'));
  return packPackage(name, await folder);
}
