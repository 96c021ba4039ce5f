// Fails if the client's tarball is not ready to publish. Checks its layout, its types under every module resolution, and its size.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundlePage } from './packing/bundle-page.ts';
import { lintLayout, packPackage, unpackClient } from './packing/pack-package.ts';

/** The exports that a page may use, with the size limits for the code loaded at the start and later, minified and gzipped, in bytes. */
const PAGES = [
  { title: 'core', names: ['createClient'], limits: { start: 4096, later: 5200 } },
  { title: 'images', names: ['imageUrl', 'imageSrcSet'], limits: { start: 2500, later: 0 } },
] as const;
const ATTW = new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json'));

const folder = await mkdtemp(join(tmpdir(), 'galley-client-'));
try {
  const tarball = await packPackage('client', folder);
  const faults = (await Promise.all([lintLayout(tarball), checkTypes(tarball)])).flat();
  if (faults.length > 0) report(faults, 'not measured');
  else report(...(await measure(tarball)));
} finally {
  await rm(folder, { recursive: true });
}

function report(faults: readonly string[], figures: string): void {
  for (const fault of faults) console.error(fault);
  console.log(`client: ${faults.length} faults, ${figures}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function checkTypes(tarball: string): Promise<readonly string[]> {
  try {
    await promisify(execFile)(process.execPath, [
      fileURLToPath(ATTW),
      tarball,
      '--format',
      'ascii',
      '--no-color',
      '--no-emoji',
    ]);
    return [];
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return [`attw: ${error.stdout}`];
    throw error;
  }
}

async function measure(tarball: string): Promise<[faults: readonly string[], figures: string]> {
  await unpackClient(tarball, folder);
  const { size } = await stat(tarball);
  const faults: string[] = [];
  const figures = [`tarball ${size} bytes`];
  for (const { title, names, limits } of PAGES) {
    const page = await bundlePage(folder, names);
    for (const time of ['start', 'later'] as const) {
      const { minified, gzipped } = page[time];
      const limit = limits[time];
      if (gzipped > limit) faults.push(`${names.join(' and ')}, ${time}: ${gzipped} bytes, but the limit is ${limit}.`);
      figures.push(`${title} (${time}) ${minified} bytes minified, ${gzipped} of ${limit} gzipped`);
    }
  }
  return [faults, figures.join('; ')];
}
