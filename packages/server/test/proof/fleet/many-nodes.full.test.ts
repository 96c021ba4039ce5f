// When nodes start together on an empty database, one of them creates the schema and all of them serve requests.

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openStorage } from '../../../src/open-storage.ts';
import { SCHEMA_VERSION } from '../../../src/storage/migrations.ts';
import { selectSites } from '../../../src/storage/sites/select-catalog.ts';
import { defineStatement, query } from '../../../src/storage/statement.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { makeFolder, startServer } from '../../support/galley-command.ts';
import { createPostgresDatabase } from '../../support/test-database.ts';

const NODES = proofSize(5, 10);
const PROCESSES = proofSize(3, 10);

const selectWritten = defineStatement(
  () => sql`select (select count(*) from schema_versions) as versions, (select count(*) from accounts) as accounts`,
);
const WRITTEN_ONCE = [{ versions: SCHEMA_VERSION, accounts: 1 }];

test(`${NODES} nodes in one process migrate an empty database once`, async () => {
  const database = await createPostgresDatabase();
  const nodes = await Promise.all(Array.from({ length: NODES }, () => openStorage(database.url, Date.now())));
  try {
    for (const node of nodes) expect(await node.read(selectSites())).toEqual([]);
    expect(await nodes[0]?.read(query(selectWritten))).toEqual(WRITTEN_ONCE);
  } finally {
    for (const node of nodes) await node.close();
    await database.remove();
  }
});

test(`${PROCESSES} processes that start at the same time on an empty database all serve requests`, async () => {
  const database = await createPostgresDatabase();
  await using folder = await makeFolder();
  const options = { cwd: folder.path, env: { GALLEY_DATABASE_URL: database.url.url } };
  await using servers = new AsyncDisposableStack();
  const started = await Promise.all(
    Array.from({ length: PROCESSES }, async () => servers.use(await startServer(options))),
  );
  for (const { url } of started) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const storage = await openStorage(database.url, Date.now());
  expect(await storage.read(query(selectWritten))).toEqual(WRITTEN_ONCE);
  await storage.close();
  for (const server of started) expect((await server.stop()).status).toBe(0);
  await database.remove();
  reportProof(`many nodes: ${PROCESSES} processes started at the same time, the database was migrated once`);
});
