import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildLimitHeaders, refuseExceeded } from '../http/limiter.ts';
import type { AccountTraffic } from '../http/traffic.ts';
import { MAIN_ACCOUNT_NO } from '../storage/accounts/accounts.ts';
import { StorageUnavailable } from '../storage/engine.ts';
import { insertKey, selectKey } from '../storage/keys/api-keys.ts';
import { openSqlite } from '../storage/sqlite/open-sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import { KeyUsage, RateLimit, TrafficWatch } from './caller.ts';

const log = pino({ level: 'silent' });
const RIGHTS = { name: 'Key', siteNos: null, mayPreview: false, expiresAt: null, rateLimit: null };
let folder: string;
let storage: Storage;
let writes = 0;
let isReachable = true;
let refusals = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-usage-'));
  storage = await openSqlite(join(folder, 'galley.db'), 1);
  for (const id of ['k_a', 'k_b']) {
    const key = { id, accountNo: MAIN_ACCOUNT_NO, tokenHash: id, prefix: id, createdAt: 1, ...RIGHTS };
    await storage.transaction((transaction) => transaction.run(insertKey(key)));
  }
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const counted: Pick<Storage, 'writeUnseen'> = {
  writeUnseen(procedure) {
    if (!isReachable) {
      refusals += 1;
      return Promise.reject(new StorageUnavailable('away'));
    }
    writes += 1;
    return storage.writeUnseen(procedure);
  },
};

async function lastUse(id: string): Promise<number | null | undefined> {
  return (await storage.read(selectKey(MAIN_ACCOUNT_NO, id)))?.lastUsedAt;
}

test('the last uses of all keys are written in one batch on shutdown', async () => {
  writes = 0;
  const usage = new KeyUsage(counted, log);
  for (let time = 100; time < 1100; time++) usage.note('k_a', time);
  usage.note('k_b', 500);
  expect([await lastUse('k_a'), writes]).toEqual([null, 0]);
  await usage.close();
  expect([await lastUse('k_a'), await lastUse('k_b'), writes]).toEqual([1099, 500, 1]);
});

test('the time of an earlier use does not overwrite a later time that another process wrote', async () => {
  const usage = new KeyUsage(counted, log);
  usage.note('k_a', 700);
  await usage.close();
  expect(await lastUse('k_a')).toBe(1099);
});

test('at each interval, key uses are written if there are any', async () => {
  writes = 0;
  const usage = new KeyUsage(counted, log, 1);
  usage.note('k_a', 2000);
  await expect.poll(() => lastUse('k_a')).toBe(2000);
  await usage.close();
  expect(writes).toBe(1);
});

test('key uses that could not be written are kept until the next attempt', async () => {
  isReachable = false;
  const usage = new KeyUsage(counted, log, 1);
  usage.note('k_a', 3000);
  usage.note('k_b', 3000);
  await expect.poll(() => refusals).toBeGreaterThan(0);
  usage.note('k_b', 3001);
  isReachable = true;
  await expect.poll(async () => [await lastUse('k_a'), await lastUse('k_b')]).toEqual([3000, 3001]);
  await usage.close();
});

describe('the rate limit', () => {
  test('allows requests up to the key’s limit, and rejects the next request with rate limit headers', async () => {
    const limit = new RateLimit(0);
    for (const left of [2, 1, 0]) {
      const passed = await limit.spend('k_1', 3);
      expect(passed).toMatchObject({ left, isExceeded: false });
      expect(buildLimitHeaders([passed])).toEqual({
        ratelimit: `"key";r=${left};t=${passed.seconds}`,
        'ratelimit-policy': '"key";q=3;w=60',
      });
    }
    const tally = await limit.spend('k_1', 3);
    expect(tally).toMatchObject({ left: 0, isExceeded: true });
    expect(tally.seconds).toBeGreaterThanOrEqual(1);
    expect(tally.seconds).toBeLessThanOrEqual(60);
    expect(refuseExceeded(tally)).toEqual({
      code: 'too_many_requests',
      status: 429,
      message: 'Too many requests.',
      headers: {
        'retry-after': String(tally.seconds),
        ratelimit: `"key";r=0;t=${tally.seconds}`,
        'ratelimit-policy': '"key";q=3;w=60',
      },
    });
  });

  test('counts each key separately', async () => {
    const limit = new RateLimit(1);
    expect((await limit.spend('k_1', null)).isExceeded).toBe(false);
    expect((await limit.spend('k_2', null)).isExceeded).toBe(false);
    expect((await limit.spend('k_1', null)).isExceeded).toBe(true);
  });

  test('is the key’s own limit or, if it has none, the server’s default, which may be unlimited', () => {
    expect(new RateLimit(0).limits(null)).toBe(false);
    expect(new RateLimit(0).limits(5)).toBe(true);
    expect(new RateLimit(7).limits(null)).toBe(true);
    expect(new RateLimit(7).limits(0)).toBe(false);
  });
});

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 8);

let opened: TrafficWatch[] = [];

afterEach(() => {
  for (const watch of opened) watch.close();
  opened = [];
});

function openWatch() {
  const state = { now: START + 5_000 };
  const told: AccountTraffic[] = [];
  const watch = new TrafficWatch(
    () => state.now,
    (seen) => told.push(seen),
  );
  opened.push(watch);
  return { state, told, watch };
}

describe('the traffic watch', () => {
  test('reports nothing if there is nothing new', () => {
    const { told, watch } = openWatch();
    watch.look();
    expect(told).toEqual([]);
  });

  test('reports each response once, in the minute in which it was sent', () => {
    const { state, told, watch } = openWatch();
    for (let count = 0; count < 2; count++) watch.count(1, false);
    watch.look();
    watch.look();
    state.now += MINUTE;
    for (const isHit of [true, false, false]) watch.count(1, isHit);
    watch.look();
    expect(told).toEqual([
      { accountNo: 1, startsAt: START, answers: 2, hits: 0 },
      { accountNo: 1, startsAt: START + MINUTE, answers: 3, hits: 1 },
    ]);
  });

  test('counts each account separately', () => {
    const { told, watch } = openWatch();
    for (const accountNo of [1, 2, 1, 1, 2]) watch.count(accountNo, accountNo === 2);
    watch.look();
    expect(told).toEqual([
      { accountNo: 1, startsAt: START, answers: 3, hits: 0 },
      { accountNo: 2, startsAt: START, answers: 2, hits: 2 },
    ]);
  });
});
