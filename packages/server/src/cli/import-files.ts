// Imports files one after the other, each all or nothing. The first that is wrong ends it: what came before it stays,
// what comes after it is not looked at. A dry run does the same work in one transaction of which nothing is kept.

import { randomBytes } from 'node:crypto';
import { existsSync, type Stats, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { COMMAND_ACTOR } from '../authoring/actor.ts';
import { openJob } from '../authoring/desk.ts';
import { type ImportOptions, type ImportSummary, importBundleInto } from '../bundle/import-bundle.ts';
import { BundleFault } from '../bundle/read-bundle-lines.ts';
import type { DatabaseUrl } from '../settings.ts';
import type { Storage, Transaction } from '../storage/port.ts';
import { FileFailure } from './command-failure.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { startProgress } from './start-progress.ts';
import { openAndRun } from './with-storage.ts';

export interface FileSummary extends ImportSummary {
  readonly file: string;
}

export interface ImportFilesOptions extends Pick<ImportOptions, 'now' | 'newUuid'> {
  readonly isDryRun: boolean;
  readonly onImported: (summary: FileSummary) => void;
}

/** Runs one file's import, and decides what becomes of it. */
type RunImport = (work: (transaction: Transaction) => Promise<ImportSummary>) => Promise<ImportSummary>;

export async function importFiles(
  paths: readonly string[],
  options: ImportFilesOptions,
): Promise<readonly FileSummary[]> {
  const { databaseUrl } = readServiceSettings();
  if (!options.isDryRun) {
    return openAndRun(databaseUrl, (storage) => importEach(paths, options, (work) => storage.transaction(work)));
  }
  return withRehearsalStorage(databaseUrl, (storage) =>
    rehearse(storage, (transaction) => importEach(paths, options, (work) => work(transaction))),
  );
}

async function importEach(
  paths: readonly string[],
  options: ImportFilesOptions,
  run: RunImport,
): Promise<readonly FileSummary[]> {
  const summaries: FileSummary[] = [];
  for (const path of paths) {
    try {
      const summary = { file: path, ...(await importFile(path, options, run)) };
      summaries.push(summary);
      options.onImported(summary);
    } catch (error) {
      if (!(error instanceof BundleFault)) throw error;
      throw new FileFailure(describeFault(error, paths, summaries.length, options.isDryRun), { cause: error });
    }
  }
  return summaries;
}

async function importFile(path: string, options: ImportFilesOptions, run: RunImport): Promise<ImportSummary> {
  const progress = startProgress(path, 2 * measureBundle(path));
  try {
    const { now, newUuid } = options;
    return await run(async (transaction) => {
      const summary = await importBundleInto(transaction, path, { now, newUuid, onProgress: progress.move });
      if (summary.changed > 0) await noteImport(transaction, path, summary, options);
      return summary;
    });
  } finally {
    progress.end();
  }
}

function noteImport(
  transaction: Transaction,
  path: string,
  summary: ImportSummary,
  { now, newUuid }: ImportFilesOptions,
): Promise<void> {
  const job = openJob({ now: () => now, newUuid, randomBytes }, COMMAND_ACTOR, transaction);
  return job.note({ action: 'bundle.import', subjectName: basename(path), details: { ...summary } });
}

function measureBundle(path: string): number {
  const stats = findStats(path);
  // A pipe would be empty when its turn to be read again comes.
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    throw new BundleFault(0, 'is not a regular file; bundles are read twice');
  }
  return stats?.size ?? 0;
}

/** What is not there, or may not be looked at, is told by whoever reads it. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function describeFault(fault: BundleFault, paths: readonly string[], done: number, isDryRun: boolean): string {
  const path = paths[done] ?? '';
  const place = fault.line === 0 ? path : `${path}:${fault.line}`;
  const lines = [`${place}: ${fault.message}`];
  if (isDryRun) return lines.join('\n');
  lines.push(`Nothing of ${path} was imported.`);
  if (done > 0) lines.push(`Imported before it, and kept: ${paths.slice(0, done).join(', ')}`);
  if (done + 1 < paths.length) lines.push(`Not looked at: ${paths.slice(done + 1).join(', ')}`);
  return lines.join('\n');
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
  const outcomes: Outcome[] = [];
  try {
    await storage.transaction(async (transaction) => {
      outcomes.push(await work(transaction));
      throw over;
    });
  } catch (error) {
    if (error !== over) throw error;
  }
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('A rehearsal ended without an outcome');
  return outcome;
}
