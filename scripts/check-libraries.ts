// Fails if the tarball of a library is not ready to publish. Checks its layout, its types under every module resolution, and its size.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundlePage, type PageImports } from './packing/bundle-page.ts';
import { lintLayout, packPackage, unpackPackage } from './packing/pack-package.ts';

interface Page {
  readonly title: string;
  readonly imports: PageImports;
  /** The size limits for the code that the page loads at the start and later, minified and gzipped, in bytes. */
  readonly limits: { readonly start: number; readonly later: number };
}

const PREVIEW = ['connectPreview', 'decodeMark', 'editAttributes', 'showToolbar', 'stegaClean'];
const PREVIEW_REACT = ['useLivePreview'];

/** The pages that use each library, keyed by the library's folder. */
const LIBRARIES: Readonly<Record<string, readonly Page[]>> = {
  client: [
    { title: 'core', imports: { '@galley/client': ['createClient'] }, limits: { start: 4096, later: 5200 } },
    { title: 'images', imports: { '@galley/client': ['imageUrl', 'imageSrcSet'] }, limits: { start: 2500, later: 0 } },
  ],
  preview: [
    {
      title: 'everything',
      imports: { '@galley/preview': PREVIEW, '@galley/preview/react': PREVIEW_REACT },
      limits: { start: 6000, later: 0 },
    },
    { title: 'cleaning', imports: { '@galley/preview': ['stegaClean'] }, limits: { start: 1000, later: 0 } },
  ],
};
const ATTW = new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json'));

const folder = await mkdtemp(join(tmpdir(), 'galley-libraries-'));
try {
  for (const [name, pages] of Object.entries(LIBRARIES)) {
    const tarball = await packPackage(name, folder);
    const faults = (await Promise.all([lintLayout(tarball), checkTypes(tarball)])).flat();
    if (faults.length > 0) report(name, faults, 'not measured');
    else report(name, ...(await measure(name, tarball, pages)));
  }
} finally {
  await rm(folder, { recursive: true });
}

function report(name: string, faults: readonly string[], figures: string): void {
  for (const fault of faults) console.error(fault);
  console.log(`${name}: ${faults.length} faults, ${figures}`);
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

async function measure(
  name: string,
  tarball: string,
  pages: readonly Page[],
): Promise<[faults: readonly string[], figures: string]> {
  await unpackPackage(name, tarball, folder);
  const { size } = await stat(tarball);
  const faults: string[] = [];
  const figures = [`tarball ${size} bytes`];
  for (const { title, imports, limits } of pages) {
    const page = await bundlePage(folder, imports);
    for (const time of ['start', 'later'] as const) {
      const { gzipped } = page[time];
      const limit = limits[time];
      if (gzipped > limit) faults.push(`${name}, ${title}, ${time}: ${gzipped} bytes, but the limit is ${limit}.`);
      if (limit > 0) figures.push(`${title} (${time}) ${gzipped} of ${limit} bytes gzipped`);
    }
  }
  return [faults, figures.join('; ')];
}
