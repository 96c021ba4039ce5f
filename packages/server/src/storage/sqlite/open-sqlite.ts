// Opens a database file: for a process, for another thread in the process, or just to inspect it.

import { DatabaseUnusable } from '../engine.ts';
import type { FileInspection } from '../inspection.ts';
import { selectInstallationKey } from '../installation-key.ts';
import { migrate } from '../migrations.ts';
import type { WritePatience } from '../retry.ts';
import { buildStorage, type Storage } from '../storage.ts';
import { Checkpoints } from './checkpoints.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SQLITE_COLUMN_TYPES, SqliteEngine } from './sqlite-engine.ts';
import { describeSqliteError, translateOpenError } from './sqlite-errors.ts';

/** Opens the database file, creates it if it does not exist, and migrates its schema. */
export async function openSqlite(path: string, now: number, patience?: WritePatience): Promise<Storage> {
  let engine: SqliteEngine | undefined;
  try {
    engine = new SqliteEngine(path, new Checkpoints(path), patience);
    await migrate(engine, SQLITE_COLUMN_TYPES, now);
    return buildOn(engine, path);
  } catch (error) {
    await engine?.close();
    throw translateOpenError(error, path);
  }
}

/** A thread rarely reads the same pages twice. */
const SMALL_CACHE = 'pragma cache_size = -1000';

/** Opens a file that another thread in the process has already migrated. */
export async function joinSqlite(path: string): Promise<Storage> {
  const engine = new SqliteEngine(path, undefined, undefined, SMALL_CACHE);
  try {
    return buildOn(engine, path);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function buildOn(engine: SqliteEngine, path: string): Storage {
  return buildStorage(
    engine,
    engine.read(() => selectInstallationKey()),
    { engine: 'sqlite', path },
  );
}

/**
 * Inspects a file without changing it: no migration, no new file, no change to its journal mode.
 * @param path the path of an existing file
 */
export function inspectSqlite(path: string): FileInspection {
  const connection = openUnchanged(path);
  return {
    journalMode: String(connection.readPragma('journal_mode')[0]),
    read: (procedure) => connection.run(procedure),
    findDamage: () => findDamage(connection),
    countDeadReferences: () => connection.readPragma('foreign_key_check').length / 4,
    close: () => connection.close(),
  };
}

function openUnchanged(path: string): SqliteConnection {
  try {
    const connection = new SqliteConnection(path, 'pragma query_only = 1', 'kept');
    connection.readPragma('schema_version');
    return connection;
  } catch (error) {
    const translated = translateOpenError(error, path);
    throw translated instanceof Error ? translated : new DatabaseUnusable(String(translated));
  }
}

function findDamage(connection: SqliteConnection): string | undefined {
  try {
    const [fault] = connection.readPragma('quick_check(1)');
    return fault === 'ok' ? undefined : String(fault);
  } catch (error) {
    return describeSqliteError(error);
  }
}
