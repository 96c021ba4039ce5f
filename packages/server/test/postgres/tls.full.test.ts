// Connections to a server with TLS: `sslmode` applies to all of a node's connections.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../scripts/testing/postgres-server.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createCertificate } from '../support/self-signed-certificate.ts';
import { useSharedResource } from '../support/shared-resources.ts';

const HOST = 'localhost';
const HELD = `select count(*) filter (where s.ssl)::int as encrypted, count(*)::int as held
  from pg_stat_activity as a join pg_stat_ssl as s using (pid) where a.application_name = 'galley'`;

let folder: string;
let server: PostgresServer;
let otherRoot: string;
let root: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-tls-'));
  const own = createCertificate(HOST, Date.now());
  [root, otherRoot] = [join(folder, 'root.pem'), join(folder, 'other.pem')];
  await writeFile(root, own.certificate);
  await writeFile(otherRoot, createCertificate(HOST, Date.now()).certificate);
  server = await startPostgres(own);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

function buildUrl(host: string, options: string): string {
  return `postgres://postgres:${server.password}@${host}:${server.port}/postgres${options}`;
}

/** The number of connections that a serving node has open, and how many of them are encrypted. */
async function countHeld(url: string): Promise<{ readonly encrypted: number; readonly held: number }> {
  const storage: Storage = await openPostgres(url, Date.now(), { freshnessMs: 1000 });
  const client = new Client(server.url);
  await client.connect();
  try {
    await expect.poll(() => storage.figures()?.isListening).toBe(true);
    await storage.check();
    const { rows } = await client.query<{ encrypted: number; held: number }>(HELD);
    if (rows[0] === undefined) throw new Error('The server returned no counts');
    return rows[0];
  } finally {
    await client.end();
    await storage.close();
  }
}

test.each([
  ['require', () => buildUrl('127.0.0.1', '?sslmode=require')],
  ['verify-ca with the root certificate', () => buildUrl('127.0.0.1', `?sslmode=verify-ca&sslrootcert=${root}`)],
  ['verify-full with the root certificate', () => buildUrl(HOST, `?sslmode=verify-full&sslrootcert=${root}`)],
])('sslmode=%s encrypts every connection', async (_name, url) => {
  const { encrypted, held } = await countHeld(url());
  expect(held).toBeGreaterThanOrEqual(3);
  expect(encrypted).toBe(held);
});

test('connections are not encrypted unless encryption is configured', async () => {
  expect((await countHeld(server.url)).encrypted).toBe(0);
});

test.each([
  ['verify-full without a matching root certificate', () => buildUrl(HOST, '?sslmode=verify-full'), /certificate/],
  [
    'verify-full with a different root certificate',
    () => buildUrl(HOST, `?sslmode=verify-full&sslrootcert=${otherRoot}`),
    /certificate/,
  ],
  [
    'verify-full with a different host name',
    () => buildUrl('127.0.0.1', `?sslmode=verify-full&sslrootcert=${root}`),
    /altnames/,
  ],
  [
    'verify-ca with a different root certificate',
    () => buildUrl('127.0.0.1', `?sslmode=verify-ca&sslrootcert=${otherRoot}`),
    /certificate/,
  ],
  [
    'require on a server without TLS',
    async () => `${await useSharedResource('postgres')}?sslmode=require`,
    /does not support SSL/,
  ],
])('the database cannot be opened with sslmode=%s', async (_name, url, reason) => {
  await expect(openPostgres(await url(), Date.now())).rejects.toThrow(reason);
});
