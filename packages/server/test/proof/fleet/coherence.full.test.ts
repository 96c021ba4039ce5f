// Tests how a node detects other nodes' writes without querying the server on each request. coherence.proof.test.ts measures how quickly.

import { expect, test } from 'vitest';
import { selectAccount } from '../../../src/storage/accounts/accounts.ts';
import { insertKey, markKeysUsed, selectKey } from '../../../src/storage/keys/api-keys.ts';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import type { Procedure } from '../../../src/storage/statement.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { awaitStamp, cutListeners, FRESHNESS_MS, openWatchedServer, write } from './watched-server.ts';

/** Long enough that a stamp never counts as unknown, however slow the machine is. */
const LONG_FRESHNESS_MS = 3_600_000;
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
const CUTS = 5;
const SELECT_BEGUN = `select 1 from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction' and query like 'begin isolation level repeatable%'`;

test('a node has no known stamp before it starts watching, or when no staleness is allowed', async () => {
  await using server = await openWatchedServer();
  const { node, other } = server;
  await write(node);
  other.startWatching();
  await expect.poll(() => other.figures().stampAgeMs).toBeTypeOf('number');
  expect(other.peekStamp()).toBeUndefined();
});

test("a node detects another node's writes, even if its listener is disconnected repeatedly", async () => {
  await using server = await openWatchedServer();
  const { node, other } = server;
  node.startWatching();
  for (let cuts = 0; cuts < CUTS; ) {
    await expect.poll(() => node.figures().isListening, { interval: 5 }).toBe(true);
    cuts += await cutListeners(server);
    await awaitStamp(await write(other), node);
  }
  await expect.poll(() => node.figures().isListening).toBe(true);
});

test('a node keeps its stamp when only the last-used times of keys were written', async () => {
  await using server = await openWatchedServer();
  const { other } = server;
  const node = new PostgresEngine(server.url, { freshnessMs: LONG_FRESHNESS_MS });
  node.startWatching();
  const stamp = await write(other);
  await awaitStamp(stamp, node);
  await other.transaction((transaction) => transaction.run(insertKey(KEY)));
  const known = other.ownStamp ?? 0;
  await awaitStamp(known, node);
  expect(known).not.toBe(stamp);
  await other.writeUnseen(markKeysUsed(new Map([[KEY.id, 1234]])));
  const seen = await node.read(function* (moment): Procedure<unknown> {
    return [moment, (yield* selectKey(1, KEY.id))?.lastUsedAt];
  });
  expect(seen).toEqual([known, 1234]);
  expect([node.peekStamp(), other.ownStamp]).toEqual([known, known]);
  await node.close();
});

test('a node never falls behind its own writes, even if an older response arrives afterwards', async () => {
  await using server = await openWatchedServer();
  await using proxy = await startFaultProxy(server.url);
  const late = new PostgresEngine(proxy.url, { freshnessMs: LONG_FRESHNESS_MS });
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
      while (!isOver) if ((await server.client.query(SELECT_BEGUN)).rowCount === 1) return { reading };
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
  await late.close();
});

test('a node treats its stamp as unknown once the time limit passes without a response, and recovers on the next response', async () => {
  await using server = await openWatchedServer();
  const { other } = server;
  await using proxy = await startFaultProxy(server.url);
  const far = new PostgresEngine(proxy.url, { freshnessMs: FRESHNESS_MS });
  far.startWatching();
  await awaitStamp(await write(other), far);
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
  await awaitStamp(after, far);
  await far.close();
});
