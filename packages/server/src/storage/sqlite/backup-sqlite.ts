// Copies the database as it is at a single point in time. SQLite's own backup restarts whenever another connection commits, so under
// constant writes it would never finish. A read transaction therefore keeps the snapshot open until the last page is copied. `vacuum into`
// takes just as long, but blocks the event loop the whole time. docs/decisions/0003 has the figures.

import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../engine.ts';
import { describeSqliteError, translateOpenError } from './sqlite-errors.ts';

/** 4 MiB at a time: large enough to be fast, and small enough to report progress. */
const PAGES_A_STEP = 1024;

/**
 * @param source a database file, which may be in use
 * @param target an empty file
 * @param onShareDone receives the share copied so far, from 0 to 1
 */
export async function backUpSqlite(
  source: string,
  target: string,
  onShareDone: (share: number) => void,
): Promise<void> {
  const database = openSource(source);
  try {
    const version = holdMoment(database, source);
    await copy(database, target, onShareDone);
    checkCopy(target, version);
  } finally {
    database.close();
  }
}

function openSource(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 5000 });
  } catch (error) {
    throw translateOpenError(error, path);
  }
}

/** Opens the snapshot, and returns its schema version. */
function holdMoment(database: DatabaseSync, path: string): unknown {
  try {
    database.exec('begin');
    return readVersion(database);
  } catch (error) {
    throw translateOpenError(error, path);
  }
}

async function copy(database: DatabaseSync, target: string, onShareDone: (share: number) => void): Promise<void> {
  try {
    await backup(database, target, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => onShareDone(1 - remainingPages / Math.max(1, totalPages)),
    });
  } catch (error) {
    throw new DatabaseUnusable(`The backup could not be written: ${describeSqliteError(error)}.`, { cause: error });
  }
}

function checkCopy(path: string, version: unknown): void {
  const database = new DatabaseSync(path);
  try {
    // Without a write-ahead log, the copy is a single plain file. It can be read even from read-only media.
    database.exec('pragma journal_mode = delete');
    const [fault] = database.prepare('pragma integrity_check(1)').all().flatMap(Object.values);
    if (fault !== 'ok') throw new DatabaseUnusable(`The database is damaged, and so is the copy: ${String(fault)}.`);
    if (readVersion(database) !== version)
      throw new DatabaseUnusable('The copy has a different schema from the database.');
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(`The copy cannot be read: ${describeSqliteError(error)}.`, { cause: error });
  } finally {
    database.close();
  }
}

function readVersion(database: DatabaseSync): unknown {
  return database.prepare('select max(version) as version from schema_versions').get()?.version;
}
