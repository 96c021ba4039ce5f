import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import type { BundleExport, ExportedFile } from '../bundle/export-bundle.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { cleanText } from './paint.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';
import { writeNewFile } from './write-new-file.ts';

interface ExportFlags {
  readonly site: string;
  readonly out?: string;
  readonly force?: true;
  readonly withAssets?: true;
  readonly json?: true;
}

export function defineExport(program: Command): void {
  const command = program
    .command('export')
    .summary('export a site to a bundle')
    .description(
      'Writes a site to a bundle that can be imported again: its languages, content types, authors, assets and all ' +
        'content, including drafts, schedules and archived content. The service can keep running: the bundle is a ' +
        'consistent snapshot. It does not include earlier versions, users or API keys. A backup ' +
        'includes everything in the database. With --with-assets, the export is a folder with the bundle and all ' +
        'uploaded files.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--out <path>', 'file to write; gzipped if the name ends in .gz (default: standard output)')
    .option('--with-assets', 'write a folder with the bundle and the uploaded files; needs --out')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print a summary as JSON; needs --out')
    .action(runExport);
  addExamples(command, [
    ['To a file', `${PROGRAM} export --site s_demo --out magazine.ndjson.gz`],
    ['With all uploaded files', `${PROGRAM} export --site s_demo --out ./magazine --with-assets`],
    ['Count published content', `${PROGRAM} export --site s_demo | grep -c '"status":"published"'`],
  ]);
}

async function runExport({ site, out, force, withAssets, json }: ExportFlags, command: Command): Promise<void> {
  if (out === undefined && json) command.error('error: --json needs --out; without it, the bundle is printed');
  if (out === undefined && force) command.error('error: --force needs --out');
  if (out === undefined && withAssets) command.error('error: --with-assets needs --out');
  if (force && withAssets) command.error('error: --force does not work with --with-assets; choose a new folder');
  if (out === '') command.error('error: --out must name a file');
  const summary =
    withAssets && out !== undefined
      ? await exportSiteWithAssets(site, out)
      : await exportSite({ siteId: site, path: out, isForced: force === true });
  if (out === undefined) return;
  if (json) return printJson(describeSummary(site, out, summary));
  printText(renderSummary(site, out, summary));
}

type ExportSummary = BundleExport['counts'] & {
  /** The number of files, if they were exported. */
  readonly files?: number;
};

interface ExportRequest {
  readonly siteId: string;
  /** Undefined for standard output. */
  readonly path: string | undefined;
  readonly isForced: boolean;
}

/** The file contains drafts, emails and archived content, so only its owner may read it. */
const MODE = 0o600;

/** Lines are short, so writing many at a time is much faster. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Writes each line as it is read, so the whole site is never in memory. */
async function exportSite({ siteId, path, isForced }: ExportRequest): Promise<ExportSummary> {
  const { exportBundle, withExistingStorage } = await import('./work.ts');
  return withExistingStorage((storage) =>
    storage.snapshot(async (snapshot) => {
      const bundle = await exportBundle(snapshot, siteId);
      if (bundle === undefined) throw describeAbsent(siteId);
      if (path === undefined) await writeToOutput(bundle);
      else await writeToFile(bundle, path, isForced);
      return bundle.counts;
    }),
  );
}

function describeAbsent(siteId: string): CommandFailure {
  return new CommandFailure(`There is no site ${siteId}. To list the sites: ${PROGRAM} site list`);
}

/** Copies the files after the snapshot is closed, because copying them can take hours. The store keeps replaced files for days. */
async function exportSiteWithAssets(siteId: string, folder: string): Promise<ExportSummary> {
  const { exportBundle, exportToFolder, openFileStore, readServiceSettings, withExistingStorage } = await import(
    './work.ts'
  );
  const store = await openFileStore(readServiceSettings().assetsUrl);
  try {
    let counts: BundleExport['counts'] | undefined;
    const files = await exportToFolder(folder, store, (bundlePath) =>
      withExistingStorage((storage) =>
        storage.snapshot(async (snapshot) => {
          const bundle = await exportBundle(snapshot, siteId);
          if (bundle === undefined) throw describeAbsent(siteId);
          await writeToFile(bundle, bundlePath, false);
          counts = bundle.counts;
          const files: ExportedFile[] = [];
          for await (const file of bundle.files) files.push(file);
          return files;
        }),
      ),
    );
    if (counts === undefined) throw new Error('The export wrote no bundle');
    return { ...counts, files };
  } finally {
    await store.close();
  }
}

async function writeToOutput({ lines }: BundleExport): Promise<void> {
  try {
    await pipeline(Readable.from(joinLines(lines, () => {})), process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // The reader of a pipe may stop early.
    if (error.code !== 'EPIPE')
      throw new CommandFailure(`The export is incomplete: ${error.message}.`, { cause: error });
  }
}

async function writeToFile({ counts, lines }: BundleExport, path: string, isForced: boolean): Promise<void> {
  const { contentTypes, authors, assets, contents } = counts;
  const { startProgress } = await import('./work.ts');
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

function describeSummary(
  site: string,
  file: string,
  { contentTypes, authors, assets, contents, files }: ExportSummary,
) {
  return { file, site, content_types: contentTypes, authors, assets, contents, files };
}

function renderSummary(site: string, out: string, summary: ExportSummary): string {
  const { contentTypes, authors, assets, contents, files } = summary;
  const others = 1 + contentTypes + authors + assets;
  const objects = `${contents} content object${contents === 1 ? '' : 's'}`;
  const ending = files === undefined ? '' : `, with ${files} file${files === 1 ? '' : 's'}`;
  return `Exported ${site} to ${cleanText(out)}: ${objects} and ${others} other records${ending}.`;
}
