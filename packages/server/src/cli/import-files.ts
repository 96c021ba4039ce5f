// Imports files one after another, each completely or not at all. The import ends at the first file with errors: earlier files stay
// imported, and later ones are not read. A dry run does the same work in one transaction and rolls it back.

import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, type Stats, statSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { COMMAND_ACTOR } from '../authoring/actor.ts';
import { openJob } from '../authoring/desk.ts';
import type { BundleFiles } from '../bundle/bundle-files.ts';
import { BundleRefusal, BundleReport, type Finding, type Warnings } from '../bundle/bundle-report.ts';
import { type ImportOptions, type ImportSummary, importBundleInto } from '../bundle/import-bundle.ts';
import { BundleFault } from '../bundle/read-bundle-lines.ts';
import { createDryBundleFiles, openBundleFiles } from '../bundle/take-bundle-files.ts';
import type { DatabaseUrl } from '../settings.ts';
import type { Transaction } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';
import { CommandFailure } from './command-failure.ts';
import { BUNDLE_NAME } from './export-folder.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { startProgress } from './start-progress.ts';
import { openAndRun } from './with-storage.ts';

export interface FileSummary extends ImportSummary {
  readonly file: string;
}

/** The file whose errors ended an import. */
export interface RefusedFile {
  readonly file: string;
  readonly faults: readonly Finding[];
  readonly hasMoreFaults: boolean;
  readonly warnings: Warnings;
}

export interface ImportFilesOptions extends Pick<ImportOptions, 'now' | 'newUuid'> {
  readonly isDryRun: boolean;
  readonly onImported: (summary: FileSummary) => void;
}

/** Imports one file, and commits the import unless this is a dry run. */
type RunImport = (work: (transaction: Transaction) => Promise<ImportSummary>) => Promise<ImportSummary>;

/** @returns the file with errors, if there is one */
export async function importFiles(
  paths: readonly string[],
  options: ImportFilesOptions,
): Promise<RefusedFile | undefined> {
  const { databaseUrl, assetsUrl } = readServiceSettings();
  // Open the files before the database: other processes must not wait for a slow pipe.
  await using opened = await openBundleSources(paths);
  const { sources } = opened;
  if (!options.isDryRun) {
    await using files = openBundleFiles(assetsUrl);
    return await openAndRun(databaseUrl, (storage) =>
      importEach(sources, { ...options, files }, (work) => storage.transaction(work, { isImport: true })),
    );
  }
  const files = createDryBundleFiles();
  return await withRehearsalStorage(databaseUrl, (storage) =>
    rehearse(storage, (transaction) => importEach(sources, { ...options, files }, (work) => work(transaction))),
  );
}

interface EachImportOptions extends ImportFilesOptions {
  readonly files: BundleFiles;
}

async function importEach(
  sources: readonly BundleSource[],
  options: EachImportOptions,
  run: RunImport,
): Promise<RefusedFile | undefined> {
  for (const source of sources) {
    try {
      options.onImported({ file: source.name, ...(await importFile(source, options, run)) });
    } catch (error) {
      if (!(error instanceof BundleRefusal)) throw error;
      const { faults, hasMoreFaults, warnings } = error;
      return { file: source.name, faults, hasMoreFaults, warnings };
    }
  }
  return undefined;
}

async function importFile(source: BundleSource, options: EachImportOptions, run: RunImport): Promise<ImportSummary> {
  const { name, path, isPiped } = source;
  const files = isPiped ? undefined : options.files;
  const progress = startProgress(name, 2 * measureBundle(path));
  try {
    const { now, newUuid } = options;
    return await run(async (transaction) => {
      const summary = await importBundleInto(transaction, path, { now, newUuid, files, onProgress: progress.move });
      if (summary.changed > 0) await noteImport(transaction, name, summary, options);
      return summary;
    });
  } finally {
    progress.end();
  }
}

function noteImport(
  transaction: Transaction,
  name: string,
  { warnings: _, ...counts }: ImportSummary,
  { now, newUuid }: ImportFilesOptions,
): Promise<void> {
  const job = openJob({ now: () => now, newUuid, randomBytes }, COMMAND_ACTOR, transaction);
  return job.note({ action: 'bundle.import', subjectName: basename(name), details: { ...counts } });
}

function measureBundle(path: string): number {
  const stats = findStats(path);
  // A pipe would be empty if it were read again.
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    const message = 'is not a regular file, and bundles are read twice; use - and pipe it in';
    throw new BundleReport().buildRefusal(new BundleFault(0, message));
  }
  return stats?.size ?? 0;
}

/** Undefined for a missing or unreadable file, which is reported when the import reads the file. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A dry run must not even leave an empty database behind. */
async function withRehearsalStorage<Outcome>(
  databaseUrl: DatabaseUrl,
  work: (storage: Storage) => Promise<Outcome>,
): Promise<Outcome> {
  if (databaseUrl.engine !== 'sqlite' || existsSync(databaseUrl.path)) return openAndRun(databaseUrl, work);
  const folder = await mkdtemp(join(tmpdir(), 'galley-dry-run-'));
  try {
    return await openAndRun({ engine: 'sqlite', path: join(folder, 'galley.db') }, work);
  } finally {
    await rm(folder, { recursive: true });
  }
}

class RehearsalOver extends Error {}

async function rehearse<Outcome>(
  storage: Storage,
  work: (transaction: Transaction) => Promise<Outcome>,
): Promise<Outcome> {
  const over = new RehearsalOver();
  const outcomes: { readonly outcome: Outcome }[] = [];
  const rehearsal = async (transaction: Transaction): Promise<never> => {
    outcomes.push({ outcome: await work(transaction) });
    throw over;
  };
  try {
    await storage.transaction(rehearsal, { isImport: true });
  } catch (error) {
    if (error !== over) throw error;
  }
  const [ended] = outcomes;
  if (ended === undefined) throw new Error('A dry run ended without a result');
  return ended.outcome;
}

const STANDARD_INPUT = '-';

export interface BundleSource {
  /** The name used in messages. */
  readonly name: string;
  readonly path: string;
  /** Whether the bundle comes from standard input. Such a bundle has no files. */
  readonly isPiped: boolean;
}

export interface OpenedSources extends AsyncDisposable {
  readonly sources: readonly BundleSource[];
}

/** A bundle is read twice, so standard input (`-`) is first copied to a temporary file, which is deleted at the end. */
export async function openBundleSources(paths: readonly string[]): Promise<OpenedSources> {
  const inputs = paths.filter((path) => path === STANDARD_INPUT);
  if (inputs.length > 1) throw new CommandFailure('Standard input (-) can be read only once.');
  const folder = inputs.length === 0 ? undefined : await mkdtemp(join(tmpdir(), 'galley-stdin-'));
  const remove = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const input = folder === undefined ? '' : await keepStandardInput(join(folder, 'bundle'));
    const sources = paths.map((path) =>
      path === STANDARD_INPUT
        ? { name: 'stdin', path: input, isPiped: true }
        : { name: path, path: findBundle(path), isPiped: false },
    );
    return { sources, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A folder that `galley export --with-assets` wrote contains the bundle. */
function findBundle(path: string): string {
  const bundle = join(path, BUNDLE_NAME);
  return findStats(path)?.isDirectory() && existsSync(bundle) ? bundle : path;
}

async function keepStandardInput(path: string): Promise<string> {
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`Standard input could not be saved in ${tmpdir()}: ${reason}.`, { cause: error });
  }
  // The program that writes to the pipe has probably failed.
  if ((await stat(path)).size === 0) throw new CommandFailure('Standard input is empty. Nothing was imported.');
  return path;
}
