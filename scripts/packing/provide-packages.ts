// The tarballs of all published packages, built once per test run.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from './pack-package.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The paths of the tarballs, by package folder. */
    readonly tarballs: {
      readonly server: string;
      readonly client: string;
      readonly preview: string;
      readonly 'create-galley': string;
    };
  }
}

/** Vitest calls this before the first test of its project. The folder is deleted together with the run's temporary folder. */
export async function setup({ provide }: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'));
  const [server, client, preview, creator] = await Promise.all([
    packPackage('server', folder),
    packPackage('client', folder),
    packPackage('preview', folder),
    packPackage('create-galley', folder),
  ]);
  provide('tarballs', { server, client, preview, 'create-galley': creator });
}
