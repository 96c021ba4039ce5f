// Tests how, and how quickly, a node detects other nodes' writes without querying the server on each request.

import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SlownessWatch, watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { insertAccount, selectAccount } from '../../../src/storage/accounts/accounts.ts';
import { insertKey, markKeysUsed, selectKey } from '../../../src/storage/keys/api-keys.ts';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import type { Procedure } from '../../../src/storage/statement.ts';
import { proofSize } from '../../oracle/proof.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/test-database.ts';
import { TEMPLATE } from '../../support/test-server.ts';

const FRESHNESS_MS = 1000;
const KEY = {
  id: 'k_used',
  accountNo: 1,
  tokenHash: 'hash',
  prefix: 'prefix',
  createdAt: 0,
  name: 'used',
  siteNos: null,
  mayPreview: false,
  expiresAt: null,
  rateLimit: null,
};
const CUTS = proofSize(20, 100);
const END_LISTENERS = `select count(pg_terminate_backend(pid)) as ended from pg_stat_activity
  where datname = current_database() and query = 'listen galley_moment'`;
const SELECT_BEGUN = `select 1 from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction' and query like 'begin isolation level repeatable%'`;

describe('a node that watches a server', () => {
  let database: PostgresDatabase;
  let node: PostgresEngine;
  let other: PostgresEngine;
  let slowness: SlownessWatch;

  beforeAll(async () => {
    slowness = await watchSlowness();
  });

  afterAll(() => slowness[Symbol.asyncDispose]());

  beforeEach(async () => {
    await slowness.read();
    database = await createPostgresDatabase(TEMPLATE);
    node = new PostgresEngine(database.url.url, { freshnessMs: FRESHNESS_MS });
    other = new PostgresEngine(database.url.url);
  });

  afterEach(async () => {
    await node.close();
    await other.close();
    await database.remove();
  });

  let accounts = 0;
  async function write(on: PostgresEngine): Promise<number> {
    accounts += 1;
    await on.transaction((transaction) => transaction.run(insertAccount(`o_${accounts}`, 'A', 0)));
    if (on.ownStamp === undefined) throw new Error('Nothing was written');
    return on.ownStamp;
  }

  /** The number of milliseconds until the node has seen the stamp. */
  async function awaitStamp(stamp: number, on = node): Promise<number> {
    const since = performance.now();
    await expect.poll(() => on.peekStamp(), { interval: 1 }).toBe(stamp);
    return performance.now() - since;
  }

  test('has no known stamp before it starts watching, or when no staleness is allowed', async () => {
    await write(node);
    other.startWatching();
    await expect.poll(() => other.figures().stampAgeMs).toBeTypeOf('number');
    expect(other.peekStamp()).toBeUndefined();
  });

  test("detects another node's write long before its next poll", async () => {
    node.startWatching();
    await expect.poll(() => node.figures().isListening).toBe(true);
    const delays: number[] = [];
    for (let count = 0; count < 15; count += 1) delays.push(await awaitStamp(await write(other)));
    expect(delays.toSorted((left, right) => left - right)[7]).toBeLessThan(100 * (await slowness.read()));
  });

  test(`detects another node's write within the time limit, even if its listener is disconnected ${CUTS} times`, async () => {
    const client = new Client(database.url.url);
    await client.connect();
    node.startWatching();
    let cuts = 0;
    const delays: number[] = [];
    while (cuts < CUTS) {
      await expect.poll(() => node.figures().isListening, { interval: 5 }).toBe(true);
      const { rows } = await client.query<{ ended: string }>(END_LISTENERS);
      cuts += Number(rows[0]?.ended);
      delays.push(await awaitStamp(await write(other)));
    }
    await client.end();
    expect(Math.max(...delays)).toBeLessThan(FRESHNESS_MS * (await slowness.read()));
    await expect.poll(() => node.figures().isListening).toBe(true);
  });

  test('keeps its stamp when only the last-used times of keys were written', async () => {
    await write(other);
    node.startWatching();
    await expect.poll(() => node.peekStamp()).toBe(other.ownStamp);
    const stamp = node.peekStamp();
    await other.transaction((transaction) => transaction.run(insertKey(KEY)));
    await awaitStamp(other.ownStamp ?? 0);
    expect(node.peekStamp()).not.toBe(stamp);
    const known = node.peekStamp();
    await other.writeUnseen(markKeysUsed(new Map([[KEY.id, 1234]])));
    const seen = await node.read(function* (moment): Procedure<unknown> {
      return [moment, (yield* selectKey(1, KEY.id))?.lastUsedAt];
    });
    expect(seen).toEqual([known, 1234]);
    expect([node.peekStamp(), other.ownStamp]).toEqual([known, known]);
  });

  test('never falls behind its own writes, even if an older response arrives afterwards', async () => {
    await using proxy = await startFaultProxy(database.url.url);
    const client = new Client(database.url.url);
    await client.connect();
    const late = new PostgresEngine(proxy.url, { freshnessMs: 60_000 });
    late.startWatching();
    const read = () => late.read(() => selectAccount(1));
    /**
     * Starts a read and returns once its response has left the server but has not yet arrived. On a slow machine the response may already
     * have arrived; in that case, another read is started.
     */
    const startAnsweredRead = async () => {
      for (;;) {
        let isOver = false;
        const reading = read().finally(() => {
          isOver = true;
        });
        while (!isOver) if ((await client.query(SELECT_BEGUN)).rowCount === 1) return { reading };
      }
    };
    await read();
    await awaitStamp(await write(late), late);
    for (let count = 0; count < 5; count += 1) {
      // The server handled this read before the write, but its response arrives after the write.
      proxy.delay(150);
      const { reading } = await startAnsweredRead();
      proxy.delay(0);
      const stamp = await write(late);
      expect(late.peekStamp()).toBe(stamp);
      await reading;
      expect(late.peekStamp()).toBe(stamp);
    }
    await client.end();
    await late.close();
  });

  test('treats its stamp as unknown once the time limit passes without a response, and recovers on the next response', async () => {
    await using proxy = await startFaultProxy(database.url.url);
    const far = new PostgresEngine(proxy.url, { freshnessMs: FRESHNESS_MS });
    far.startWatching();
    const before = await write(other);
    await awaitStamp(before, far);
    proxy.silence();
    const after = await write(other);
    const peek = () => {
      const isTooOld = (far.figures().stampAgeMs ?? 0) > FRESHNESS_MS;
      const stamp = far.peekStamp();
      return [isTooOld, stamp === undefined];
    };
    const seen: (readonly boolean[])[] = [];
    await expect.poll(() => seen[seen.push(peek()) - 1], { interval: 5 }).toEqual([true, true]);
    // The stamp may become too old between the two checks. If it is too old at the first, it must not count as known.
    expect(seen).not.toContainEqual([true, false]);
    expect(far.figures().stampAgeMs).toBeGreaterThan(FRESHNESS_MS - 1);
    await expect.poll(() => far.figures().failedPolls).toBeGreaterThan(0);
    await proxy.restore();
    expect(await awaitStamp(after, far)).toBeLessThan(3000 * (await slowness.read()));
    await far.close();
  });
});
