// Fails when the client's tarball is not fit to be published: its layout, its types under every module resolution, its size.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lintLayout } from './packing/lint-layout.ts';
import { measureCore } from './packing/measure-core.ts';
import { packPackage } from './packing/pack-package.ts';
import { unpackClient } from './packing/unpack-client.ts';

/** Bytes of the core, minified and gzipped. */
const BUDGET = 4000;
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
  const { minified, gzipped } = await measureCore(folder);
  const { size } = await stat(tarball);
  const faults = gzipped > BUDGET ? [`The core has ${gzipped} bytes, and may have ${BUDGET}.`] : [];
  return [faults, `tarball ${size} bytes, core ${minified} bytes minified, ${gzipped} of ${BUDGET} gzipped`];
}
