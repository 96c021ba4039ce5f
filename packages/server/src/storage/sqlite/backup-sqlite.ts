// Copies the database as it is at one moment. SQLite's own backup starts again whenever another connection commits, so that under
// constant writes it never finishes; a read transaction holds the moment until the last page is copied.
// `vacuum into` takes as long, but blocks the event loop all that time. docs/decisions/0003 has the figures.

import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../engine.ts';
import { describeSqliteError, translateOpenError } from './sqlite-errors.ts';

/** 4 MiB at a time: enough to be fast, and little enough to show progress. */
const PAGES_A_STEP = 1024;

/**
 * @param source the file of a database, which may be in use
 * @param target an empty file
 * @param onShareDone gets the share that has been copied, from 0 to 1
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

/** Returns the schema version of the moment. */
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
    // Without a write-ahead log the copy is one plain file, which can be read from anywhere.
    database.exec('pragma journal_mode = delete');
    const [fault] = database.prepare('pragma integrity_check(1)').all().flatMap(Object.values);
    if (fault !== 'ok') throw new DatabaseUnusable(`The database is damaged, and so is the copy: ${String(fault)}.`);
    if (readVersion(database) !== version)
      throw new DatabaseUnusable('The copy has a different schema than the database.');
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
