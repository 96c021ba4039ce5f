// The one place that knows which database engines there are.

import type { DatabaseUrl } from './settings.ts';
import { DatabaseUnusable } from './storage/engine.ts';
import type { EngineOptions } from './storage/postgres/open-postgres.ts';
import { joinSqlite, openSqlite } from './storage/sqlite/open-sqlite.ts';
import type { Storage } from './storage/storage.ts';

/**
 * Opens the database, creates it where there is none, and brings its schema up to date.
 * @param serving the settings of a service; a command has none
 */
export async function openStorage(databaseUrl: DatabaseUrl, now: number, serving?: EngineOptions): Promise<Storage> {
  if (databaseUrl.engine === 'postgres') {
    // Loaded where it is needed: most installations are started without it, and faster.
    const { openPostgres } = await import('./storage/postgres/open-postgres.ts');
    return openPostgres(databaseUrl.url, now, serving);
  }
  // Each connection would get a memory of its own.
  if (databaseUrl.path === ':memory:') {
    throw new DatabaseUnusable('The database must be a file: set GALLEY_DATABASE_URL to sqlite:PATH.');
  }
  return openSqlite(databaseUrl.path, now, serving?.patience);
}

/** Opens a database that the process has open already, from another of its threads. It always reads where writers write. */
export async function joinStorage(databaseUrl: DatabaseUrl): Promise<Storage> {
  if (databaseUrl.engine === 'postgres') {
    const { joinPostgres } = await import('./storage/postgres/open-postgres.ts');
    return joinPostgres(databaseUrl.url);
  }
  return joinSqlite(databaseUrl.path);
}
