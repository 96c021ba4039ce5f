// Tests what readers and writers experience while the database cannot be reached, and after it returns.

import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type SlownessWatch, watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { createManagementToken } from '../../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { StorageUnavailable } from '../../../src/storage/engine.ts';
import { exchange, LIST_PATH, type Reply } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { type KeyOptions, startService, type TestService } from '../../support/service.ts';
import { createPostgresDatabase } from '../../support/test-database.ts';
import { TEMPLATE } from '../../support/test-server.ts';

const IDS = ['c_a', 'c_b', 'c_c'];
const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), ...IDS.map((id) => content({ id }))];
const CACHED = `${LIST_PATH}/c_a`;

const HOUR_MS = 3_600_000;
const HIT = 'galley; hit';
const STALE = 'galley; hit; detail=stale';

const READY = { status: 'ok', checks: { database: 'ok' } };
const DEGRADED = { status: 'degraded', checks: { database: 'failed' } };
const NOT_READY = { status: 'unavailable', checks: { database: 'failed' } };

let slowness: SlownessWatch;

beforeAll(async () => {
  slowness = await watchSlowness();
});

afterAll(() => slowness[Symbol.asyncDispose]());

beforeEach(async () => {
  await slowness.read();
});

interface Stage {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  /** The direct URL of the database, without the proxy. */
  readonly url: string;
  readonly token: string;
  ask(target: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<Timed>;
  createKey(options?: KeyOptions): Promise<string>;
  /** Moves the service's clock, which determines when keys expire. */
  moveClock(ms: number): void;
}

interface Timed extends Reply {
  readonly tookMs: number;
}

/** A service that connects to its database over an unreliable network. */
async function openStage(environment: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const database = await createPostgresDatabase(TEMPLATE);
  const proxy = await startFaultProxy(database.url.url);
  const createDatabase = async () => ({ url: { engine: 'postgres', url: proxy.url } as const, remove: async () => {} });
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const service = await startService({ GALLEY_METRICS: 'true', ...environment }, { createDatabase, now });
  onTestFinished(async () => {
    await service.close();
    await proxy[Symbol.asyncDispose]();
    await database.remove();
  });
  await service.importRecords(RECORDS);
  const createKey = async (options: KeyOptions = {}) =>
    (await service.createKey({ sites: [PRESS], preview: true, ...options })).token;
  const token = await createKey();

  async function ask(target: string, key = token, headers = {}): Promise<Timed> {
    const since = performance.now();
    const credentials = { authorization: `Bearer ${key}`, 'x-service-site': PRESS };
    const reply = await exchange(service.url, 'GET', target, { ...credentials, ...headers });
    return { ...reply, tookMs: performance.now() - since };
  }
  const moveClock = (ms: number): void => {
    aheadMs += ms;
  };
  return { service, proxy, url: database.url.url, token, ask, createKey, moveClock };
}

/** Puts the response into the cache. */
async function warm({ ask }: Stage, target: string, token?: string): Promise<Reply> {
  await ask(target, token);
  const reply = await ask(target, token);
  expect([reply.status, reply.headers['cache-status']]).toEqual([200, HIT]);
  return reply;
}

function statusOf(reply: Reply): readonly unknown[] {
  return [reply.status, reply.headers['cache-status']];
}

async function awaitStale({ ask }: Stage, token?: string): Promise<void> {
  await expect.poll(async () => statusOf(await ask(CACHED, token))).toEqual([200, STALE]);
}

async function readReadiness({ ask }: Stage): Promise<readonly [number, unknown]> {
  const { status, body } = await ask('/readyz');
  return [status, body];
}

async function countConnections(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ held: string }>(
    "select count(*) as held from pg_stat_activity where datname = current_database() and application_name = 'galley'",
  );
  await client.end();
  return Number(rows[0]?.held);
}

const FAULTS: readonly (readonly [name: string, fail: (proxy: FaultProxy) => unknown])[] = [
  ['refuses connections', (proxy) => proxy.refuse()],
  ['accepts connections but does not respond', (proxy) => proxy.silence()],
];

test.each(FAULTS)('while the database server %s, a node serves only cached responses', async (_name, fail) => {
  const stage = await openStage();
  const { service, proxy, ask } = stage;
  const desk = createDesk(service.storage);
  const manager = await createManagementToken(desk, COMMAND_ACTOR, { name: 'm', role: 'owner', expiresAt: null });
  const known = await warm(stage, CACHED);
  await fail(proxy);

  const seen = new Set<string>();
  const times: number[] = [];
  const until = performance.now() + 3800;
  while (performance.now() < until || !seen.has(STALE)) {
    const [cached, uncached, preview, managed] = await Promise.all([
      ask(CACHED),
      ask(`${LIST_PATH}/c_b`),
      ask(CACHED, undefined, { 'x-service-preview': 'true' }),
      ask('/manage/v1/sites', manager.token),
    ]);
    expect([cached.status, cached.text]).toEqual([200, known.text]);
    seen.add(String(cached.headers['cache-status']));
    for (const refused of [uncached, preview]) {
      expect([refused.status, refused.text, refused.headers['retry-after']]).toEqual([
        503,
        '{"message":"Service unavailable."}',
        '1',
      ]);
    }
    expect(managed.status).toBe(503);
    times.push(...[cached, uncached, preview, managed].map(({ tookMs }) => tookMs));
    expect(proxy.connections).toBeLessThan(20);
  }
  // The node needs a short time to detect the outage.
  expect([HIT, STALE]).toEqual(expect.arrayContaining([...seen]));
  const asked = performance.now();
  await expect(service.unpublish(PRESS, 'c_c')).rejects.toBeInstanceOf(StorageUnavailable);
  times.push(performance.now() - asked);
  expect(Math.max(...times)).toBeLessThan(2000 * (await slowness.read()));
  await expect.poll(() => readReadiness(stage)).toEqual([200, DEGRADED]);

  await proxy.restore();
  const back = performance.now();
  await expect.poll(async () => (await ask(`${LIST_PATH}/c_b`)).status).toBe(200);
  await expect.poll(async () => statusOf(await ask(CACHED))).toEqual([200, HIT]);
  await expect.poll(async () => (await ask('/manage/v1/sites', manager.token)).status).toBe(200);
  await expect.poll(() => readReadiness(stage)).toEqual([200, READY]);
  await service.unpublish(PRESS, 'c_c');
  expect((await ask(`${LIST_PATH}/c_c`)).status).toBe(404);
  await expect.poll(() => service.storage.figures()?.isListening).toBe(true);
  expect(performance.now() - back).toBeLessThan(5000 * (await slowness.read()));
  expect(await countConnections(stage.url)).toBeLessThan(14);
});

test('connections that are cut repeatedly do not affect readers of cached responses', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  const times: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    if (count % 4 === 0) stage.proxy.cut();
    const { status, tookMs } = await stage.ask(CACHED);
    expect(status).toBe(200);
    times.push(tookMs);
  }
  expect(Math.max(...times)).toBeLessThan(500 * (await slowness.read()));
  await expect.poll(async () => statusOf(await stage.ask(CACHED))).toEqual([200, HIT]);
});

test('stale responses are no longer served once they are too old or their key has expired', async () => {
  const stage = await openStage({ GALLEY_STALE_SECONDS: '5' });
  const shortLived = await stage.createKey({ expires: Date.now() + HOUR_MS });
  await warm(stage, CACHED);
  await warm(stage, CACHED, shortLived);
  await stage.proxy.refuse();
  const since = performance.now();
  await awaitStale(stage, shortLived);
  stage.moveClock(HOUR_MS);
  expect((await stage.ask(CACHED, shortLived)).status).toBe(401);
  expect(statusOf(await stage.ask(CACHED))).toEqual([200, STALE]);
  expect(await readReadiness(stage)).toEqual([200, DEGRADED]);
  await expect.poll(async () => (await stage.ask(CACHED)).status).toBe(503);
  expect(performance.now() - since).toBeGreaterThan(4500);
  await expect.poll(() => readReadiness(stage)).toEqual([503, NOT_READY]);
});

test.each([{ GALLEY_STALE_SECONDS: '0' }, { GALLEY_CACHE_MB: '0' }])(
  'with %o, a node that has nothing to serve during an outage reports that it is not ready',
  async (environment) => {
    const stage = await openStage(environment);
    expect(await readReadiness(stage)).toEqual([200, READY]);
    await stage.proxy.refuse();
    await expect.poll(() => readReadiness(stage)).toEqual([503, NOT_READY]);
  },
);

test('no client sees an older state than a client with a different key has already seen', async () => {
  const stage = await openStage();
  const other = await stage.createKey();
  const [changed, untouched] = [`${LIST_PATH}/c_a`, `${LIST_PATH}/c_b`];
  for (const target of [changed, untouched]) await warm(stage, target, other);
  await stage.service.importRecords([...RECORDS.slice(0, 2), content({ id: 'c_a', name: 'new' })]);
  const fresh = await warm(stage, changed);
  expect(fresh.text).toContain('"name":"new"');
  await stage.proxy.refuse();
  await awaitStale(stage);
  const stale = await stage.ask(changed, other);
  expect([...statusOf(stale), stale.text]).toEqual([200, STALE, fresh.text]);
  expect((await stage.ask(untouched, other)).status).toBe(503);
});

test('a node serves from its cache during an outage, even if drafts were saved before it', async () => {
  const stage = await openStage();
  const targets = [...IDS.map((id) => `${LIST_PATH}/${id}`), `${LIST_PATH}?limit=2`];
  for (const target of targets) await warm(stage, target);
  const manager = await createManagementToken(createDesk(stage.service.storage), COMMAND_ACTOR, {
    name: 'm',
    role: 'owner',
    expiresAt: null,
  });
  const save = `${stage.service.url}/manage/v1/sites/${PRESS}/content/c_a`;
  for (let version = 1; version <= 5; version += 1) {
    const headers = { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ version, name: `Draft ${version}` });
    expect((await fetch(save, { method: 'PUT', headers, body })).status).toBe(200);
    // This ensures that the node has seen the current state of the site.
    expect(statusOf(await stage.ask(CACHED))).toEqual([200, HIT]);
  }
  await stage.proxy.refuse();
  await awaitStale(stage);
  for (const target of targets) expect(statusOf(await stage.ask(target))).toEqual([200, STALE]);
});

test('a burst of uncached requests is rejected in time and leaves no open connections', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  stage.proxy.silence();
  const crowd = await Promise.all(Array.from({ length: 700 }, (_, no) => stage.ask(`${LIST_PATH}/c_${no}`)));
  expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([503]));
  // The clients run in the same process and need a while to send their requests.
  expect(Math.max(...crowd.map(({ tookMs }) => tookMs))).toBeLessThan(4000 * (await slowness.read()));
  expect(stage.proxy.connections).toBeLessThan(30);
  await stage.proxy.restore();
  await expect.poll(async () => (await stage.ask(`${LIST_PATH}/c_b`)).status).toBe(200);
  expect(await countConnections(stage.url)).toBeLessThan(14);
});

test('the metrics report the outage', async () => {
  const stage = await openStage();
  const readMetric = async (name: string): Promise<number> => {
    const { text } = await stage.ask('/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  };
  await expect.poll(() => readMetric('galley_database_listener_up')).toBe(1);
  await expect.poll(() => readMetric('galley_database_stamp_age_seconds')).toBeLessThan(1);
  expect(await readMetric('galley_database_failed_polls_total')).toBe(0);
  expect(await readMetric('galley_database_connections{pool="readers",state="total"}')).toBeGreaterThan(0);
  expect(await readMetric('galley_database_connections{pool="writer",state="idle"}')).toBe(1);
  await stage.proxy.refuse();
  await expect.poll(() => readMetric('galley_database_stamp_age_seconds')).toBeGreaterThan(1);
  expect(await readMetric('galley_database_listener_up')).toBe(0);
  expect(await readMetric('galley_database_failed_polls_total')).toBeGreaterThan(0);
});
