// A fresh database for a test, on the engine under test: the embedded one, or the PostgreSQL server started for this run.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import type { DatabaseUrl } from '../../src/settings.ts';
import { runSql } from './run-sql.ts';

export interface TestDatabase {
  readonly url: DatabaseUrl;
  remove(): Promise<void>;
}

export interface PostgresDatabase extends TestDatabase {
  readonly url: DatabaseUrl & { readonly engine: 'postgres' };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server's maintenance database, as the superuser. */
    readonly postgresUrl: string;
  }
}

export function createTestDatabase(): Promise<TestDatabase> {
  return process.env.TEST_ENGINE === 'postgres' ? createPostgresDatabase(TEMPLATE) : createSqliteDatabase();
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-database-'));
  return {
    url: { engine: 'sqlite', path: join(folder, 'galley.db') },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** An empty database with the schema, used as a template. */
export const TEMPLATE = 'galley_template';

/** @param template the database to copy; the new database is empty if this is omitted */
export async function createPostgresDatabase(template = 'template1'): Promise<PostgresDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: { engine: 'postgres', url: nameDatabase(server, name) },
    remove: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  };
}

export function nameDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function runOnServer(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** The installation's secret protects cursors. Databases with the same secret issue the same cursors. */
export async function giveSameKey(database: TestDatabase): Promise<TestDatabase> {
  const storage = await openStorage(database.url, Date.now());
  await runSql(storage, `update installation_keys set secret = '${'17'.repeat(32)}'`);
  await storage.close();
  return database;
}
