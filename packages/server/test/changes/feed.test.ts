// The change feed over HTTP.

import type { ChangeListBody, ManagedContentBody } from '@galley/wire';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { runSql } from '../support/run-sql.ts';
import { startService } from '../support/service.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';
import { ChangeReader, type FeedParameters } from './change-reader.ts';
import { post, RECORDS, SITE } from './feed-records.ts';

const HERE = `/sites/${SITE}`;

describe.each(ENGINES)('on %s', (engine) => {
  describe('the change feed', () => {
    let manager: Manager;
    let reader: ChangeReader;
    let key: { readonly id: string; readonly token: string };

    beforeEach(async () => {
      manager = await startManager({}, { engine });
      await manager.service.importRecords(RECORDS);
      key = await manager.service.createKey({ sites: [SITE] });
      reader = new ChangeReader(manager.service.url, key.token, SITE);
    });
    afterEach(() => manager.close());

    async function save(id: string, members: object): Promise<ManagedContentBody> {
      const { version } = await manager.expectOk<ManagedContentBody>('GET', `${HERE}/content/${id}`);
      return manager.expectOk('PUT', `${HERE}/content/${id}`, { version, ...members });
    }

    let saves = 0;

    async function publish(id: string, members: object = {}): Promise<void> {
      saves += 1;
      await save(id, { name: `${id} ${saves}`, ...members });
      await manager.expectOk('POST', `${HERE}/content/${id}/publish`, {});
    }

    const act = (id: string, action: string) =>
      manager.expectOk('POST', `${HERE}/content/${id}/${action}`, { confirm: true });
    const summarize = (changes: ChangeListBody['changes']) => changes.map(({ kind, id }) => `${kind} ${id}`);

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

    test('contains exactly the documented members, and the position to continue from in `next`', async () => {
      const since = await reader.sync();
      await publish('c_c');
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

    test('lists every object in a full sync, even if the order of languages changes in the meantime', async () => {
      const order = (languages: readonly string[]) =>
        manager.service.importRecords([{ ...RECORDS[0], default_language: languages[0], languages }]);
      for (const [first, second] of [
        [
          ['de', 'en'],
          ['en', 'de'],
        ],
        [
          ['en', 'de'],
          ['de', 'en'],
        ],
      ] as const) {
        await order(first);
        let page = await reader.page({ limit: 1 });
        const named = page.changes.map(({ id }) => id);
        await order(second);
        while (!page.drop_others) {
          page = await reader.page({ since: page.next });
          named.push(...page.changes.map(({ id }) => id));
        }
        expect(named.toSorted()).toEqual(['c_a', 'c_b', 'c_c', 'c_de', 'c_note']);
      }
    });

    test('returns the changes made during a full sync once the sync has ended', async () => {
      const first = await reader.page({ limit: 1 });
      await publish('c_note');
      await act('c_a', 'unpublish');
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
      await publish('c_draft');
      await publish('c_note');
      await publish('c_de', { slug: 'neu' });
      await act('c_note', 'unpublish');
      await act('c_note', 'archive');
      await manager.expectOk('DELETE', `${HERE}/content/c_note?confirm=c_note`);
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
      for (const { time } of changes) expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(600_000);
    });

    test('shows neither drafts nor changes to them', async () => {
      const since = await reader.sync();
      await save('c_draft', { name: 'Never shown' });
      await save('c_a', { name: 'Not shown yet' });
      await manager.expectOk('POST', `${HERE}/content`, { id: 'c_new', content_type: 'post', name: 'New' });
      await act('c_draft', 'archive');
      await manager.expectOk('DELETE', `${HERE}/content/c_draft?confirm=c_draft`);
      expect(await reader.page({ since })).toMatchObject({ changes: [], next: since, has_more: false });
    });

    test('no longer contains the paths of a content object once the object is unpublished', async () => {
      const since = await reader.sync();
      await publish('c_note', { slug: 'secret-path' });
      expect((await reader.since(since))[0]).toMatchObject({ kind: 'moved', moved: { to: 'secret-path' } });
      await act('c_note', 'unpublish');
      const { text } = await reader.ask({ since });
      expect(JSON.parse(text)).toMatchObject({ changes: [{ kind: 'updated' }, { kind: 'unpublished' }] });
      expect(text).not.toContain('secret-path');
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
        await manager.expectOk('PATCH', `${HERE}${path}`, body);
        expect(await count(), path).toBe(before + 1);
        for (const limit of [1, 2, 100]) {
          const changes = await reader.since(since, { limit });
          expect(new Set(changes.map(({ kind }) => kind)), path).toEqual(new Set(['updated']));
          expect([...new Set(changes.map(({ id }) => id))].toSorted(), path).toEqual(ids);
        }
      }
    });

    test('removes the id of a deleted asset from the log, and can still be resumed from earlier positions', async () => {
      const since = await reader.sync();
      await manager.expectOk('PATCH', `${HERE}/assets/a_photo`, { name: 'Portrait' });
      const positions = (await reader.since(since)).map(({ position }) => position);
      expect(positions).toHaveLength(2);
      await publish('c_a', { fields: {} });
      const { storage } = manager.service;
      expect(await findTablesWith(storage, 'a_photo')).toContain('changes');
      expect((await manager.call('DELETE', `${HERE}/assets/a_photo`)).status).toBe(204);
      expect(await findTablesWith(storage, 'a_photo')).not.toContain('changes');
      for (const position of [since, ...positions]) {
        expect(summarize(await reader.since(position)), position).toEqual(['updated c_a', 'updated c_b']);
      }
    });

    test('can be resumed after any change, even in the middle of a log row that affects many objects', async () => {
      const since = await reader.sync();
      await publish('c_a');
      await manager.expectOk('PATCH', HERE, { url: 'https://new.example' });
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
      await publish('c_a');
      await act('c_note', 'unpublish');
      const { text, body } = await reader.ask({ since, include: 'content' });
      const { changes, content, too_large } = body as ChangeListBody;
      expect(summarize(changes)).toEqual(['updated c_a', 'updated c_b', 'unpublished c_note']);
      expect(content?.map(({ id }) => id)).toEqual(['c_a', 'c_b']);
      expect(too_large).toEqual([]);
      for (const id of ['c_a', 'c_b']) expect(text).toContain(await reader.object(id));
    });

    test('ends a page early if the objects are large, and leaves out an object that is too large on its own', async () => {
      const text = (size: number) => ({ fields: { text: { text: 'x'.repeat(size) } } });
      const medium = Array.from({ length: 4 }, (_, index) => post(`c_m${index}`, text(400_000)));
      const since = await reader.sync();
      await manager.service.importRecords([...medium, post('c_huge', text(1_200_000))]);
      const found = new Set<string>();
      let page = await reader.page({ since, include: 'content' });
      const pages = [page];
      while (page.has_more) {
        page = await reader.page({ since: page.next, include: 'content' });
        pages.push(page);
      }
      for (const { content } of pages) for (const { id } of content ?? []) found.add(id);
      expect([...found].toSorted()).toEqual(['c_m0', 'c_m1', 'c_m2', 'c_m3']);
      expect(pages.flatMap(({ too_large }) => too_large)).toEqual(['c_huge']);
      expect(pages.length).toBeGreaterThan(2);
    });

    test('leaves out a damaged object, so that readers still receive all other objects and later changes', async () => {
      const logged: { readonly content?: string }[] = [];
      const log = pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) });
      await using resources = new AsyncDisposableStack();
      const failing = await startManager({}, { engine, log });
      resources.defer(() => failing.close());
      await failing.service.importRecords(RECORDS);
      const { token } = await failing.service.createKey({ sites: [SITE] });
      const damage = `update published_bodies set body = replace(body, 'e', '~')
      where content_no = (select content_no from published_contents where id = 'c_c')`;
      await runSql(failing.service.storage, damage);
      const mirror = new ChangeReader(failing.service.url, token, SITE);
      const pages = [await mirror.page({ include: 'content' })];
      for (let page = pages[0]; page?.has_more; pages.push(page))
        page = await mirror.page({ since: page.next, include: 'content' });
      expect(pages.flatMap(({ changes }) => summarize(changes))).toHaveLength(5);
      expect(pages.flatMap(({ content }) => content?.map(({ id }) => id))).toEqual(['c_de', 'c_a', 'c_b', 'c_note']);
      expect(pages.flatMap(({ too_large }) => too_large)).toEqual(['c_c']);
      expect(pages.at(-1)?.drop_others).toBe(true);
      expect(logged.map(({ content }) => content)).toEqual(['c_c']);
      await expect(mirror.object('c_c')).rejects.toThrow('500');
      await failing.expectOk('POST', `${HERE}/content/c_b/unpublish`, { confirm: true });
      const later = await mirror.since(pages.at(-1)?.next ?? '', { include: 'content' });
      expect(summarize(later)).toEqual(['unpublished c_b', 'updated c_c']);
    });

    test('can be limited to certain content types', async () => {
      const first = await reader.page({ content_type: 'note' });
      expect(summarize(first.changes)).toEqual(['present c_note']);
      expect(first.drop_others).toBe(true);
      await publish('c_a');
      await publish('c_note');
      const page = await reader.page({ content_type: 'note', since: first.next });
      expect(summarize(page.changes)).toEqual(['updated c_note']);
      await publish('c_a');
      const none = await reader.page({ content_type: 'note', since: page.next });
      expect(none).toMatchObject({ changes: [], has_more: false });
      expect(none.next).not.toBe(page.next);
    });

    test.each<[FeedParameters, string]>([
      [{ content_type: 'nots' }, '"nots"'],
      [{ content_type: 'nots', since: 'now' }, '"nots"'],
      [{ 'content_type[0]': 'note', 'content_type[1]': 'nots' }, '"nots"'],
      [{ content_type: 'x'.repeat(5000) }, `"${'x'.repeat(60)}…"`],
      [{ content_type: '__proto__' }, '"__proto__"'],
    ])(
      'rejects a content type that does not exist, because a full sync would empty the copy (%#)',
      async (asked, named) => {
        const { status, body } = await reader.ask(asked);
        const message = `The content_type parameter names ${named}; no content type of the site has this handle.`;
        expect([status, body]).toEqual([422, { message }]);
      },
    );

    test('rejects a block type, which has no content of its own', async () => {
      const quote = { kind: 'content_type', site: SITE, id: 't_quote', handle: 'quote', name: 'Quote', fields: [] };
      await manager.service.importRecords([{ ...quote, object_type: 'block' }]);
      const { status, body } = await reader.ask({ content_type: 'quote' });
      const message =
        'The content_type parameter names "quote", which is a block type; blocks are part of other content.';
      expect([status, body]).toEqual([422, { message }]);
    });

    test('reports the deletion of content even if its content type was deleted afterwards, and then rejects the type', async () => {
      const { next: since } = await reader.page({ content_type: 'note' });
      for (const action of ['unpublish', 'archive']) await act('c_note', action);
      await manager.expectOk('DELETE', `${HERE}/content/c_note?confirm=c_note`);
      await publish('c_a');
      await manager.expectOk('DELETE', `${HERE}/types/note`);
      const page = await reader.page({ content_type: 'note', since });
      expect(summarize(page.changes)).toEqual(['deleted c_note']);
      const { status, body } = await reader.ask({ content_type: 'note', since: page.next });
      const message = 'The content_type parameter names "note"; no content type of the site has this handle.';
      expect([status, body]).toEqual([422, { message }]);
      const both = { 'content_type[0]': 'note', 'content_type[1]': 'post' };
      expect(summarize(await reader.since(since, both))).toEqual(['deleted c_note', 'updated c_a', 'updated c_b']);
      await publish('c_b');
      expect(summarize(await reader.since(page.next, both))).toEqual(['updated c_b', 'updated c_c']);
      expect((await reader.ask(both)).status).toBe(422);
    });

    test('does not show changes to other sites', async () => {
      await manager.service.importRecords([
        { kind: 'site', id: 's_other', name: 'Other', default_language: 'en', languages: ['en'] },
        { kind: 'content_type', site: 's_other', id: 't_post', handle: 'post', name: 'Post', fields: [] },
        { ...post('c_a'), site: 's_other' },
      ]);
      const since = await reader.sync();
      await manager.expectOk('PATCH', '/sites/s_other', { url: 'https://other.example' });
      await manager.expectOk('POST', '/sites/s_other/content/c_a/unpublish', { confirm: true });
      expect(await reader.page({ since })).toMatchObject({ changes: [], next: since });
      const other = new ChangeReader(manager.service.url, key.token, 's_other');
      expect((await other.ask()).status).toBe(403);
    });

    test('waits for a change, and responds as soon as there is one', async () => {
      const since = await reader.sync();
      const waiting = reader.page({ since, wait: 30 });
      await publish('c_note');
      expect(summarize((await waiting).changes)).toEqual(['updated c_note']);
    });

    test('lists only later changes when the position is `now`', async () => {
      await publish('c_a');
      const page = await reader.page({ since: 'now' });
      expect(page).toMatchObject({ changes: [], has_more: false, drop_others: false });
      expect(page.next).toBe(await reader.sync());
      await publish('c_note');
      expect(summarize(await reader.since(page.next))).toEqual(['updated c_note']);
    });

    test('keeps waiting while only drafts or other types change', async () => {
      const since = await reader.sync();
      const waiting = reader.page({ since, wait: 30, content_type: 'note' });
      await publish('c_a');
      await save('c_note', { name: 'Draft' });
      await manager.expectOk('POST', `${HERE}/content/c_note/publish`, {});
      expect(summarize((await waiting).changes)).toEqual(['updated c_note']);
    });

    test('returns no changes if there were none by the end of the wait', async () => {
      const since = await reader.sync();
      expect(await reader.page({ since, wait: 1 })).toMatchObject({ changes: [], next: since });
    });

    test('ends the wait when the key is revoked', async () => {
      const since = await reader.sync();
      const waiting = reader.ask({ since, wait: 30 });
      await manager.expectOk('POST', `/keys/${key.id}/revoke`, {});
      expect((await waiting).status).toBe(401);
    });

    test('ends the wait when the key loses access to the site, or the site is deleted', async () => {
      const since = await reader.sync();
      await manager.service.importRecords([
        { kind: 'site', id: 's_other', name: 'Other', default_language: 'en', languages: ['en'] },
      ]);
      const restricted = reader.ask({ since, wait: 30 });
      await manager.expectOk('PATCH', `/keys/${key.id}`, { sites: ['s_other'] });
      expect((await restricted).status).toBe(403);
      await manager.expectOk('PATCH', `/keys/${key.id}`, { sites: [SITE, 's_other'] });
      const deleted = reader.ask({ since, wait: 30 });
      await manager.expectOk('DELETE', `${HERE}?confirm=${SITE}`);
      expect((await deleted).status).toBe(400);
    });

    test('returns 410 for a position that is no longer in the log', async () => {
      const since = await reader.sync();
      await publish('c_a');
      const middle = await reader.sync();
      await publish('c_note');
      const { storage } = manager.service;
      await sweepChanges({ storage, before: Number.parseInt(middle, 36) + 1 });
      expect(summarize(await reader.since(middle))).toEqual(['updated c_note']);
      expect((await reader.ask({ since })).status).toBe(410);
      const end = await reader.sync();
      await sweepChanges({ storage, before: Date.now() + 60_000 });
      expect(await reader.since(end)).toEqual([]);
      expect((await reader.ask({ since: middle })).status).toBe(410);
      // A position within the last row that was deleted. If it were valid, each page would be empty and point to itself as the next page.
      expect((await reader.ask({ since: `${end}.` })).status).toBe(410);
      await publish('c_note');
      expect(summarize(await reader.since(end))).toEqual(['updated c_note']);
    });

    test('drops only changes that are older than GALLEY_CHANGES_DAYS allows', async () => {
      await using resources = new AsyncDisposableStack();
      const database = await createTestDatabase(engine);
      resources.defer(() => database.remove());
      const createDatabase = async () => ({ ...database, remove: async () => {} });
      let day = 0;
      const now = () => Date.now() + day * DAY_MS;
      const writing = await startManager({}, { createDatabase, now });
      resources.defer(() => writing.close());
      await writing.service.importRecords(RECORDS);
      const { token } = await writing.service.createKey({ sites: [SITE] });
      const aged = new ChangeReader(writing.service.url, token, SITE);
      const unpublish = (id: string) => writing.expectOk('POST', `${HERE}/content/${id}/unpublish`, { confirm: true });
      const start = await aged.sync();
      await unpublish('c_de');
      const middle = await aged.sync();
      day = 2;
      await unpublish('c_note');
      day = 4;
      const sweeping = await startService(
        { GALLEY_CHANGES_DAYS: '3' },
        { createDatabase, now, sweepChangesAfterMs: 0 },
      );
      resources.defer(() => sweeping.close());
      await expect.poll(async () => (await aged.ask({ since: start })).status).toBe(410);
      expect(summarize(await aged.since(middle))).toEqual(['unpublished c_note']);
    });

    test('returns 410 for a position that was never in the log', async () => {
      const since = await reader.sync();
      const row = Number.parseInt(since, 36);
      for (const other of [1, row + 1, row + 1_000_000]) {
        expect((await reader.ask({ since: other.toString(36) })).status).toBe(410);
      }
    });

    test('makes readers start over if the site is deleted and created again', async () => {
      const since = await reader.sync();
      await publish('c_note');
      const last = await reader.sync();
      await manager.expectOk('DELETE', `${HERE}?confirm=${SITE}`);
      await manager.service.importRecords(RECORDS);
      const { token } = await manager.service.createKey({ sites: [SITE] });
      const next = new ChangeReader(manager.service.url, token, SITE);
      for (const position of [since, last]) expect((await next.ask({ since: position })).status).toBe(410);
      expect((await next.page()).changes).toHaveLength(5);
    });

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
      const { token } = await manager.service.createKey({ sites: [SITE], rateLimit: 1 });
      const limited = new ChangeReader(manager.service.url, token, SITE);
      expect((await limited.ask()).headers.get('ratelimit')).toContain('"key";r=0');
      expect((await limited.ask()).status).toBe(429);
    });
  });
});
