// Runs all `galley doctor` checks: the settings, Node.js, the database, its content and the uploaded files. Nothing is changed.

import { readFileSync } from 'node:fs';
import { type DatabaseUrl, inspectSettings, loadEnvironment, type Settings } from '../settings.ts';
import { DatabaseUnusable, StorageUnavailable } from '../storage/engine.ts';
import type { Consistency } from '../storage/inspection.ts';
import { inspectPostgres } from '../storage/postgres/open-postgres.ts';
import { inspectSqlite } from '../storage/sqlite/open-sqlite.ts';
import { type Check, problem } from './check.ts';
import { checkContent } from './check-content.ts';
import { checkDatabase, checkDatabaseFile, checkPostgres } from './check-database.ts';
import { checkEnvironment, checkSettings } from './check-environment.ts';
import { checkFiles, type FileChecks, type FileRecords, type Removable } from './check-files.ts';

export interface Examination {
  readonly checks: readonly Check[];
  /** Undefined if the stored files were not compared with the records. */
  readonly removable: Removable | undefined;
  /** True if no service has opened the database since `galley backup` wrote it. */
  readonly isBackup: boolean;
}

interface Examined {
  readonly settings: Settings | undefined;
  readonly now: number;
}

export async function examine(now: number): Promise<Examination> {
  const sources = { environment: process.env, envFile: loadEnvironment(process.cwd(), {}) };
  const inspection = inspectSettings(sources, (path) => readFileSync(path, 'utf8'));
  const { settings, databaseUrl } = inspection;
  const { checks, ...found } = await examineDatabase(databaseUrl, { settings, now });
  return { checks: [...checkSettings(inspection), ...checkEnvironment(process.versions), ...checks], ...found };
}

async function examineDatabase(databaseUrl: DatabaseUrl | undefined, examined: Examined): Promise<Examination> {
  if (databaseUrl === undefined) {
    return failDatabase('not checked, because GALLEY_DATABASE_URL is wrong', 'Correct the setting first.');
  }
  if (databaseUrl.engine === 'postgres') return examineServer(databaseUrl.url, examined);
  const { path } = databaseUrl;
  if (path === ':memory:') return failDatabase('it must be a file', 'Set GALLEY_DATABASE_URL to sqlite:PATH.');
  const { checks, canBeOpened } = checkDatabaseFile(path);
  if (!canBeOpened) return addFiles(checks, undefined, examined);
  const { checks: more, ...found } = await examineFile(path, examined);
  return { checks: [...checks, ...more], ...found };
}

async function examineServer(url: string, examined: Examined): Promise<Examination> {
  try {
    return await inspectPostgres(url, async (inspection) => {
      const { checks, counts } = await checkPostgres(inspection, examined.now);
      const read: FileRecords['read'] = (procedure) => inspection.read(procedure);
      return addContent(checks, counts, examined, { read, isBackup: false });
    });
  } catch (error) {
    if (!(error instanceof DatabaseUnusable) && !(error instanceof StorageUnavailable)) throw error;
    return failDatabase(
      error.message.replace(/\.$/, ''),
      'Check that the server is running and that GALLEY_DATABASE_URL is correct.',
    );
  }
}

/** A backup is a single file, without a write-ahead log. */
const JOURNAL_OF_BACKUPS = 'delete';

async function examineFile(path: string, examined: Examined): Promise<Examination> {
  try {
    const inspection = inspectSqlite(path);
    try {
      const { checks, counts } = checkDatabase(inspection, examined.now);
      const read: FileRecords['read'] = async (procedure) => inspection.read(procedure);
      const isBackup = inspection.journalMode === JOURNAL_OF_BACKUPS;
      return { ...(await addContent(checks, counts, examined, { read, isBackup })), isBackup };
    } finally {
      inspection.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnusable) && !(error instanceof StorageUnavailable)) throw error;
    return failDatabase(
      error.message.replace(/\.$/, ''),
      'Restore the newest backup, or set GALLEY_DATABASE_URL to the right file.',
    );
  }
}

async function addContent(
  checks: readonly Check[],
  counts: Consistency | undefined,
  examined: Examined,
  records: FileRecords,
): Promise<Examination> {
  if (counts === undefined) return addFiles(checks, undefined, examined);
  return addFiles([...checks, ...checkContent(counts)], records, examined);
}

async function addFiles(
  checks: readonly Check[],
  records: FileRecords | undefined,
  { settings, now }: Examined,
): Promise<Examination> {
  const nothing: FileChecks = { checks: [], removable: undefined };
  const files = settings === undefined ? nothing : await checkFiles(settings, records, now);
  return { checks: [...checks, ...files.checks], removable: files.removable, isBackup: false };
}

function failDatabase(message: string, advice: string): Examination {
  const check: Check = { group: 'Database', name: 'opening', ...problem(message, advice) };
  return { checks: [check], removable: undefined, isBackup: false };
}
