// Chooses the database engine and opens the database.

import type { DatabaseUrl } from './settings.ts';
import { DatabaseUnusable } from './storage/engine.ts';
import type { EngineOptions } from './storage/postgres/open-postgres.ts';
import { joinSqlite, openSqlite } from './storage/sqlite/open-sqlite.ts';
import type { Storage } from './storage/storage.ts';

/**
 * Opens the database, creates it if it does not exist, and migrates its schema.
 * @param serving the settings for a service; omitted by commands
 */
export async function openStorage(databaseUrl: DatabaseUrl, now: number, serving?: EngineOptions): Promise<Storage> {
  if (databaseUrl.engine === 'postgres') {
    // Loaded only when needed: most installations do not use PostgreSQL, and they start faster without it.
    const { openPostgres } = await import('./storage/postgres/open-postgres.ts');
    return openPostgres(databaseUrl.url, now, serving);
  }
  // With `:memory:`, each connection would get its own database.
  if (databaseUrl.path === ':memory:') {
    throw new DatabaseUnusable('The database must be a file: set GALLEY_DATABASE_URL to sqlite:PATH.');
  }
  return openSqlite(databaseUrl.path, now, serving?.patience);
}

/** Opens a database that another thread in this process already has open. Never reads from a replica. */
export async function joinStorage(databaseUrl: DatabaseUrl): Promise<Storage> {
  if (databaseUrl.engine === 'postgres') {
    const { joinPostgres } = await import('./storage/postgres/open-postgres.ts');
    return joinPostgres(databaseUrl.url);
  }
  return joinSqlite(databaseUrl.path);
}
