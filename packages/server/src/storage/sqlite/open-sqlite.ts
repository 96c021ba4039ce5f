import { selectInstallationKey } from '../installation-key.ts';
import { migrate } from '../migrations.ts';
import type { WritePatience } from '../retry.ts';
import { buildStorage, type Storage } from '../storage.ts';
import { SQLITE_COLUMN_TYPES, SqliteEngine } from './sqlite-engine.ts';
import { translateOpenError } from './sqlite-errors.ts';

/** Opens the database file, creates it where there is none, and brings its schema up to date. */
export async function openSqlite(path: string, now: number, patience?: WritePatience): Promise<Storage> {
  let engine: SqliteEngine | undefined;
  try {
    engine = new SqliteEngine(path, patience);
    await migrate(engine, SQLITE_COLUMN_TYPES, now);
    return buildOn(engine, path);
  } catch (error) {
    await engine?.close();
    throw translateOpenError(error, path);
  }
}

/** What one thread reads, it seldom needs again. */
const SMALL_CACHE = 'pragma cache_size = -1000';

/** Opens a file that another thread of the process has brought up to date. */
export async function joinSqlite(path: string): Promise<Storage> {
  const engine = new SqliteEngine(path, undefined, SMALL_CACHE);
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
