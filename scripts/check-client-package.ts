// Fails if the client's tarball is not ready to publish. Checks its layout, its types under every module resolution, and its size.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { lintLayout, packPackage, unpackClient } from './packing/pack-package.ts';

/** The size limit for the core, minified and gzipped, in bytes. */
const BUDGET = 4000;
const PAGE = "import { createClient } from '@galley/client';\nglobalThis.createClient = createClient;\n";
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
  const faults = gzipped > BUDGET ? [`The core is ${gzipped} bytes, but the limit is ${BUDGET}.`] : [];
  return [faults, `tarball ${size} bytes, core ${minified} bytes minified, ${gzipped} of ${BUDGET} gzipped`];
}

interface CoreSize {
  readonly minified: number;
  readonly gzipped: number;
}

/**
 * The size of the client in a page that creates a client and reads content: bundled, minified and compressed.
 * @param project a folder with the package in its node_modules
 */
async function measureCore(project: string): Promise<CoreSize> {
  const input = join(project, 'core.js');
  await writeFile(input, PAGE);
  const outcome = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
  });
  if (!('output' in outcome)) throw new Error('The bundler produced more than one output');
  const code = outcome.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}
