// Tests which replicas serve reads, and that a node never shows an older state because of a replica.

import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../../scripts/testing/postgres-server.ts';
import { type SlownessWatch, watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { exchange, LIST_PATH, type Reply } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { startService, type TestService } from '../../support/service.ts';
import { nameDatabase, runOnServer } from '../../support/test-server.ts';

const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), content({ id: 'c_a', name: 'first' })];
const TARGET = `${LIST_PATH}/c_a`;
const SOON = { interval: 10 };

let primary: PostgresServer;
let standbys: readonly PostgresServer[];
beforeAll(async () => {
  primary = await startPostgres();
  await runOnServer(primary.url, 'create database galley');
  standbys = [await primary.startStandby(), await primary.startStandby()];
});
afterAll(async () => {
  for (const server of [...(standbys ?? []), primary]) await server?.stop();
});

interface Node {
  readonly service: TestService;
  readonly token: string;
  /** The proxy in front of the primary. */
  readonly primary: FaultProxy;
  /** The proxies in front of the replicas, one for each. */
  readonly replicas: readonly FaultProxy[];
  read(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

async function startNode(environment: Readonly<Record<string, string>> = {}): Promise<Node> {
  const proxies = await Promise.all(
    [primary, ...standbys].map(({ url }) => startFaultProxy(nameDatabase(url, 'galley'))),
  );
  const [toPrimary, ...replicas] = proxies;
  if (toPrimary === undefined) throw new Error('No primary');
  const service = await startService(
    {
      GALLEY_DATABASE_URL: toPrimary.url,
      GALLEY_REPLICA_URLS: replicas.map(({ url }) => url).join(','),
      GALLEY_METRICS: 'true',
      ...environment,
    },
    { createDatabase: async () => ({ url: { engine: 'postgres', url: toPrimary.url }, remove: async () => {} }) },
  );
  onTestFinished(async () => {
    await service.close();
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  });
  await service.importRecords(RECORDS);
  const { token } = await service.createKey({ sites: [PRESS], preview: true });
  const read = (target: string, headers = {}): Promise<Reply> =>
    exchange(service.url, 'GET', target, { authorization: `Bearer ${token}`, 'x-service-site': PRESS, ...headers });
  return { service, token, primary: toPrimary, replicas, read };
}

function usedReplicas({ service }: Node): readonly boolean[] {
  return service.storage.figures()?.replicas.map(({ isUsed }) => isUsed) ?? [];
}

async function askServer(server: PostgresServer, text: string): Promise<unknown> {
  const client = new Client(nameDatabase(server.url, 'galley'));
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

/** For the given server, the number of node connections whose last statement was a read. */
async function countReads(server: PostgresServer): Promise<number> {
  const text = `select count(*) as value from pg_stat_activity where application_name = 'galley' and datname = 'galley'
    and pid <> pg_backend_pid() and query <> '' and query not like 'select stamp%' and query not like 'listen%'`;
  return Number(await askServer(server, text));
}

/** Publishes content with a new name through the given node, and returns the name. */
let names = 0;
async function rename({ service }: Node): Promise<string> {
  names += 1;
  const name = `name ${names}`;
  await service.importRecords([...RECORDS.slice(0, 2), content({ id: 'c_a', name })]);
  return name;
}

let slowness: SlownessWatch;

beforeAll(async () => {
  slowness = await watchSlowness();
});

afterAll(() => slowness[Symbol.asyncDispose]());

beforeEach(async () => {
  await slowness.read();
  for (const standby of standbys) await askServer(standby, 'select pg_wal_replay_resume() as value').catch(() => {});
});

test('reads are spread over the replicas; previews and management requests use the primary', async () => {
  const node = await startNode();
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  // This opens the first connections in the pools.
  for (let no = 0; no < 10; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).status).toBe(200);
  for (const standby of standbys) expect(await countReads(standby)).toBeGreaterThan(0);

  await node.primary.refuse();
  const degraded = { status: 'degraded', checks: { database: 'failed' } };
  await expect.poll(async () => (await node.read('/readyz')).body, SOON).toEqual(degraded);
  // Now only the replicas can respond, and they do.
  for (let no = 10; no < 20; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).status).toBe(200);
  const preview = await node.read(TARGET, { 'x-service-preview': 'true' });
  expect(preview.status).toBe(503);
  expect((await node.read('/manage/v1/sites')).status).toBe(503);

  await node.primary.restore();
  await expect.poll(async () => (await node.read(TARGET, { 'x-service-preview': 'true' })).status, SOON).toBe(200);
});

test('a stalled replica is not used until it has caught up', async () => {
  const node = await startNode();
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  const [first] = standbys;
  if (first === undefined) throw new Error('No standby');
  await askServer(first, 'select pg_wal_replay_pause() as value');
  for (let count = 0; count < 20; count += 1) {
    const name = await rename(node);
    for (let no = 0; no < 4; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).text).toContain(`"${name}"`);
  }
  await expect.poll(() => usedReplicas(node), SOON).toEqual([false, true]);
  const [standing] = node.service.storage.figures()?.replicas ?? [];
  expect(standing?.lagMs).toBeGreaterThan(0);
  const { text } = await node.read('/metrics');
  expect(text).toMatch(/galley_replica_up\{replica="127\.0\.0\.1:\d+\/galley"\} 0\n/);
  expect(text).toMatch(/galley_replica_up\{replica="127\.0\.0\.1:\d+\/galley"\} 1\n/);
  expect(text).toMatch(/galley_replica_lag_seconds\{replica="[^"]+"\} [\d.]+\n/);
  await askServer(first, 'select pg_wal_replay_resume() as value');
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
});

test('reads continue while the primary and the replicas keep closing all connections', async () => {
  const node = await startNode({ GALLEY_CACHE_MB: '0' });
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  const statuses = new Set<number>();
  let isOver = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) for (const target of [TARGET, LIST_PATH]) statuses.add((await node.read(target)).status);
  });
  const terminate = `select count(pg_terminate_backend(pid)) as value from pg_stat_activity
    where datname = 'galley' and application_name = 'galley'`;
  let ended = 0;
  const until = performance.now() + 3000;
  while (performance.now() < until || ended <= 10) {
    for (const server of [primary, ...standbys]) ended += Number(await askServer(server, terminate));
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  isOver = true;
  await Promise.all(readers);
  expect([...statuses]).toEqual([200]);
});

test('other nodes show a write within their time limit, even when reading from replicas', async () => {
  const [writer, reader] = [await startNode(), await startNode()];
  await expect.poll(() => usedReplicas(reader), SOON).toEqual([true, true]);
  const delays: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const name = await rename(writer);
    const since = performance.now();
    const credentials = { authorization: `Bearer ${writer.token}` };
    const show = async () => (await reader.read(TARGET, credentials)).text.includes(`"${name}"`);
    await expect.poll(show, SOON).toBe(true);
    delays.push(performance.now() - since);
    for (let no = 0; no < 5; no += 1) expect(await show()).toBe(true);
  }
  expect(Math.max(...delays)).toBeLessThan(1000 * (await slowness.read()));
});

test.each([
  ['refuses connections', (proxy: FaultProxy) => proxy.refuse()],
  ['does not respond', (proxy: FaultProxy) => proxy.silence()],
])('a replica that %s does not cause any request to fail, and is used again later', async (_name, fail) => {
  const node = await startNode({ GALLEY_CACHE_MB: '0' });
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  const [failing] = node.replicas;
  if (failing === undefined) throw new Error('No replica');
  await fail(failing);
  const times: number[] = [];
  const until = performance.now() + 1500;
  while (performance.now() < until || usedReplicas(node)[0]) {
    const since = performance.now();
    expect((await node.read(TARGET)).status).toBe(200);
    times.push(performance.now() - since);
  }
  expect(Math.max(...times)).toBeLessThan(2000 * (await slowness.read()));
  expect(usedReplicas(node)).toEqual([false, true]);
  await failing.restore();
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
});

test('the second replica serves requests when the first one and the primary cannot', async () => {
  const node = await startNode({ GALLEY_CACHE_MB: '0' });
  for (const failing of node.replicas) {
    await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
    await Promise.all([node.primary.refuse(), failing.refuse()]);
    for (let no = 0; no < 10; no += 1) expect((await node.read(TARGET)).status).toBe(200);
    await Promise.all([node.primary.restore(), failing.restore()]);
  }
});

test('when all servers fail at the same time, cached responses are served, starting with the first request', async () => {
  const node = await startNode();
  for (let count = 0; count < 5; count += 1) {
    for (let no = 0; no < 2; no += 1) expect((await node.read(TARGET)).status).toBe(200);
    // After any write, a node must check the client's key again.
    await node.service.createKey({ allSites: true });
    await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
    const servers = [node.primary, ...node.replicas];
    await Promise.all(servers.map((server) => server.refuse()));
    expect((await node.read(TARGET)).status).toBe(200);
    expect((await node.read(`${TARGET}?no=${count}`)).status).toBe(503);
    await Promise.all(servers.map((server) => server.restore()));
    await expect.poll(async () => (await node.read(`${TARGET}?no=${count}`)).status, SOON).toBe(200);
  }
});

test('a request that runs out of time on unresponsive servers is served from the cache, even if another server is up', async () => {
  const node = await startNode();
  const { token } = await node.service.createKey({ allSites: true });
  // Each key has to be looked up separately, so one of the lookups reaches the unresponsive replica.
  const readBoth = () => Promise.all([node.read(TARGET), node.read(TARGET, { authorization: `Bearer ${token}` })]);
  for (let no = 0; no < 2; no += 1) for (const { status } of await readBoth()) expect(status).toBe(200);
  await node.service.createKey({ allSites: true });
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  for (const server of [node.primary, ...node.replicas.slice(0, 1)]) server.silence();
  const replies = await readBoth();
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies.map(({ headers }) => headers['cache-status']).toSorted()).toEqual([
    'galley; hit',
    'galley; hit; detail=stale',
  ]);
});

test('when no server responds, uncached requests are rejected within two seconds', async () => {
  const node = await startNode();
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  for (const server of [node.primary, ...node.replicas]) server.silence();
  const asked = Array.from({ length: 20 }, async (_, no) => {
    const since = performance.now();
    const { status } = await node.read(`${TARGET}?no=${no}`);
    return { status, ms: performance.now() - since };
  });
  const refusals = await Promise.all(asked);
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...refusals.map(({ ms }) => ms))).toBeLessThan(2000 * (await slowness.read()));
});

test('a promoted replica is no longer used for reads', async () => {
  const node = await startNode();
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, true]);
  const [, promoted] = standbys;
  if (promoted === undefined) throw new Error('No standby');
  expect(await askServer(promoted, 'select pg_promote() as value')).toBe(true);
  await askServer(promoted, "update contents set name = 'elsewhere' returning 1 as value");
  await askServer(promoted, 'update database_moments set stamp = stamp + 60000000 returning 1 as value');
  for (let no = 0; no < 20; no += 1) expect((await node.read(`${TARGET}?no=${no}`)).text).toContain('"first"');
  await expect.poll(() => usedReplicas(node), SOON).toEqual([true, false]);
});
