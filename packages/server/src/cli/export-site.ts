// Writes a site to a file or to standard output, as it is read: no more of it is in memory than is on its way.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type BundleExport, exportBundle } from '../bundle/export-bundle.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { startProgress } from './start-progress.ts';
import { withExistingStorage } from './with-storage.ts';
import { writeNewFile } from './write-new-file.ts';

export type ExportSummary = BundleExport['counts'];

export interface ExportRequest {
  readonly siteId: string;
  /** Undefined for standard output. */
  readonly path: string | undefined;
  readonly isForced: boolean;
}

/** Drafts, emails and archived content are in it: the file is for its owner alone. */
const MODE = 0o600;

/** Lines are short; writing many at a time is much faster. */
const CHUNK_CHARACTERS = 64 * 1024;

export function exportSite({ siteId, path, isForced }: ExportRequest): Promise<ExportSummary> {
  return withExistingStorage((storage) =>
    storage.snapshot(async (snapshot) => {
      const bundle = await exportBundle(snapshot, siteId);
      if (bundle === undefined) {
        throw new CommandFailure(`There is no site ${siteId}. To see which there are: ${PROGRAM} site list`);
      }
      if (path === undefined) await writeToOutput(bundle);
      else await writeToFile(bundle, path, isForced);
      return bundle.counts;
    }),
  );
}

async function writeToOutput({ lines }: BundleExport): Promise<void> {
  try {
    await pipeline(Readable.from(joinLines(lines, () => {})), process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // Whoever reads may stop when they have seen enough.
    if (error.code !== 'EPIPE')
      throw new CommandFailure(`The export is incomplete: ${error.message}.`, { cause: error });
  }
}

async function writeToFile({ counts, lines }: BundleExport, path: string, isForced: boolean): Promise<void> {
  const { contentTypes, authors, assets, contents } = counts;
  const progress = startProgress(path, 1 + contentTypes + authors + assets + contents);
  try {
    await writeNewFile(path, { isForced, mode: MODE }, async (temporaryPath) => {
      const source = Readable.from(joinLines(lines, progress.move));
      const file = createWriteStream(temporaryPath);
      await (path.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file));
    });
  } finally {
    progress.end();
  }
}

async function* joinLines(
  lines: AsyncIterable<string>,
  onProgress: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  let chunk = '';
  let count = 0;
  for await (const line of lines) {
    chunk += line;
    count += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    onProgress(count);
  }
  yield chunk;
}
