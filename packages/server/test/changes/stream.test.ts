// The stream of changes over HTTP.

import type { ChangeListBody, ManagedContentBody } from '@galley/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { createDrainState, type DrainState } from '../../src/http/drain.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';
import { ChangeReader, type FeedParameters } from './change-reader.ts';
import { EventReader, type StreamRequest } from './event-reader.ts';
import { post, RECORDS, SITE } from './feed-records.ts';

const HERE = `/sites/${SITE}`;
const OTHER = 's_other';
const OTHER_RECORDS: readonly object[] = [
  { kind: 'site', id: OTHER, name: 'Other', default_language: 'en', languages: ['en'] },
  { kind: 'content_type', site: OTHER, id: 't_post', handle: 'post', name: 'Post', fields: [] },
  { ...post('c_a'), site: OTHER },
];
const STREAMS_PER_KEY = 8;

describe.each(ENGINES)('on %s', (engine) => {
  describe('the stream of changes', () => {
    let manager: Manager;
    let feed: ChangeReader;
    let key: { readonly id: string; readonly token: string };
    let drain: DrainState;
    let clockAheadMs: number;
    let opened: EventReader[];

    beforeEach(async () => {
      drain = createDrainState();
      clockAheadMs = 0;
      opened = [];
      const now = () => Date.now() + clockAheadMs;
      manager = await startManager({ GALLEY_STREAMS_PER_KEY: `${STREAMS_PER_KEY}` }, { engine, drain, now });
      await manager.service.importRecords(RECORDS);
      key = await manager.service.createKey({ sites: [SITE] });
      feed = new ChangeReader(manager.service.url, key.token, SITE);
    });

    afterEach(async () => {
      for (const stream of opened) stream[Symbol.dispose]();
      await manager.close();
    });

    async function open(parameters: FeedParameters = {}, members: Partial<StreamRequest> = {}): Promise<EventReader> {
      const stream = await EventReader.open({
        url: manager.service.url,
        token: key.token,
        site: SITE,
        parameters,
        ...members,
      });
      opened.push(stream);
      return stream;
    }

    async function save(id: string, name: string): Promise<void> {
      const { version } = await manager.expectOk<ManagedContentBody>('GET', `${HERE}/content/${id}`);
      await manager.expectOk('PUT', `${HERE}/content/${id}`, { version, name });
    }

    let saves = 0;

    async function publish(id: string): Promise<void> {
      saves += 1;
      await save(id, `${id} ${saves}`);
      await manager.expectOk('POST', `${HERE}/content/${id}/publish`, {});
    }

    const summarize = (changes: ChangeListBody['changes']) => changes.map(({ kind, id }) => `${kind} ${id}`);

    /** Reads pages until there is nothing more to read for now. */
    async function readSync(stream: EventReader): Promise<ChangeListBody> {
      let page = await stream.page();
      while (page.has_more) page = await stream.page();
      return page;
    }

    test('starts with a full sync, and then sends changes in the order in which they were made', async () => {
      const stream = await open();
      expect(stream.status).toBe(200);
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-store, no-transform',
        'x-accel-buffering': 'no',
        'access-control-allow-origin': '*',
      });
      const sync = await stream.page();
      expect(sync).toMatchObject({ drop_others: true, has_more: false, content: null });
      expect(summarize(sync.changes)).toEqual(['c_de', 'c_a', 'c_b', 'c_c', 'c_note'].map((id) => `present ${id}`));
      const expected: string[] = [];
      const seen: string[] = [];
      for (let count = 0; count < 10; count += 1) {
        const id = count % 2 === 0 ? 'c_note' : 'c_de';
        await publish(id);
        expected.push(`updated ${id}`);
      }
      while (seen.length < expected.length) seen.push(...summarize((await stream.page()).changes));
      expect(seen).toEqual(expected);
    });

    test('sends the same pages as the feed', async () => {
      const since = await feed.sync();
      const parameters = { since, include: 'content' };
      const stream = await open(parameters);
      await stream.next();
      await publish('c_note');
      expect((await stream.next())?.data).toBe((await feed.ask(parameters)).text);
      const behind = await open(parameters);
      expect((await behind.next())?.data).toBe((await feed.ask(parameters)).text);
    });

    test('sends the client its position when there is nothing to read', async () => {
      const since = await feed.sync();
      const stream = await open({ since });
      const first = await stream.next();
      expect(first).toEqual({ event: 'open', id: since, data: JSON.stringify({ next: since }) });
    });

    test('continues after the last event ID, which takes precedence over the since parameter, and misses nothing', async () => {
      const since = await feed.sync();
      const seen: string[] = [];
      const expected: string[] = [];
      let last: string | undefined;
      for (let count = 0; count < 6; count += 1) {
        const stream = await open({ since }, { headers: { 'last-event-id': last ?? '' } });
        for (const id of ['c_note', 'c_de']) {
          await publish(id);
          expected.push(`updated ${id}`);
        }
        // Cut the connection after the first event, whether or not it contains the second change.
        let event = await stream.next();
        if (event?.event === 'open') event = await stream.next();
        seen.push(...summarize(JSON.parse(event?.data ?? '').changes));
        last = event?.id;
        stream[Symbol.dispose]();
      }
      seen.push(...summarize(await feed.since(last ?? '')));
      expect(seen).toEqual(expected);
    });

    test('can be limited to certain content types', async () => {
      const since = await feed.sync();
      const stream = await open({ since, content_type: 'note' });
      await stream.next();
      await publish('c_de');
      await publish('c_note');
      expect(summarize((await stream.page()).changes)).toEqual(['updated c_note']);
    });

    test('rejects a content type that does not exist, and ends once its only type has been deleted and it has sent all changes', async () => {
      expect((await open({ content_type: 'nots' })).status).toBe(422);
      const since = await feed.sync();
      const stream = await open({ since, content_type: 'note' });
      const other = await open({ since, 'content_type[0]': 'note', 'content_type[1]': 'post' });
      for (const each of [stream, other]) await each.next();
      for (const action of ['unpublish', 'archive'])
        await manager.expectOk('POST', `${HERE}/content/c_note/${action}`, { confirm: true });
      const seen: string[] = [];
      while (!seen.includes('unpublished c_note')) seen.push(...summarize((await stream.page()).changes));
      await manager.expectOk('DELETE', `${HERE}/content/c_note?confirm=c_note`);
      expect(summarize((await stream.page()).changes)).toEqual(['deleted c_note']);
      await manager.expectOk('DELETE', `${HERE}/types/note`);
      await publish('c_de');
      expect(await stream.next()).toBeUndefined();
      const others: string[] = [];
      while (!others.includes('updated c_de')) others.push(...summarize((await other.page()).changes));
      expect(others).toContain('deleted c_note');
      expect((await open({ since: 'now', content_type: 'note' })).status).toBe(422);
    });

    test('sends its position once a minute while only content of other types changes', async () => {
      const since = await feed.sync();
      const stream = await open({ since, content_type: 'note' });
      expect((await stream.next())?.id).toBe(since);
      await publish('c_de');
      clockAheadMs += 60_000;
      await publish('c_de');
      const event = await stream.next();
      expect(event?.event).toBe('open');
      // The stream may have read one of the changes or both.
      expect([await feed.page({ since }), await feed.page({ since, limit: 1 })].map((page) => page.next)).toContain(
        event?.id,
      );
      await publish('c_de');
      await publish('c_note');
      expect(summarize((await stream.page()).changes)).toEqual(['updated c_note']);
    });

    test('splits large pages, as the feed does', async () => {
      const stream = await open({ include: 'content' });
      await readSync(stream);
      const text = { fields: { text: { text: 'line\nbreak '.repeat(40_000) } } };
      await manager.service.importRecords(Array.from({ length: 4 }, (_, index) => post(`c_m${index}`, text)));
      const found: unknown[] = [];
      while (found.length < 4) found.push(...((await stream.page()).content ?? []));
      for (const object of found) expect(JSON.stringify(object)).toBe(await feed.object(Object(object).id));
    });

    test('sends nothing if only drafts or other sites change', async () => {
      await manager.service.importRecords(OTHER_RECORDS);
      const stream = await open();
      await readSync(stream);
      const received: string[] = [];
      stream.response.on('data', (text: string) => received.push(text));
      await save('c_draft', 'Never shown');
      await save('c_a', 'Not shown yet');
      await manager.expectOk('POST', `${HERE}/content`, { id: 'c_new', content_type: 'post', name: 'New' });
      await manager.expectOk('PATCH', `/sites/${OTHER}`, { url: 'https://other.example' });
      await manager.expectOk('POST', `/sites/${OTHER}/content/c_a/unpublish`, { confirm: true });
      await manager.service.createKey({ sites: [OTHER] });
      // None of these changes is sent, so the next change is the first one in the stream.
      await publish('c_note');
      expect(summarize((await stream.page()).changes)).toEqual(['updated c_note']);
      const text = received.join('').replaceAll(':\n\n', '');
      expect(text).toMatch(/^event: page\n[^\n]+\n[^\n]+\n\n$/);
      expect(text).not.toMatch(/shown|c_new|s_other|other\.example/);
    });

    test('ends if its key is revoked, while streams with other keys continue', async () => {
      const kept = await manager.service.createKey({ sites: [SITE] });
      const [stream, staying] = [await open(), await open({}, { token: kept.token })];
      for (const each of [stream, staying]) await readSync(each);
      await manager.expectOk('POST', `/keys/${key.id}/revoke`, {});
      const revokedAt = performance.now();
      expect(await stream.next()).toBeUndefined();
      expect(performance.now() - revokedAt).toBeLessThan(10_000);
      await publish('c_note');
      expect(summarize((await staying.page()).changes)).toEqual(['updated c_note']);
      expect((await open()).status).toBe(401);
    });

    test('sends no change that was made after the key was revoked', async () => {
      const stream = await open();
      await readSync(stream);
      await manager.expectOk('POST', `/keys/${key.id}/revoke`, {});
      await publish('c_note');
      expect(await stream.next()).toBeUndefined();
    });

    test('ends if the key expires', async () => {
      const { token } = await manager.service.createKey({ sites: [SITE], expires: Date.now() + 3_600_000 });
      const stream = await open({}, { token });
      await readSync(stream);
      clockAheadMs = 3_600_001;
      expect(await stream.next()).toBeUndefined();
    });

    test('ends if the site is deleted', async () => {
      const stream = await open();
      await readSync(stream);
      await manager.expectOk('DELETE', `${HERE}?confirm=${SITE}`);
      expect(await stream.next()).toBeUndefined();
    });

    test('returns 410 for a position that is no longer in the log, and sends a final event if the position is removed later', async () => {
      const since = await feed.sync();
      await publish('c_a');
      await publish('c_note');
      const { storage } = manager.service;
      await sweepChanges({ storage, before: Date.now() + 60_000 });
      const refused = await open({ since });
      expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining('full sync')]);
      const stream = await open({ since: await feed.sync() });
      expect(await stream.next()).toMatchObject({ event: 'open' });
      await runSql(storage, `update sites set changes_start = changes_start + 1 where id = '${SITE}'`);
      expect(await stream.next()).toMatchObject({ event: 'gone', data: expect.stringContaining('full sync') });
      expect(await stream.next()).toBeUndefined();
    });

    test('limits the number of streams for each key', async () => {
      const streams: EventReader[] = [];
      for (let count = 0; count < STREAMS_PER_KEY; count += 1) streams.push(await open());
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      const refused = await open();
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
      const other = await manager.service.createKey({ sites: [SITE] });
      expect((await open({}, { token: other.token })).status).toBe(200);
      streams[0]?.[Symbol.dispose]();
      await expect.poll(async () => (await open()).status).toBe(200);
      expect((await open()).status).toBe(429);
    });

    test('counts waiting long polls as streams, but answers every request that does not have to wait', async () => {
      const since = await feed.sync();
      const other = await manager.service.createKey({ sites: [SITE] });
      const ofOther = new ChangeReader(manager.service.url, other.token, SITE).ask({ since, wait: 30 });
      const asked = Array.from({ length: STREAMS_PER_KEY + 1 }, () => feed.ask({ since, wait: 30 }));
      const refused = await Promise.race(asked);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
      expect((await open({ since })).status).toBe(429);
      expect(await feed.page({ since })).toMatchObject({ changes: [], next: since });
      await publish('c_note');
      const statuses = [...(await Promise.all(asked)), await ofOther].map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array.from({ length: STREAMS_PER_KEY + 1 }, () => 200), 429]);
      expect(await feed.page({ since, wait: 30 })).toMatchObject({ changes: [{ id: 'c_note' }] });
      expect((await open({ since })).status).toBe(200);
    });

    test('reads no page until the client has received the previous one', async () => {
      const count = 60;
      const text = { fields: { text: { text: 'x'.repeat(400_000) } } };
      const ids = Array.from({ length: count }, (_, index) => `d_${String(index).padStart(2, '0')}`);
      await manager.service.importRecords(ids.map((id) => post(id, text)));
      const stream = await open({ include: 'content' });
      stream.response.pause();
      const findStuck = () => [...drain.connections].find(({ writableLength }) => writableLength > 0);
      await expect.poll(findStuck).toBeDefined();
      expect(findStuck()?.writableLength).toBeLessThan(3_000_000);
      // The client is still at the beginning of the sync, so it gets the current state of the last object.
      const last = ids.at(-1) ?? '';
      await save(last, 'A new name');
      await manager.expectOk('POST', `${HERE}/content/${last}/publish`, {});
      let page = await stream.page();
      while (page.content?.some(({ id }) => id === last) !== true) page = await stream.page();
      expect(page.changes.at(-1)).toMatchObject({ kind: 'present', id: last });
      expect(page.content?.at(-1)).toMatchObject({ id: last, name: 'A new name' });
    });

    test('ends with a comment when the service drains, and long polls end too', async () => {
      const since = await feed.sync();
      const stream = await open({ since });
      await stream.next();
      const polling = feed.page({ since, wait: 30 });
      drain.isDraining = true;
      expect(await stream.next()).toBeUndefined();
      expect(stream.comments).toEqual([': the service is stopping']);
      expect(await polling).toMatchObject({ changes: [], next: since });
      expect((await open({ since })).status).toBe(503);
    });

    test('ends when the server closes', async () => {
      const stream = await open();
      await readSync(stream);
      const closing = manager.close();
      expect(await stream.next()).toBeUndefined();
      await closing;
      manager = await startManager({}, { engine });
    });

    test('checks the key, the site and the parameters as the feed does, and counts as one request', async () => {
      expect((await open({}, { headers: { authorization: '' } })).status).toBe(401);
      expect((await open({}, { site: '' })).status).toBe(403);
      expect((await open({}, { site: 's_none' })).status).toBe(400);
      expect((await open({ since: 'elsewhere!' })).status).toBe(422);
      expect((await open({ include: 'everything' })).status).toBe(422);
      const invalid = await open({}, { headers: { 'last-event-id': 'elsewhere!' } });
      expect([invalid.status, await invalid.text()]).toEqual([422, expect.stringContaining('Last-Event-ID')]);
      const { token } = await manager.service.createKey({ sites: [SITE], rateLimit: 2 });
      const stream = await open({}, { token });
      expect(stream.headers.ratelimit).toContain('"key";r=1');
      await readSync(stream);
      await publish('c_note');
      await stream.page();
      expect((await open({}, { token })).headers.ratelimit).toContain('"key";r=0');
      expect((await open({}, { token })).status).toBe(429);
    });

    test('responds to HEAD without a stream, and rejects all other methods', async () => {
      const head = await open({}, { method: 'HEAD' });
      expect([head.status, head.headers['content-type'], await head.text()]).toEqual([200, 'text/event-stream', '']);
      expect((await open({}, { method: 'POST' })).status).toBe(405);
    });
  });
});
