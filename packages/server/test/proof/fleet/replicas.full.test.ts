// Tests which replicas serve reads, and that a node never shows an older state because of a replica. replicas.proof.test.ts measures how
// long readers wait.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PostgresServer } from '../../../../../scripts/testing/postgres-server.ts';
import { LIST_PATH } from '../../conformance/reader.ts';
import { askServer, findUsed, type ReplicaSet, startReplicaSet, TARGET } from './replica-set.ts';

const SOON = { interval: 10 };
/** A replica is used for this long after its last response, so it stays in use however slow the machine is. */
const CALM = { GALLEY_FRESHNESS_MS: '60000' };
const UNCACHED = { ...CALM, GALLEY_CACHE_MB: '0' };
const PREVIEW = { 'x-service-preview': 'true' };

let set: ReplicaSet;

beforeAll(async () => {
  set = await startReplicaSet();
});

afterAll(() => set[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const standby of set.standbys)
    await askServer(standby, 'select pg_wal_replay_resume() as value').catch(() => {});
});

/** For the given server, the number of node connections whose last statement was a read. */
async function countReads(server: PostgresServer): Promise<number> {
  const text = `select count(*) as value from pg_stat_activity where application_name = 'galley' and datname = 'galley'
    and pid <> pg_backend_pid() and query <> '' and query not like 'select stamp%' and query not like 'listen%'`;
  return Number(await askServer(server, text));
}

test('reads are spread over the replicas; previews and management requests use the primary', async () => {
  const node = await set.startNode(CALM);
  await node.awaitUse([true, true]);
  // This opens the first connections in the pools.
  for (let no = 0; no < 10; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).status).toBe(200);
  for (const standby of set.standbys) expect(await countReads(standby)).toBeGreaterThan(0);

  await node.primary.refuse();
  const degraded = { status: 'degraded', checks: { database: 'failed' } };
  await expect.poll(async () => (await node.read('/readyz')).body, SOON).toEqual(degraded);
  // Now only the replicas can respond, and they do.
  for (let no = 10; no < 20; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).status).toBe(200);
  expect((await node.read(TARGET, PREVIEW)).status).toBe(503);
  expect((await node.read('/manage/v1/sites')).status).toBe(503);

  await node.primary.restore();
  await expect.poll(async () => (await node.read(TARGET, PREVIEW)).status, SOON).toBe(200);
});

test('a stalled replica is not used until it has caught up', async () => {
  const node = await set.startNode(CALM);
  await node.awaitUse([true, true]);
  await askServer(set.standbys[0], 'select pg_wal_replay_pause() as value');
  for (let count = 0; count < 10; count += 1) {
    const name = await node.rename();
    for (let no = 0; no < 4; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).text).toContain(`"${name}"`);
  }
  await node.awaitUse([false, true]);
  const [standing] = node.service.storage.figures()?.replicas ?? [];
  expect(standing?.lagMs).toBeGreaterThan(0);
  const readMetrics = async () => (await node.read('/metrics')).text;
  const up =
    /galley_replica_up\{replica="127\.0\.0\.1:\d+\/galley"\} 0\ngalley_replica_up\{replica="127\.0\.0\.1:\d+\/galley"\} 1\n/;
  await expect.poll(readMetrics).toMatch(up);
  expect(await readMetrics()).toMatch(/galley_replica_lag_seconds\{replica="[^"]+"\} [\d.]+\n/);
  await askServer(set.standbys[0], 'select pg_wal_replay_resume() as value');
  await node.awaitUse([true, true]);
});

test('reads continue while the primary and the replicas keep closing all connections', async () => {
  const node = await set.startNode(UNCACHED);
  await node.awaitUse([true, true]);
  const statuses: number[] = [];
  let isOver = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) for (const target of [TARGET, LIST_PATH]) statuses.push((await node.read(target)).status);
  });
  const terminate = `select count(pg_terminate_backend(pid)) as value from pg_stat_activity
    where datname = 'galley' and application_name = 'galley'`;
  let ended = 0;
  for (let round = 0; round < 6 || ended <= 10; round += 1) {
    const before = statuses.length;
    for (const server of [set.primary, ...set.standbys]) ended += Number(await askServer(server, terminate));
    await expect.poll(() => statuses.length, SOON).toBeGreaterThan(before + 40);
  }
  isOver = true;
  await Promise.all(readers);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('other nodes that read from replicas show a write, and then never the state before it', async () => {
  const [writer, reader] = [await set.startNode(CALM), await set.startNode(CALM)];
  await reader.awaitUse([true, true]);
  const credentials = { authorization: `Bearer ${writer.token}` };
  for (let count = 0; count < 5; count += 1) {
    const name = await writer.rename();
    const show = async () => (await reader.read(TARGET, credentials)).text.includes(`"${name}"`);
    await expect.poll(show, SOON).toBe(true);
    for (let no = 0; no < 5; no += 1) expect(await show()).toBe(true);
  }
});

test.each(['refuse', 'silence'] as const)(
  'a replica with the fault "%s" does not cause any request to fail, and is used again later',
  async (fault) => {
    const node = await set.startNode(UNCACHED);
    await node.awaitUse([true, true]);
    const [failing] = node.replicas;
    await failing[fault]();
    for (let reads = 0; reads < 20 || findUsed(node.service)[0]; reads += 1) {
      expect((await node.read(TARGET)).status).toBe(200);
    }
    await node.awaitUse([false, true]);
    await failing.restore();
    await node.awaitUse([true, true]);
  },
);

test('the second replica serves requests when the first one and the primary cannot', async () => {
  const node = await set.startNode(UNCACHED);
  for (const failing of node.replicas) {
    await node.awaitUse([true, true]);
    await Promise.all([node.primary.refuse(), failing.refuse()]);
    for (let no = 0; no < 10; no += 1) expect((await node.read(TARGET)).status).toBe(200);
    await Promise.all([node.primary.restore(), failing.restore()]);
  }
});

test('when all servers fail at the same time, cached responses are served, starting with the first request', async () => {
  const node = await set.startNode(CALM);
  for (let count = 0; count < 3; count += 1) {
    for (let no = 0; no < 2; no += 1) expect((await node.read(TARGET)).status).toBe(200);
    // After any write, a node must check the client's key again.
    await node.service.createKey({ allSites: true });
    await node.awaitUse([true, true]);
    const servers = [node.primary, ...node.replicas];
    await Promise.all(servers.map((server) => server.refuse()));
    expect((await node.read(TARGET)).status).toBe(200);
    expect((await node.read(`${TARGET}?no=${count}`)).status).toBe(503);
    await Promise.all(servers.map((server) => server.restore()));
    await expect.poll(async () => (await node.read(`${TARGET}?no=${count}`)).status, SOON).toBe(200);
  }
});

test('a request that runs out of time on unresponsive servers is served from the cache, even if another server is up', async () => {
  const node = await set.startNode(CALM);
  const { token } = await node.service.createKey({ allSites: true });
  // Each key has to be looked up separately, so one of the lookups reaches the unresponsive replica.
  const readBoth = () => Promise.all([node.read(TARGET), node.read(TARGET, { authorization: `Bearer ${token}` })]);
  for (let no = 0; no < 2; no += 1) for (const { status } of await readBoth()) expect(status).toBe(200);
  await node.service.createKey({ allSites: true });
  await node.awaitUse([true, true]);
  for (const server of [node.primary, node.replicas[0]]) server.silence();
  const replies = await readBoth();
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies.map(({ headers }) => headers['cache-status']).toSorted()).toEqual([
    'galley; hit',
    'galley; hit; detail=stale',
  ]);
});

test('when no server responds, uncached requests are rejected', async () => {
  const node = await set.startNode(CALM);
  await node.awaitUse([true, true]);
  for (const server of [node.primary, ...node.replicas]) server.silence();
  const refusals = await Promise.all(Array.from({ length: 20 }, (_, no) => node.read(`${TARGET}?no=${no}`)));
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
});

test('a promoted replica is no longer used for reads', async () => {
  const node = await set.startNode(CALM);
  await node.awaitUse([true, true]);
  const [, promoted] = set.standbys;
  expect(await askServer(promoted, 'select pg_promote() as value')).toBe(true);
  await askServer(promoted, "update contents set name = 'elsewhere' returning 1 as value");
  await askServer(promoted, 'update database_moments set stamp = stamp + 60000000 returning 1 as value');
  for (let no = 0; no < 20; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).text).toContain('"first"');
  await node.awaitUse([true, false]);
});
