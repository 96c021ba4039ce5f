// A fresh database for a test, on either engine. Tests of behaviour that both engines promise run once for each of `ENGINES`.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/open-storage.ts';
import type { DatabaseUrl } from '../../src/settings.ts';
import { runSql } from './run-sql.ts';
import { useSharedResource } from './shared-resources.ts';
import { nameDatabase, runOnServer, TEMPLATE } from './test-server.ts';

export type Engine = DatabaseUrl['engine'];

/** For `describe.each(ENGINES)('on %s', (engine) => …)`. */
export const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

export interface TestDatabase {
  readonly url: DatabaseUrl;
  remove(): Promise<void>;
}

export interface PostgresDatabase extends TestDatabase {
  readonly url: DatabaseUrl & { readonly engine: 'postgres' };
}

export function createTestDatabase(engine: Engine = 'sqlite'): Promise<TestDatabase> {
  return engine === 'postgres' ? createPostgresDatabase(TEMPLATE) : createSqliteDatabase();
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-database-'));
  return {
    url: { engine: 'sqlite', path: join(folder, 'galley.db') },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** @param template the database to copy; the new database is empty if this is omitted */
export async function createPostgresDatabase(template = 'template1'): Promise<PostgresDatabase> {
  const server = await useSharedResource('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: { engine: 'postgres', url: nameDatabase(server, name) },
    remove: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  };
}

/** The installation's secret protects cursors. Databases with the same secret issue the same cursors. */
export async function giveSameKey(database: TestDatabase): Promise<TestDatabase> {
  const storage = await openStorage(database.url, Date.now());
  await runSql(storage, `update installation_keys set secret = '${'17'.repeat(32)}'`);
  await storage.close();
  return database;
}
