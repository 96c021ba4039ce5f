// The stream of changes over HTTP.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepChanges } from '../../src/authoring/change-sweep.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { createTestDatabase, ENGINES, type Engine, type TestDatabase } from '../support/test-database.ts';
import { FeedSite, readSync, summarize } from './feed-site.ts';

const STREAMS_PER_KEY = 8;
const SETTINGS = { GALLEY_STREAMS_PER_KEY: `${STREAMS_PER_KEY}` };

let database: TestDatabase;
let manager: Manager;
let site: FeedSite;
const drain = createDrainState();
let clockAheadMs = 0;
const now = (): number => Date.now() + clockAheadMs;

const shareDatabase = async () => ({ ...database, remove: async () => {} });

/** Starts a service for a group of tests, and creates a site for each of them. */
function useService(engine: Engine): void {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    manager = await startManager(SETTINGS, { createDatabase: shareDatabase, drain, now });
  });
  afterAll(async () => {
    await manager.close();
    await database.remove();
  });
  beforeEach(async () => {
    site = await FeedSite.open(manager);
  });
  afterEach(() => site[Symbol.dispose]());
}

describe.each(ENGINES)('the stream of changes on %s', (engine) => {
  useService(engine);

  test('starts with a full sync, and then sends changes in the order in which they were made', async () => {
    const stream = await site.stream();
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
    for (const id of ['c_note', 'c_de', 'c_note', 'c_de', 'c_note']) {
      await site.publish(id);
      expected.push(`updated ${id}`);
    }
    while (seen.length < expected.length) seen.push(...summarize((await stream.page()).changes));
    expect(seen).toEqual(expected);
  });

  test('continues after the last event ID, which takes precedence over the since parameter, and misses nothing', async () => {
    const since = await site.reader.sync();
    const seen: string[] = [];
    const expected: string[] = [];
    let last: string | undefined;
    for (let count = 0; count < 4; count += 1) {
      const stream = await site.stream({ since }, { headers: { 'last-event-id': last ?? '' } });
      for (const id of ['c_note', 'c_de']) {
        await site.publish(id);
        expected.push(`updated ${id}`);
      }
      // Cut the connection after the first event, whether or not it contains the second change.
      let event = await stream.next();
      if (event?.event === 'open') event = await stream.next();
      seen.push(...summarize(JSON.parse(event?.data ?? '').changes));
      last = event?.id;
      stream[Symbol.dispose]();
    }
    seen.push(...summarize(await site.reader.since(last ?? '')));
    expect(seen).toEqual(expected);
  });

  test('ends without another change if its key is revoked, while streams with other keys continue', async () => {
    const kept = await manager.service.createKey({ sites: [site.id] });
    const [stream, staying] = [await site.stream(), await site.stream({}, { token: kept.token })];
    for (const each of [stream, staying]) await readSync(each);
    await manager.expectOk('POST', `/keys/${site.key.id}/revoke`, {});
    await site.publish('c_note');
    expect(await stream.next()).toBeUndefined();
    expect(summarize((await staying.page()).changes)).toEqual(['updated c_note']);
    expect((await site.stream()).status).toBe(401);
  });

  test('sends changes that were made on another node, and ends if its key is revoked there', async () => {
    const other = await startManager({}, { createDatabase: shareDatabase });
    const stream = await site.stream();
    await readSync(stream);
    await other.expectOk('POST', `${site.path}/content/c_note/unpublish`, { confirm: true });
    expect(summarize((await stream.page()).changes)).toEqual(['unpublished c_note']);
    await other.expectOk('POST', `/keys/${site.key.id}/revoke`, {});
    expect(await stream.next()).toBeUndefined();
    await other.close();
  });
});

describe('the stream of changes', () => {
  useService('sqlite');

  test('sends the same pages as the feed, after the position where the client is', async () => {
    const since = await site.reader.sync();
    const parameters = { since, include: 'content' };
    const stream = await site.stream(parameters);
    expect(await stream.next()).toEqual({ event: 'open', id: since, data: JSON.stringify({ next: since }) });
    await site.publish('c_note');
    expect((await stream.next())?.data).toBe((await site.reader.ask(parameters)).text);
    const behind = await site.stream(parameters);
    expect((await behind.next())?.data).toBe((await site.reader.ask(parameters)).text);
  });

  test('can be limited to certain content types, and sends its position once a minute while only other content changes', async () => {
    const since = await site.reader.sync();
    const stream = await site.stream({ since, content_type: 'note' });
    expect((await stream.next())?.id).toBe(since);
    await site.publish('c_de');
    clockAheadMs += 60_000;
    await site.publish('c_de');
    const event = await stream.next();
    expect(event?.event).toBe('open');
    // The stream may have read one of the changes or both.
    const pages = [await site.reader.page({ since }), await site.reader.page({ since, limit: 1 })];
    expect(pages.map((page) => page.next)).toContain(event?.id);
    await site.publish('c_de');
    await site.publish('c_note');
    expect(summarize((await stream.page()).changes)).toEqual(['updated c_note']);
  });

  test('rejects a content type that does not exist, and ends once its only type has been deleted and it has sent all changes', async () => {
    expect((await site.stream({ content_type: 'nots' })).status).toBe(422);
    const since = await site.reader.sync();
    const stream = await site.stream({ since, content_type: 'note' });
    const other = await site.stream({ since, 'content_type[0]': 'note', 'content_type[1]': 'post' });
    for (const each of [stream, other]) await each.next();
    await site.act('c_note', 'unpublish');
    const seen: string[] = [];
    while (!seen.includes('unpublished c_note')) seen.push(...summarize((await stream.page()).changes));
    await site.deleteForGood('c_note');
    expect(summarize((await stream.page()).changes)).toEqual(['deleted c_note']);
    await manager.expectOk('DELETE', `${site.path}/types/note`);
    await site.publish('c_de');
    expect(await stream.next()).toBeUndefined();
    const others: string[] = [];
    while (!others.includes('updated c_de')) others.push(...summarize((await other.page()).changes));
    expect(others).toContain('deleted c_note');
    expect((await site.stream({ since: 'now', content_type: 'note' })).status).toBe(422);
  });

  test('splits large pages, as the feed does', async () => {
    const stream = await site.stream({ include: 'content' });
    await readSync(stream);
    const text = { fields: { text: { text: 'line\nbreak '.repeat(40_000) } } };
    await site.import(...Array.from({ length: 4 }, (_, index) => site.post(`c_m${index}`, text)));
    const found: unknown[] = [];
    while (found.length < 4) found.push(...((await stream.page()).content ?? []));
    for (const object of found) expect(JSON.stringify(object)).toBe(await site.reader.object(Object(object).id));
  });

  test('sends nothing if only drafts or other sites change', async () => {
    using other = await FeedSite.open(manager);
    const stream = await site.stream();
    await readSync(stream);
    const received: string[] = [];
    stream.response.on('data', (text: string) => received.push(text));
    await site.save('c_draft', { name: 'Never shown' });
    await site.save('c_a', { name: 'Not shown yet' });
    await manager.expectOk('POST', `${site.path}/content`, { id: 'c_new', content_type: 'post', name: 'New' });
    await other.move('https://other.example');
    await other.act('c_a', 'unpublish');
    await manager.service.createKey({ sites: [other.id] });
    // None of these changes is sent, so the next change is the first one in the stream.
    await site.publish('c_note');
    expect(summarize((await stream.page()).changes)).toEqual(['updated c_note']);
    const text = received.join('').replaceAll(':\n\n', '');
    expect(text).toMatch(/^event: page\n[^\n]+\n[^\n]+\n\n$/);
    expect(text).not.toMatch(/shown|c_new|other\.example/);
    expect(text).not.toContain(`"${other.id}"`);
  });

  test('ends if the key expires or the site is deleted', async () => {
    const { token } = await manager.service.createKey({ sites: [site.id], expires: now() + 3_600_000 });
    const [expiring, other] = [await site.stream({}, { token }), await site.stream()];
    for (const each of [expiring, other]) await readSync(each);
    clockAheadMs += 3_600_001;
    expect(await expiring.next()).toBeUndefined();
    await site.delete();
    expect(await other.next()).toBeUndefined();
  });

  test('returns 410 for a position that is no longer in the log, and sends a final event if the position is removed later', async () => {
    const since = await site.reader.sync();
    await site.publish('c_a');
    await site.publish('c_note');
    const { storage } = manager.service;
    await sweepChanges({ storage, before: now() + 60_000 });
    const refused = await site.stream({ since });
    expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining('full sync')]);
    const stream = await site.stream({ since: await site.reader.sync() });
    expect(await stream.next()).toMatchObject({ event: 'open' });
    await runSql(storage, `update sites set changes_start = changes_start + 1 where id = '${site.id}'`);
    expect(await stream.next()).toMatchObject({ event: 'gone', data: expect.stringContaining('full sync') });
    expect(await stream.next()).toBeUndefined();
  });

  test('limits the number of streams for each key', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS_PER_KEY }, () => site.stream()));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await site.stream();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
    const other = await manager.service.createKey({ sites: [site.id] });
    expect((await site.stream({}, { token: other.token })).status).toBe(200);
    streams[0]?.[Symbol.dispose]();
    await expect.poll(async () => (await site.stream()).status).toBe(200);
    expect((await site.stream()).status).toBe(429);
  });

  test('counts waiting long polls as streams, but answers every request that does not have to wait', async () => {
    const since = await site.reader.sync();
    const other = await manager.service.createKey({ sites: [site.id] });
    const ofOther = site.openReader(other.token).ask({ since, wait: 30 });
    const asked = Array.from({ length: STREAMS_PER_KEY + 1 }, () => site.reader.ask({ since, wait: 30 }));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await site.stream({ since })).status).toBe(429);
    expect(await site.reader.page({ since })).toMatchObject({ changes: [], next: since });
    await site.publish('c_note');
    const statuses = [...(await Promise.all(asked)), await ofOther].map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array.from({ length: STREAMS_PER_KEY + 1 }, () => 200), 429]);
    expect(await site.reader.page({ since, wait: 30 })).toMatchObject({ changes: [{ id: 'c_note' }] });
    expect((await site.stream({ since })).status).toBe(200);
  });

  test('ends with a comment when the service drains, and long polls end too', async () => {
    const since = await site.reader.sync();
    const stream = await site.stream({ since });
    await stream.next();
    const polling = site.reader.page({ since, wait: 30 });
    drain.isDraining = true;
    expect(await stream.next()).toBeUndefined();
    expect(stream.comments).toEqual([': the service is stopping']);
    expect(await polling).toMatchObject({ changes: [], next: since });
    expect((await site.stream({ since })).status).toBe(503);
    drain.isDraining = false;
  });

  test('ends when the server closes', async () => {
    const closing = await startManager();
    using own = await FeedSite.open(closing);
    const stream = await own.stream();
    await readSync(stream);
    const closed = closing.close();
    expect(await stream.next()).toBeUndefined();
    await closed;
  });

  test('checks the key, the site and the parameters as the feed does, and counts as one request', async () => {
    expect((await site.stream({}, { headers: { authorization: '' } })).status).toBe(401);
    expect((await site.stream({}, { site: '' })).status).toBe(403);
    expect((await site.stream({}, { site: 's_none' })).status).toBe(400);
    expect((await site.stream({ since: 'elsewhere!' })).status).toBe(422);
    expect((await site.stream({ include: 'everything' })).status).toBe(422);
    const invalid = await site.stream({}, { headers: { 'last-event-id': 'elsewhere!' } });
    expect([invalid.status, await invalid.text()]).toEqual([422, expect.stringContaining('Last-Event-ID')]);
    const { token } = await manager.service.createKey({ sites: [site.id], rateLimit: 2 });
    const stream = await site.stream({}, { token });
    expect(stream.headers.ratelimit).toContain('"key";r=1');
    await readSync(stream);
    await site.publish('c_note');
    await stream.page();
    expect((await site.stream({}, { token })).headers.ratelimit).toContain('"key";r=0');
    expect((await site.stream({}, { token })).status).toBe(429);
  });

  test('responds to HEAD without a stream, and rejects all other methods', async () => {
    const head = await site.stream({}, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], await head.text()]).toEqual([200, 'text/event-stream', '']);
    expect((await site.stream({}, { method: 'POST' })).status).toBe(405);
  });
});
