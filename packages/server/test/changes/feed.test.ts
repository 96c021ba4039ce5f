// The change feed over HTTP.

import type { ChangeListBody } from '@galley/wire';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { runSql } from '../support/run-sql.ts';
import { startService } from '../support/service.ts';
import { createTestDatabase, ENGINES, type Engine, type TestDatabase } from '../support/test-database.ts';
import type { ChangeReader, FeedParameters } from './change-reader.ts';
import { FeedSite, summarize } from './feed-site.ts';

let database: TestDatabase;
let manager: Manager;
let site: FeedSite;
let reader: ChangeReader;
let day = 0;
const now = (): number => Date.now() + day * DAY_MS;
const shareDatabase = async () => ({ ...database, remove: async () => {} });
const logged: { readonly content?: string }[] = [];

/** Starts a service for a group of tests, and creates a site for each of them. */
function useService(engine: Engine): void {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const log = pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) });
    manager = await startManager({}, { createDatabase: shareDatabase, now, log });
  });
  afterAll(async () => {
    await manager.close();
    await database.remove();
  });
  beforeEach(async () => {
    site = await FeedSite.open(manager);
    reader = site.reader;
  });
}

describe.each(ENGINES)('the change feed on %s', (engine) => {
  useService(engine);

  test('starts with a full sync that lists every published object once, and then tells the reader to drop all others', async () => {
    const named: string[] = [];
    let page = await reader.page({ limit: 2 });
    for (;;) {
      named.push(...summarize(page.changes));
      if (page.drop_others) break;
      expect(page.has_more).toBe(true);
      page = await reader.page({ limit: 2, since: page.next });
    }
    expect(named).toEqual(['c_de', 'c_a', 'c_b', 'c_c', 'c_note'].map((id) => `present ${id}`));
    expect(page.has_more).toBe(false);
    expect(await reader.since(page.next)).toEqual([]);
  });

  test('lists every object in a full sync, even if the order of languages changes in the meantime', async () => {
    const [record] = site.records;
    const order = (languages: readonly string[]) =>
      site.import({ ...record, default_language: languages[0], languages });
    for (const languages of [
      ['de', 'en'],
      ['en', 'de'],
    ]) {
      await order(languages);
      let page = await reader.page({ limit: 1 });
      const named = page.changes.map(({ id }) => id);
      await order(languages.toReversed());
      while (!page.drop_others) {
        page = await reader.page({ since: page.next });
        named.push(...page.changes.map(({ id }) => id));
      }
      expect(named.toSorted()).toEqual(['c_a', 'c_b', 'c_c', 'c_de', 'c_note']);
    }
  });

  test('returns the changes made during a full sync once the sync has ended', async () => {
    const first = await reader.page({ limit: 1 });
    await site.publish('c_note');
    await site.act('c_a', 'unpublish');
    let page = first;
    while (!page.drop_others) page = await reader.page({ since: page.next, limit: 1 });
    expect(page.has_more).toBe(true);
    expect(summarize(await reader.since(page.next))).toEqual([
      'updated c_note',
      'unpublished c_a',
      'updated c_b',
      'updated c_c',
    ]);
  });

  test('reports every kind of change, with the type, the language and the time', async () => {
    const since = await reader.sync();
    await site.publish('c_draft');
    await site.publish('c_note');
    await site.publish('c_de', { slug: 'neu' });
    await site.act('c_note', 'unpublish');
    await site.deleteForGood('c_note');
    const changes = await reader.since(since);
    expect(changes).toMatchObject([
      { kind: 'published', id: 'c_draft', content_type: 'post', language: 'en', moved: null },
      {
        kind: 'moved',
        id: 'c_de',
        content_type: 'post',
        language: 'de',
        moved: { from: 'posts/c_de', to: 'posts/neu' },
      },
      { kind: 'deleted', id: 'c_note', content_type: 'note', language: 'en', moved: null },
    ]);
    for (const { time } of changes) expect(Math.abs(Date.parse(time) - now())).toBeLessThan(600_000);
  });

  test('lists every object that a change to an author, asset, type or site affects, although the log has only one row for the change', async () => {
    const countRows = defineStatement(() => sql`select count(*) as total from changes`);
    const count = async () =>
      Number((await manager.service.storage.read(query<{ total: number }>(countRows)))[0]?.total);
    const steps: readonly (readonly [string, object, readonly string[]])[] = [
      ['/authors/u_ada', { name: 'Ada Lovelace' }, ['c_a', 'c_b']],
      ['/assets/a_photo', { name: 'Portrait' }, ['c_a', 'c_b']],
      ['/types/post', { name: 'Article' }, ['c_a', 'c_b', 'c_c', 'c_de']],
      ['', { url: 'https://new.example' }, ['c_a', 'c_b', 'c_c', 'c_de', 'c_note']],
    ];
    for (const [path, body, ids] of steps) {
      const since = await reader.sync();
      const before = await count();
      await manager.expectOk('PATCH', `${site.path}${path}`, body);
      expect(await count(), path).toBe(before + 1);
      for (const limit of [1, 2, 100]) {
        const changes = await reader.since(since, { limit });
        expect(new Set(changes.map(({ kind }) => kind)), path).toEqual(new Set(['updated']));
        expect([...new Set(changes.map(({ id }) => id))].toSorted(), path).toEqual(ids);
      }
    }
  });

  test('removes the id of a deleted asset from the log, and can still be resumed from earlier positions', async () => {
    const id = `a_of_${site.id}`;
    await site.import(
      { kind: 'asset', site: site.id, id, name: 'Photo', url: 'https://files.example/other.jpg' },
      site.post('c_a', { author: 'u_ada', fields: { photos: { assets: [id] } } }),
    );
    const since = await reader.sync();
    await site.rename(`assets/${id}`, 'Portrait');
    const positions = (await reader.since(since)).map(({ position }) => position);
    expect(positions).toHaveLength(2);
    await site.publish('c_a', { fields: {} });
    const { storage } = manager.service;
    expect(await findTablesWith(storage, id)).toContain('changes');
    expect((await manager.call('DELETE', `${site.path}/assets/${id}`)).status).toBe(204);
    expect(await findTablesWith(storage, id)).not.toContain('changes');
    for (const position of [since, ...positions]) {
      expect(summarize(await reader.since(position)), position).toEqual(['updated c_a', 'updated c_b']);
    }
  });

  test('can be resumed after any change, even in the middle of a log row that affects many objects', async () => {
    const since = await reader.sync();
    await site.publish('c_a');
    await site.move('https://new.example');
    const changes = await reader.since(since);
    expect(changes).toHaveLength(6);
    for (const [index, { position }] of changes.entries()) {
      expect(summarize(await reader.since(position)), position).toEqual(
        expect.arrayContaining(summarize(changes.slice(index + 1))),
      );
    }
  });

  test('includes each object exactly as it is returned when fetched by ID', async () => {
    const page = await reader.ask({ include: 'content' });
    for (const id of ['c_a', 'c_b', 'c_c', 'c_note', 'c_de']) {
      const text = await reader.object(id);
      expect(text).toBeDefined();
      expect(page.text).toContain(text);
    }
    const { next: since } = page.body as ChangeListBody;
    await site.publish('c_a');
    await site.act('c_note', 'unpublish');
    const { text, body } = await reader.ask({ since, include: 'content' });
    const { changes, content, too_large } = body as ChangeListBody;
    expect(summarize(changes)).toEqual(['updated c_a', 'updated c_b', 'unpublished c_note']);
    expect(content?.map(({ id }) => id)).toEqual(['c_a', 'c_b']);
    expect(too_large).toEqual([]);
    for (const id of ['c_a', 'c_b']) expect(text).toContain(await reader.object(id));
  });

  test('can be limited to certain content types', async () => {
    const first = await reader.page({ content_type: 'note' });
    expect(summarize(first.changes)).toEqual(['present c_note']);
    expect(first.drop_others).toBe(true);
    await site.publish('c_a');
    await site.publish('c_note');
    const page = await reader.page({ content_type: 'note', since: first.next });
    expect(summarize(page.changes)).toEqual(['updated c_note']);
    await site.publish('c_a');
    const none = await reader.page({ content_type: 'note', since: page.next });
    expect(none).toMatchObject({ changes: [], has_more: false });
    expect(none.next).not.toBe(page.next);
  });

  test('waits for a change, and responds as soon as there is one', async () => {
    const since = await reader.sync();
    const waiting = reader.page({ since, wait: 30 });
    await site.publish('c_note');
    expect(summarize((await waiting).changes)).toEqual(['updated c_note']);
  });

  test('returns 410 for a position that is no longer in the log', async () => {
    const since = await reader.sync();
    await site.publish('c_a');
    const middle = await reader.sync();
    await site.publish('c_note');
    const { storage } = manager.service;
    await sweepChanges({ storage, before: Number.parseInt(middle, 36) + 1 });
    expect(summarize(await reader.since(middle))).toEqual(['updated c_note']);
    expect((await reader.ask({ since })).status).toBe(410);
    const end = await reader.sync();
    await sweepChanges({ storage, before: now() + 60_000 });
    expect(await reader.since(end)).toEqual([]);
    expect((await reader.ask({ since: middle })).status).toBe(410);
    // A position within the last row that was deleted. If it were valid, each page would be empty and point to itself as the next page.
    expect((await reader.ask({ since: `${end}.` })).status).toBe(410);
    await site.publish('c_note');
    expect(summarize(await reader.since(end))).toEqual(['updated c_note']);
  });
});

describe('the change feed', () => {
  useService('sqlite');

  test('contains exactly the documented members, and the position to continue from in `next`', async () => {
    const since = await reader.sync();
    await site.publish('c_c');
    const { body } = await reader.ask({ since, include: 'content' });
    const position: unknown = expect.stringMatching(/^[\w.:-]+$/);
    const change = { position, kind: 'updated', id: 'c_c', content_type: 'post', language: 'en' };
    expect(body).toStrictEqual({
      changes: [{ ...change, time: expect.any(String), moved: null }],
      content: [expect.objectContaining({ id: 'c_c' })],
      too_large: [],
      next: position,
      has_more: false,
      drop_others: false,
    });
  });

  test('shows neither drafts nor changes to them', async () => {
    const since = await reader.sync();
    await site.save('c_draft', { name: 'Never shown' });
    await site.save('c_a', { name: 'Not shown yet' });
    await manager.expectOk('POST', `${site.path}/content`, { id: 'c_new', content_type: 'post', name: 'New' });
    await site.deleteForGood('c_draft');
    expect(await reader.page({ since })).toMatchObject({ changes: [], next: since, has_more: false });
  });

  test('no longer contains the paths of a content object once the object is unpublished', async () => {
    const since = await reader.sync();
    await site.publish('c_note', { slug: 'secret-path' });
    expect((await reader.since(since))[0]).toMatchObject({ kind: 'moved', moved: { to: 'secret-path' } });
    await site.act('c_note', 'unpublish');
    const { text } = await reader.ask({ since });
    expect(JSON.parse(text)).toMatchObject({ changes: [{ kind: 'updated' }, { kind: 'unpublished' }] });
    expect(text).not.toContain('secret-path');
  });

  test('ends a page early if the objects are large, and leaves out an object that is too large on its own', async () => {
    const text = (size: number) => ({ fields: { text: { text: 'x'.repeat(size) } } });
    const medium = Array.from({ length: 4 }, (_, index) => site.post(`c_m${index}`, text(400_000)));
    const since = await reader.sync();
    await site.import(...medium, site.post('c_huge', text(1_200_000)));
    const pages = [await reader.page({ since, include: 'content' })];
    for (let page = pages[0]; page?.has_more; pages.push(page))
      page = await reader.page({ since: page.next, include: 'content' });
    const found = new Set(pages.flatMap(({ content }) => content?.map(({ id }) => id)));
    expect([...found].toSorted()).toEqual(['c_m0', 'c_m1', 'c_m2', 'c_m3']);
    expect(pages.flatMap(({ too_large }) => too_large)).toEqual(['c_huge']);
    expect(pages.length).toBeGreaterThan(2);
  });

  test('leaves out a damaged object, so that readers still receive all other objects and later changes', async () => {
    const damage = `update published_bodies set body = replace(body, 'e', '~') where content_no = (
      select content_no from published_contents where id = 'c_c' and site_no = (select no from sites where id = '${site.id}'))`;
    await runSql(manager.service.storage, damage);
    const pages = [await reader.page({ include: 'content' })];
    for (let page = pages[0]; page?.has_more; pages.push(page))
      page = await reader.page({ since: page.next, include: 'content' });
    expect(pages.flatMap(({ changes }) => summarize(changes))).toHaveLength(5);
    expect(pages.flatMap(({ content }) => content?.map(({ id }) => id))).toEqual(['c_de', 'c_a', 'c_b', 'c_note']);
    expect(pages.flatMap(({ too_large }) => too_large)).toEqual(['c_c']);
    expect(pages.at(-1)?.drop_others).toBe(true);
    expect(logged.map(({ content }) => content)).toEqual(['c_c']);
    await expect(reader.object('c_c')).rejects.toThrow('500');
    await site.act('c_b', 'unpublish');
    const later = await reader.since(pages.at(-1)?.next ?? '', { include: 'content' });
    expect(summarize(later)).toEqual(['unpublished c_b', 'updated c_c']);
  });

  test('reports the deletion of content even if its content type was deleted afterwards, and then rejects the type', async () => {
    const { next: since } = await reader.page({ content_type: 'note' });
    await site.act('c_note', 'unpublish');
    await site.deleteForGood('c_note');
    await site.publish('c_a');
    await manager.expectOk('DELETE', `${site.path}/types/note`);
    const page = await reader.page({ content_type: 'note', since });
    expect(summarize(page.changes)).toEqual(['deleted c_note']);
    const { status, body } = await reader.ask({ content_type: 'note', since: page.next });
    const message = 'The content_type parameter names "note"; no content type of the site has this handle.';
    expect([status, body]).toEqual([422, { message }]);
    const both = { 'content_type[0]': 'note', 'content_type[1]': 'post' };
    expect(summarize(await reader.since(since, both))).toEqual(['deleted c_note', 'updated c_a', 'updated c_b']);
    await site.publish('c_b');
    expect(summarize(await reader.since(page.next, both))).toEqual(['updated c_b', 'updated c_c']);
    expect((await reader.ask(both)).status).toBe(422);
  });

  test('does not show changes to other sites', async () => {
    using other = await FeedSite.open(manager);
    const since = await reader.sync();
    await other.move('https://other.example');
    await other.act('c_a', 'unpublish');
    expect(await reader.page({ since })).toMatchObject({ changes: [], next: since });
    expect((await other.openReader(site.key.token).ask()).status).toBe(403);
  });

  test('lists only later changes when the position is `now`', async () => {
    await site.publish('c_a');
    const page = await reader.page({ since: 'now' });
    expect(page).toMatchObject({ changes: [], has_more: false, drop_others: false });
    expect(page.next).toBe(await reader.sync());
    await site.publish('c_note');
    expect(summarize(await reader.since(page.next))).toEqual(['updated c_note']);
  });

  test('keeps waiting while only drafts or other types change', async () => {
    const since = await reader.sync();
    const waiting = reader.page({ since, wait: 30, content_type: 'note' });
    await site.publish('c_a');
    await site.publish('c_note');
    expect(summarize((await waiting).changes)).toEqual(['updated c_note']);
  });

  test('returns no changes if there were none by the end of the wait', async () => {
    const since = await reader.sync();
    expect(await reader.page({ since, wait: 1 })).toMatchObject({ changes: [], next: since });
  });

  test('ends the wait when the key is revoked or loses access to the site, or when the site is deleted', async () => {
    using other = await FeedSite.open(manager);
    const since = await reader.sync();
    const limited = await manager.service.createKey({ sites: [site.id] });
    const ofLimited = site.openReader(limited.token);
    const ended = [reader.ask({ since, wait: 30 }), ofLimited.ask({ since, wait: 30 })];
    await manager.expectOk('POST', `/keys/${site.key.id}/revoke`, {});
    await manager.expectOk('PATCH', `/keys/${limited.id}`, { sites: [other.id] });
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual([401, 403]);
    await manager.expectOk('PATCH', `/keys/${limited.id}`, { sites: [site.id, other.id] });
    const deleted = ofLimited.ask({ since, wait: 30 });
    await site.delete();
    expect((await deleted).status).toBe(400);
  });

  test('returns 410 for a position that was never in the log', async () => {
    const row = Number.parseInt(await reader.sync(), 36);
    for (const other of [1, row + 1, row + 1_000_000]) {
      expect((await reader.ask({ since: other.toString(36) })).status).toBe(410);
    }
  });

  test('makes readers start over if the site is deleted and created again', async () => {
    const since = await reader.sync();
    await site.publish('c_note');
    const last = await reader.sync();
    await site.delete();
    await site.import(...site.records);
    const next = site.openReader((await manager.service.createKey({ sites: [site.id] })).token);
    for (const position of [since, last]) expect((await next.ask({ since: position })).status).toBe(410);
    expect((await next.page()).changes).toHaveLength(5);
  });

  test('drops only changes that are older than GALLEY_CHANGES_DAYS allows', async () => {
    const start = await reader.sync();
    await site.act('c_de', 'unpublish');
    const middle = await reader.sync();
    day += 2;
    await site.act('c_note', 'unpublish');
    day += 2;
    const parts = { createDatabase: shareDatabase, now, sweepChangesAfterMs: 0 };
    const sweeping = await startService({ GALLEY_CHANGES_DAYS: '3' }, parts);
    await expect.poll(async () => (await reader.ask({ since: start })).status).toBe(410);
    expect(summarize(await reader.since(middle))).toEqual(['unpublished c_note']);
    await sweeping.close();
  });

  test.each<[FeedParameters, string]>([
    [{ content_type: 'nots' }, '"nots"; no content type of the site has this handle.'],
    [{ content_type: 'nots', since: 'now' }, '"nots"; no content type of the site has this handle.'],
    [{ 'content_type[0]': 'note', 'content_type[1]': 'nots' }, '"nots"; no content type of the site has this handle.'],
    [{ content_type: 'x'.repeat(5000) }, `"${'x'.repeat(60)}…"; no content type of the site has this handle.`],
    [{ content_type: '__proto__' }, '"__proto__"; no content type of the site has this handle.'],
    [{ content_type: 'quote' }, '"quote", which is a block type; blocks are part of other content.'],
  ])(
    'rejects a content type that has no content, because a full sync would empty the copy (%#)',
    async (asked, fault) => {
      const quote = { kind: 'content_type', site: site.id, id: 't_quote', handle: 'quote', name: 'Quote', fields: [] };
      await site.import({ ...quote, object_type: 'block' });
      const { status, body } = await reader.ask(asked);
      expect([status, body]).toEqual([422, { message: `The content_type parameter names ${fault}` }]);
    },
  );

  test.each<[FeedParameters, string]>([
    [{ since: 'elsewhere!' }, 'since'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ wait: 31 }, 'wait'],
    [{ include: 'everything' }, 'include'],
    [{ content_type: '' }, 'content_type'],
    [{ since: ['now', 'now'] }, 'since'],
    [{ limit: [1, 1] }, 'limit'],
    [{ include: ['content', 'content'] }, 'include'],
    [{ wait: [1, 1] }, 'wait'],
  ])('rejects the parameters %j with 422', async (parameters, name) => {
    const { status, text } = await reader.ask(parameters);
    expect([status, text]).toEqual([422, expect.stringContaining(`The ${name} parameter`)]);
  });

  test("checks the key and the site as the delivery API does, and counts requests against the key's rate limit", async () => {
    expect((await reader.ask({}, { authorization: '' })).status).toBe(401);
    expect((await reader.ask({}, { 'x-service-site': '' })).status).toBe(403);
    expect((await reader.ask({}, { 'x-service-site': 's_none' })).status).toBe(400);
    const { token } = await manager.service.createKey({ sites: [site.id], rateLimit: 1 });
    const limited = site.openReader(token);
    expect((await limited.ask()).headers.get('ratelimit')).toContain('"key";r=0');
    expect((await limited.ask()).status).toBe(429);
  });
});
