// Measures how long readers and writers wait while the database cannot be reached, and how soon everything works again.

import { expect, test } from 'vitest';
import { StorageUnavailable } from '../../../src/storage/engine.ts';
import { LIST_PATH, type Reply } from '../../conformance/reader.ts';
import { PRESS } from '../../conformance/records.ts';
import { reportProof } from '../../oracle/proof.ts';
import { CACHED, HIT, OUTAGES, openStage, STALE, statusOf, UNCACHED, warm } from './stage.ts';

const OUTAGE_MS = 3800;

async function time<Value>(work: () => Promise<Value>): Promise<readonly [value: Value, ms: number]> {
  const since = performance.now();
  return [await work(), performance.now() - since];
}

test.each(OUTAGES)(
  'while the database server %s, nobody waits two seconds, and it is used again within five',
  async (name, fail) => {
    const stage = await openStage();
    const { ask, proxy, service } = stage;
    const managementToken = await stage.createManagementToken();
    await warm(stage, CACHED);
    await fail(proxy);
    const times: number[] = [];
    const since = performance.now();
    while (performance.now() < since + OUTAGE_MS) {
      const kinds: readonly (() => Promise<Reply>)[] = [
        () => ask(CACHED),
        () => ask(UNCACHED),
        () => ask(CACHED, undefined, { 'x-service-preview': 'true' }),
        () => ask('/manage/v1/sites', managementToken),
      ];
      times.push(...(await Promise.all(kinds.map(time))).map(([, ms]) => ms));
    }
    const [, writeMs] = await time(() =>
      expect(service.unpublish(PRESS, 'c_c')).rejects.toBeInstanceOf(StorageUnavailable),
    );

    await proxy.restore();
    const [, recoveryMs] = await time(async () => {
      for (const target of [UNCACHED, '/manage/v1/sites']) {
        const token = target === UNCACHED ? undefined : managementToken;
        await expect.poll(async () => (await ask(target, token)).status).toBe(200);
      }
      await expect.poll(async () => statusOf(await ask(CACHED))).toEqual([200, HIT]);
      await expect.poll(async () => (await ask('/readyz')).body).toMatchObject({ status: 'ok' });
      await service.unpublish(PRESS, 'c_c');
      await expect.poll(() => service.storage.figures()?.isListening).toBe(true);
    });
    const slowestMs = Math.max(...times, writeMs);
    reportProof(
      `a server that ${name}: ${times.length} requests, the slowest took ${slowestMs.toFixed()} ms; recovered in ` +
        `${recoveryMs.toFixed()} ms`,
    );
    expect(slowestMs).toBeLessThan(2000);
    expect(recoveryMs).toBeLessThan(5000);
  },
);

test('readers of cached responses do not wait when connections are cut repeatedly', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  const times: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    if (count % 4 === 0) stage.proxy.cut();
    times.push((await time(() => stage.ask(CACHED)))[1]);
  }
  reportProof(`10 cuts: 40 cached reads, the slowest took ${Math.max(...times).toFixed()} ms`);
  expect(Math.max(...times)).toBeLessThan(500);
});

test('stale responses are served for as long as the setting says', async () => {
  const stage = await openStage({ GALLEY_STALE_SECONDS: '5' });
  await warm(stage, CACHED);
  await stage.proxy.refuse();
  const [, ms] = await time(async () => {
    await expect.poll(async () => statusOf(await stage.ask(CACHED))).toEqual([200, STALE]);
    await expect.poll(async () => (await stage.ask(CACHED)).status).toBe(503);
  });
  reportProof(`stale responses were served for ${ms.toFixed()} ms of 5000`);
  expect(ms).toBeGreaterThan(4500);
});

test('a burst of uncached requests is rejected in time', async () => {
  const stage = await openStage();
  await warm(stage, CACHED);
  stage.proxy.silence();
  const crowd = await Promise.all(
    Array.from({ length: 700 }, (_, no) => time(() => stage.ask(`${LIST_PATH}/c_${no}`))),
  );
  expect(new Set(crowd.map(([{ status }]) => status))).toEqual(new Set([503]));
  const slowestMs = Math.max(...crowd.map(([, ms]) => ms));
  reportProof(`a burst of ${crowd.length} uncached requests: all rejected within ${slowestMs.toFixed()} ms`);
  // The clients run in the same process and need a while to send their requests.
  expect(slowestMs).toBeLessThan(4000);
});
