// Streams on two nodes that share a database. Content that is published on one node must reach the streams on both.

import type { ManagedContentBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { ManyStreams } from '../../../../../scripts/testing/many-streams.ts';
import { ChangeReader } from '../../changes/change-reader.ts';
import { EventReader } from '../../changes/event-reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type Manager, startManager } from '../../management/manager.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const STREAMS = proofSize(100, 1000);
const PUBLISHES = proofSize(5, 30);
const MOST_MS = 1000;
/** Keys are checked once a second. */
const MOST_END_MS = 2000;

async function startNodes() {
  const database = await createTestDatabase();
  const shared = async () => ({ ...database, remove: async () => {} });
  const nodes = [
    await startManager({}, { createDatabase: shared }),
    await startManager({}, { createDatabase: shared }),
  ];
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.close();
      await database.remove();
    },
  };
}

async function publish(node: Manager, name: string): Promise<void> {
  const path = `/sites/${PRESS}/content/c_one`;
  const { version } = await node.expectOk<ManagedContentBody>('GET', path);
  await node.expectOk('PUT', path, { version, name });
  await node.expectOk('POST', `${path}/publish`, {});
}

test(`a published change reaches ${STREAMS} streams on each of two nodes within a second, and revoking the key ends a stream on either node within two seconds`, async () => {
  await using fleet = await startNodes();
  const [first, second] = fleet.nodes;
  if (first === undefined || second === undefined) throw new Error('There are not two nodes');
  await first.service.importRecords([site(PRESS), contentType(PRESS, 'note', []), content({ id: 'c_one' })]);
  const key = await first.service.createKey({ sites: [PRESS] });
  const since = await new ChangeReader(first.service.url, key.token, PRESS).sync();
  const query = `?since=${since}&include=content`;
  const open = ({ service: { url } }: Manager) =>
    ManyStreams.open({ url, token: key.token, site: PRESS, count: STREAMS, query });
  using here = await open(first);
  using there = await open(second);
  const delays: number[] = [];
  for (let count = 0; count < PUBLISHES; count += 1) {
    const name = `Publish ${count}.`;
    const arriving = Promise.all([here.arrival(name), there.arrival(name)]);
    await publish(count % 2 === 0 ? first : second, name);
    const publishedAt = performance.now();
    await arriving;
    delays.push(performance.now() - publishedAt);
  }
  expect(Math.max(...delays)).toBeLessThan(MOST_MS);

  using stream = await EventReader.open({ url: second.service.url, token: key.token, site: PRESS });
  await stream.page();
  for (const streams of [here, there]) streams[Symbol.dispose]();
  await first.expectOk('POST', `/keys/${key.id}/revoke`, {});
  const revokedAt = performance.now();
  expect(await stream.next()).toBeUndefined();
  const endMs = Math.round(performance.now() - revokedAt);
  reportProof(
    `2 × ${STREAMS} streams: reached within ${delays.map(Math.round).join(', ')} ms, ended after ${endMs} ms`,
  );
  expect(endMs).toBeLessThan(MOST_END_MS);
});
