import { migrate } from '../migrations.ts';
import { buildStorage, type Storage } from '../storage.ts';
import { SQLITE_COLUMN_TYPES, SqliteEngine } from './sqlite-engine.ts';

/** Opens the database file, creates it where there is none, and brings its schema up to date. */
export async function openSqlite(path: string, now: number): Promise<Storage> {
  const engine = new SqliteEngine(path);
  try {
    await migrate(engine, SQLITE_COLUMN_TYPES, now);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return buildStorage(engine);
}
