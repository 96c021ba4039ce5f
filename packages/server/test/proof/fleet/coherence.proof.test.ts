// Measures how quickly a node detects other nodes' writes without querying the server on each request.

import { expect, test } from 'vitest';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { reportProof } from '../../oracle/proof.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { awaitStamp, cutListeners, FRESHNESS_MS, openWatchedServer, write } from './watched-server.ts';

const CUTS = 100;

test("a node detects another node's write long before its next poll", async () => {
  await using server = await openWatchedServer();
  const { node, other } = server;
  node.startWatching();
  await expect.poll(() => node.figures().isListening).toBe(true);
  const delays: number[] = [];
  for (let count = 0; count < 15; count += 1) delays.push(await awaitStamp(await write(other), node));
  const median = delays.toSorted((left, right) => left - right)[7] ?? 0;
  reportProof(`15 writes were detected by another node after a median of ${median.toFixed()} ms`);
  expect(median).toBeLessThan(100);
});

test(`a node detects another node's write within the time limit, even if its listener is disconnected ${CUTS} times`, async () => {
  await using server = await openWatchedServer();
  const { node, other } = server;
  node.startWatching();
  let cuts = 0;
  const delays: number[] = [];
  while (cuts < CUTS) {
    await expect.poll(() => node.figures().isListening, { interval: 5 }).toBe(true);
    cuts += await cutListeners(server);
    delays.push(await awaitStamp(await write(other), node));
  }
  reportProof(`${cuts} cut listeners: a write was detected after at most ${Math.max(...delays).toFixed()} ms`);
  expect(Math.max(...delays)).toBeLessThan(FRESHNESS_MS);
});

test('a node detects a write within three seconds after its server responds again', async () => {
  await using server = await openWatchedServer();
  await using proxy = await startFaultProxy(server.url);
  const far = new PostgresEngine(proxy.url, { freshnessMs: FRESHNESS_MS });
  far.startWatching();
  await awaitStamp(await write(server.other), far);
  proxy.silence();
  const after = await write(server.other);
  await expect.poll(() => far.figures().failedPolls).toBeGreaterThan(0);
  await proxy.restore();
  const ms = await awaitStamp(after, far);
  reportProof(`a server that responded again: its newest write was detected after ${ms.toFixed()} ms`);
  expect(ms).toBeLessThan(3000);
  await far.close();
});
