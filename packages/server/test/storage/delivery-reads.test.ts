// The delivery API always returns the current data, even when it reads from memory.

import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHARED_ROOM } from '../../src/content/answer-limit.ts';
import { openStorage } from '../../src/open-storage.ts';
import type { Visit } from '../../src/storage/delivery-reads.ts';
import { revokeKey } from '../../src/storage/keys/api-keys.ts';
import type { AccessRow } from '../../src/storage/keys/select-access.ts';
import { announce } from '../../src/storage/publication/announce.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { VIEWS } from '../../src/storage/views.ts';
import { author, content, contentType, site } from '../conformance/records.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';
import { createKey, importRecords, publish, readVisit, unpublish } from './editor.ts';

const NOTE = contentType('s_one', 'note', [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
]);

const RECORDS = [
  site('s_one'),
  site('s_two'),
  author('u_ada', 'Ada', { site: 's_one' }),
  NOTE,
  content({ id: 'c_1', site: 's_one', author: 'u_ada', fields: { line: { text: 'x' } }, draft: { name: 'newer' } }),
];

describe.each(ENGINES)('delivery API reads on %s', (engine) => {
  let database: TestDatabase;
  let storage: Storage;
  /** Opens the same database, as another process would. */
  let second: Storage;
  let token: string;
  let startedAt: number;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    storage = await openStorage(database.url, Date.now());
    second = await openStorage(database.url, Date.now());
    startedAt = Date.now();
    await importRecords(storage, RECORDS);
    ({ token } = await createKey(storage));
  });

  afterAll(async () => {
    await storage.close();
    await second.close();
    await database.remove();
  });

  async function visit(by: string, siteId = 's_one', from = storage): Promise<Visit> {
    // Like a request, this read starts after all previous changes.
    await setImmediate();
    const found = await readVisit(from, by, siteId);
    if (found === undefined) throw new Error('The key was not found');
    return found;
  }

  async function access(by: string, siteId = 's_one', from = storage): Promise<AccessRow> {
    return (await visit(by, siteId, from)).access;
  }

  async function shownAuthor(from = storage): Promise<string | undefined> {
    const { delivery } = from;
    const { memo } = await visit(token, 's_one', from);
    if (memo === null) throw new Error('The site was not found');
    const reading = { memo, generation: 1, version: 1, view: VIEWS.public, room: SHARED_ROOM, sharedId: null };
    const selection = { kind: 'object', id: 'c_1', languages: null, reading } as const;
    const { related } = await from.read(delivery.select(selection));
    return [...(related?.authors.values() ?? [])][0]?.name;
  }

  test('reflect a revoked key immediately, whichever connection revoked it', async () => {
    await importRecords(storage, RECORDS);
    for (const asking of [storage, second]) {
      const { id, token: revoked } = await createKey(storage);
      expect((await access(revoked, 's_one', asking)).revoked_at).toBe(null);
      await storage.transaction((transaction) => transaction.run(revokeKey(id, 7)));
      expect((await access(revoked, 's_one', asking)).revoked_at).toBe(7);
    }
  });

  test('reflect a renamed author immediately, whichever connection changed the name', async () => {
    await importRecords(storage, RECORDS);
    expect(await shownAuthor()).toBe('Ada');
    for (const [index, writer] of [storage, second].entries()) {
      const name = `Ada ${index}`;
      await importRecords(writer, [author('u_ada', name, { site: 's_one' })]);
      expect(await shownAuthor()).toBe(name);
      expect(await shownAuthor(second)).toBe(name);
    }
  });

  test("return a site's generation, which changes exactly when something visible to the public changes", async () => {
    await importRecords(storage, RECORDS);
    let last = await access(token);
    const other = await access(token, 's_two');
    /** Reports which of these have changed: the generation, the cached catalog, and the catalog from which public ETags are computed. */
    async function moves(change: () => Promise<unknown>): Promise<readonly boolean[]> {
      await change();
      const now = await access(token);
      const numbers = ['generation', 'catalog', 'shown_catalog'] as const;
      for (const name of numbers) expect(now[name]).toBeGreaterThanOrEqual(last[name] ?? 0);
      const moved = numbers.map((name) => now[name] !== last[name]);
      last = now;
      return moved;
    }
    const NOTHING = [false, false, false];
    const CONTENT = [true, false, false];
    const CATALOG = [true, true, true];
    const UNSEEN = [false, true, false];
    expect(await moves(() => importRecords(storage, RECORDS))).toEqual(NOTHING);
    expect(await moves(() => createKey(storage))).toEqual(NOTHING);
    expect(await moves(() => publish(storage, 's_one', 'c_1'))).toEqual(CONTENT);
    expect(await moves(() => unpublish(storage, 's_one', 'c_1'))).toEqual(CONTENT);
    const unseen = author('u_ada', 'Lady', { site: 's_one' });
    expect(await moves(() => importRecords(storage, [unseen]))).toEqual(UNSEEN);
    // Restored content shows the author under the new name, so its old ETag must not be used again.
    expect(await moves(() => publish(storage, 's_one', 'c_1'))).toEqual([true, false, true]);
    const draft = content({ id: 'c_2', site: 's_one', status: 'draft' });
    expect(await moves(() => importRecords(storage, [draft]))).toEqual(NOTHING);
    expect(await moves(() => importRecords(storage, [content({ id: 'c_2', site: 's_one' })]))).toEqual(CONTENT);
    const renamed = author('u_ada', 'Countess', { site: 's_one' });
    expect(await moves(() => importRecords(storage, [renamed]))).toEqual(CATALOG);
    expect(await moves(() => importRecords(storage, [renamed]))).toEqual(NOTHING);
    expect(await moves(() => importRecords(storage, [site('s_one', { name: 'One' })]))).toEqual(UNSEEN);
    expect(await moves(() => importRecords(storage, [site('s_two', { name: 'Two' })]))).toEqual(NOTHING);
    const grown = contentType('s_one', 'note', [
      { handle: 'line', type: 'text' },
      { handle: 'rank', type: 'number' },
      { handle: 'more', type: 'text' },
    ]);
    expect(await moves(() => importRecords(storage, [grown]))).toEqual(CATALOG);
    const broken = [author('u_ada', 'Lost', { site: 's_one' }), content({ id: 'c_3', site: 's_one', author: 'u_no' })];
    const attempt = () => expect(importRecords(storage, broken)).rejects.toThrow(/u_no does not exist/);
    expect(await moves(attempt)).toEqual(NOTHING);
    const elsewhere = await access(token, 's_two');
    expect(elsewhere.catalog).toBeGreaterThan(other.catalog ?? 0);
    expect(elsewhere.generation).toBe(other.generation);
  });

  test('return a generation that no restored copy of the database can have used, because it is at least the current timestamp', async () => {
    await importRecords(storage, RECORDS);
    const first = (await access(token)).generation ?? 0;
    expect(first).toBeGreaterThanOrEqual(startedAt);
    const moveTo = async (now: number): Promise<number | null> => {
      const siteNo = (await access(token)).site_no ?? 0;
      await storage.transaction((transaction) =>
        transaction.run(announce(siteNo, [{ kind: 'published content', entries: [] }], now)),
      );
      return (await access(token)).generation;
    };
    expect(await moveTo(first + 60_000)).toBe(first + 60_000);
    expect(await moveTo(first)).toBe(first + 60_001);
  });
});
