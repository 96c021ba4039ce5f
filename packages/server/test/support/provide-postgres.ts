import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../../../scripts/testing/postgres-server.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { nameDatabase, runOnServer, TEMPLATE } from './test-database.ts';

/** Vitest calls this before the first test that needs the server, and calls the returned function after the last one. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  try {
    await runOnServer(server.url, `create database ${TEMPLATE}`);
    await (await openPostgres(nameDatabase(server.url, TEMPLATE), Date.now())).close();
  } catch (error) {
    await server.stop();
    throw error;
  }
  provide('postgresUrl', server.url);
  return () => server.stop();
}
