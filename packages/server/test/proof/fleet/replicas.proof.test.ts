// Measures how long readers wait because of replicas.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportProof } from '../../oracle/proof.ts';
import { findUsed, type ReplicaSet, startReplicaSet, TARGET } from './replica-set.ts';

/** How long a failing replica or a silent set of servers is watched. */
const WATCH_MS = 1500;
const LONGEST_MS = 2000;
const FRESHNESS_MS = 1000;

let set: ReplicaSet;

beforeAll(async () => {
  set = await startReplicaSet();
});

afterAll(() => set[Symbol.asyncDispose]());

test('other nodes show a write within their time limit, even when reading from replicas', async () => {
  const [writer, reader] = [await set.startNode(), await set.startNode()];
  await reader.awaitUse([true, true]);
  const credentials = { authorization: `Bearer ${writer.token}` };
  const delays: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const name = await writer.rename();
    const since = performance.now();
    const show = async () => (await reader.read(TARGET, credentials)).text.includes(`"${name}"`);
    await expect.poll(show, { interval: 10 }).toBe(true);
    delays.push(performance.now() - since);
  }
  reportProof(`10 writes were visible on another node after at most ${Math.max(...delays).toFixed()} ms`);
  expect(Math.max(...delays)).toBeLessThan(FRESHNESS_MS);
});

test.each(['refuse', 'silence'] as const)(
  'a replica with the fault "%s" makes nobody wait two seconds',
  async (fault) => {
    const node = await set.startNode({ GALLEY_CACHE_MB: '0' });
    await node.awaitUse([true, true]);
    await node.replicas[0][fault]();
    const times: number[] = [];
    const until = performance.now() + WATCH_MS;
    while (performance.now() < until || findUsed(node.service)[0]) {
      const since = performance.now();
      expect((await node.read(TARGET)).status).toBe(200);
      times.push(performance.now() - since);
    }
    reportProof(
      `a replica with the fault "${fault}": ${times.length} reads, at most ${Math.max(...times).toFixed()} ms`,
    );
    expect(Math.max(...times)).toBeLessThan(LONGEST_MS);
  },
);

test('when no server responds, uncached requests are rejected within two seconds', async () => {
  const node = await set.startNode();
  await node.awaitUse([true, true]);
  for (const server of [node.primary, ...node.replicas]) server.silence();
  const asked = Array.from({ length: 20 }, async (_, no) => {
    const since = performance.now();
    const { status } = await node.read(`${TARGET}?no=${no}`);
    return { status, ms: performance.now() - since };
  });
  const refusals = await Promise.all(asked);
  const slowestMs = Math.max(...refusals.map(({ ms }) => ms));
  reportProof(`no server responds: ${refusals.length} requests rejected within ${slowestMs.toFixed()} ms`);
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
  expect(slowestMs).toBeLessThan(LONGEST_MS);
});
