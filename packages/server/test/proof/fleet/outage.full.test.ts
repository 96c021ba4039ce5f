// Tests what readers and writers experience while the database cannot be reached, and after it returns. outage.proof.test.ts measures how
// long they wait.

import { expect, test } from 'vitest';
import { StorageUnavailable } from '../../../src/storage/engine.ts';
import { LIST_PATH } from '../../conformance/reader.ts';
import { content, PRESS } from '../../conformance/records.ts';
import {
  CACHED,
  HIT,
  IDS,
  MOST_HELD,
  OUTAGES,
  openStage,
  RECORDS,
  STALE,
  type Stage,
  statusOf,
  UNCACHED,
  warm,
} from './stage.ts';

const HOUR_MS = 3_600_000;
const READY = { status: 'ok', checks: { database: 'ok' } };
const DEGRADED = { status: 'degraded', checks: { database: 'failed' } };
const NOT_READY = { status: 'unavailable', checks: { database: 'failed' } };

async function awaitStale({ ask }: Stage, token?: string): Promise<void> {
  await expect.poll(async () => statusOf(await ask(CACHED, token))).toEqual([200, STALE]);
}

async function readReadiness({ ask }: Stage): Promise<readonly [number, unknown]> {
  const { status, body } = await ask('/readyz');
  return [status, body];
}

test.each(OUTAGES)('while the database server %s, a node serves only cached responses', async (_name, fail) => {
  const stage = await openStage();
  const { service, proxy, ask } = stage;
  const managementToken = await stage.createManagementToken();
  const known = await warm(stage, CACHED);
  await fail(proxy);

  const seen = new Set<string>();
  // The node needs a short time to detect the outage.
  for (let staleRounds = 0; staleRounds < 3; staleRounds += seen.has(STALE) ? 1 : 0) {
    const [cached, uncached, preview, managed] = await Promise.all([
      ask(CACHED),
      ask(UNCACHED),
      ask(CACHED, undefined, { 'x-service-preview': 'true' }),
      ask('/manage/v1/sites', managementToken),
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
    expect(proxy.connections).toBeLessThan(20);
  }
  expect([HIT, STALE]).toEqual(expect.arrayContaining([...seen]));
  await expect(service.unpublish(PRESS, 'c_c')).rejects.toBeInstanceOf(StorageUnavailable);
  await expect.poll(() => readReadiness(stage)).toEqual([200, DEGRADED]);

  await proxy.restore();
  await expect.poll(async () => (await ask(UNCACHED)).status).toBe(200);
  await expect.poll(async () => statusOf(await ask(CACHED))).toEqual([200, HIT]);
  await expect.poll(async () => (await ask('/manage/v1/sites', managementToken)).status).toBe(200);
  await expect.poll(() => readReadiness(stage)).toEqual([200, READY]);
  await service.unpublish(PRESS, 'c_c');
  expect((await ask(`${LIST_PATH}/c_c`)).status).toBe(404);
  await expect.poll(() => service.storage.figures()?.isListening).toBe(true);
  await expect.poll(() => stage.countConnections()).toBeLessThanOrEqual(MOST_HELD);
});

test('connections that are cut repeatedly do not affect readers of cached responses', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  for (let count = 0; count < 40; count += 1) {
    if (count % 4 === 0) stage.proxy.cut();
    expect((await stage.ask(CACHED)).status).toBe(200);
  }
  await expect.poll(async () => statusOf(await stage.ask(CACHED))).toEqual([200, HIT]);
});

test('stale responses are no longer served once their key has expired', async () => {
  const stage = await openStage();
  const shortLived = await stage.createKey({ expires: Date.now() + HOUR_MS });
  await warm(stage, CACHED);
  await warm(stage, CACHED, shortLived);
  await stage.proxy.refuse();
  await awaitStale(stage, shortLived);
  stage.moveClock(HOUR_MS);
  expect((await stage.ask(CACHED, shortLived)).status).toBe(401);
  expect(statusOf(await stage.ask(CACHED))).toEqual([200, STALE]);
  expect(await readReadiness(stage)).toEqual([200, DEGRADED]);
});

test('stale responses are no longer served once they are too old', async () => {
  const stage = await openStage({ GALLEY_STALE_SECONDS: '1' });
  await warm(stage, CACHED);
  await stage.proxy.refuse();
  await expect.poll(async () => (await stage.ask(CACHED)).status).toBe(503);
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
  for (const target of [CACHED, UNCACHED]) await warm(stage, target, other);
  await stage.service.importRecords([...RECORDS.slice(0, 2), content({ id: 'c_a', name: 'new' })]);
  const fresh = await warm(stage, CACHED);
  expect(fresh.text).toContain('"name":"new"');
  await stage.proxy.refuse();
  await awaitStale(stage);
  const stale = await stage.ask(CACHED, other);
  expect([...statusOf(stale), stale.text]).toEqual([200, STALE, fresh.text]);
  expect((await stage.ask(UNCACHED, other)).status).toBe(503);
});

test('a node serves from its cache during an outage, even if drafts were saved before it', async () => {
  const stage = await openStage();
  const targets = [...IDS.map((id) => `${LIST_PATH}/${id}`), `${LIST_PATH}?limit=2`];
  for (const target of targets) await warm(stage, target);
  const managementToken = await stage.createManagementToken();
  const save = `${stage.service.url}/manage/v1/sites/${PRESS}/content/c_a`;
  for (let version = 1; version <= 5; version += 1) {
    const headers = { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ version, name: `Draft ${version}` });
    expect((await fetch(save, { method: 'PUT', headers, body })).status).toBe(200);
    // This ensures that the node has seen the current state of the site.
    expect(statusOf(await stage.ask(CACHED))).toEqual([200, HIT]);
  }
  await stage.proxy.refuse();
  await awaitStale(stage);
  for (const target of targets) expect(statusOf(await stage.ask(target))).toEqual([200, STALE]);
});

test('a burst of uncached requests is rejected and leaves no open connections', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  stage.proxy.silence();
  const crowd = await Promise.all(Array.from({ length: 300 }, (_, no) => stage.ask(`${LIST_PATH}/c_${no}`)));
  expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([503]));
  expect(stage.proxy.connections).toBeLessThan(30);
  await stage.proxy.restore();
  await expect.poll(async () => (await stage.ask(UNCACHED)).status).toBe(200);
  await expect.poll(() => stage.countConnections()).toBeLessThanOrEqual(MOST_HELD);
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
  expect(await readMetric('galley_database_connections{pool="readers",state="total"}')).toBeGreaterThan(0);
  expect(await readMetric('galley_database_connections{pool="writer",state="idle"}')).toBe(1);
  const failedBefore = await readMetric('galley_database_failed_polls_total');
  await stage.proxy.refuse();
  await expect.poll(() => readMetric('galley_database_stamp_age_seconds')).toBeGreaterThan(1);
  expect(await readMetric('galley_database_listener_up')).toBe(0);
  expect(await readMetric('galley_database_failed_polls_total')).toBeGreaterThan(failedBefore);
});
