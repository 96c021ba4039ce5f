// Several nodes write to one database at the same time. Meanwhile, a reader follows the feed and keeps switching nodes. It misses no
// change, and gets all changes in the same order as every other reader.

import type { ContentChangeBody } from '@galley/wire';
import { describe, expect, test } from 'vitest';
import { ChangeReader } from '../../changes/change-reader.ts';
import { Mirror } from '../../changes/mirror.ts';
import { type Manager, startManager } from '../../management/manager.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { createTestDatabase, ENGINES, type Engine } from '../../support/test-database.ts';

const SITE = 's_fleet';
const NODES = 3;
const WRITERS = 4;
const CHANGES_EACH = proofSize(15, 1000);
/** On a busy machine, a write may wait too long for its turn. A proof allows none to do so. */
const WAITED_TOO_LONG = proofSize(503, undefined);
const CONTENT_IDS = Array.from({ length: 12 }, (_, index) => `c_${index}`);

const RECORDS: readonly object[] = [
  { kind: 'site', id: SITE, name: 'Fleet', default_language: 'en', languages: ['en'] },
  { kind: 'content_type', site: SITE, id: 't_post', handle: 'post', name: 'Post', fields: [] },
  ...CONTENT_IDS.map((id) => ({
    kind: 'content',
    site: SITE,
    id,
    content_type: 'post',
    language: 'en',
    status: 'published',
    slug: id,
    name: id,
    published_at: '2026-01-01T12:00:00+00:00',
  })),
];

/** Starts nodes that share one database. */
async function startNodes(
  engine: Engine,
): Promise<{ readonly nodes: readonly Manager[]; readonly close: () => Promise<void> }> {
  const database = await createTestDatabase(engine);
  const shared = async () => ({ ...database, remove: async () => {} });
  const nodes: Manager[] = [];
  for (let index = 0; index < NODES; index += 1) nodes.push(await startManager({}, { createDatabase: shared }));
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.close();
      await database.remove();
    },
  };
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

async function write(node: Manager, mark: string): Promise<void> {
  for (let count = 0; count < CHANGES_EACH; count += 1) {
    const path = `/sites/${SITE}/content/${pick(CONTENT_IDS)}`;
    const { body } = await node.call('GET', path);
    // Other writers may change the content first; in that case, the call is rejected.
    await node.call('PUT', path, { body: { version: Object(body).version, name: `${mark} ${count}` } });
    const [action, given] = pick([
      ['publish', {}],
      ['publish', {}],
      ['unpublish', { confirm: true }],
    ] as const);
    const { status } = await node.call('POST', `${path}/${action}`, { body: given });
    if (status !== WAITED_TOO_LONG) expect(status).toBeLessThan(500);
  }
}

describe.each(ENGINES)('on %s', (engine) => {
  test(`${WRITERS} writers on ${NODES} nodes: a reader misses no changes, and sees them in order`, async () => {
    const { nodes, close } = await startNodes(engine);
    try {
      const [first = pick(nodes)] = nodes;
      await first.service.importRecords(RECORDS);
      const { token } = await first.service.createKey({ sites: [SITE] });
      const readers = nodes.map(({ service }) => new ChangeReader(service.url, token, SITE));
      const start = await pick(readers).sync();
      const seen: ContentChangeBody[] = [];
      let since = start;
      let isWriting = true;

      async function follow(): Promise<void> {
        for (;;) {
          const wasWriting = isWriting;
          const page = await pick(readers).page({ since, limit: pick([1, 3, 100]), wait: 1 });
          seen.push(...page.changes);
          since = page.next;
          if (!wasWriting && !page.has_more) return;
        }
      }

      const following = follow();
      await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(pick(nodes), `Writer ${index}`)));
      isWriting = false;
      await following;
      expect(seen.length).toBeGreaterThan(CHANGES_EACH);
      expect(seen).toEqual(await pick(readers).since(start));

      const mirror = new Mirror(pick(readers));
      while (await mirror.pull(5));
      for (const id of CONTENT_IDS) expect(mirror.objects.get(id)).toBe(await pick(readers).object(id));
      reportProof(`${seen.length} changes by ${WRITERS} writers on ${NODES} nodes, each seen once and in order`);
    } finally {
      await close();
    }
  });
});
