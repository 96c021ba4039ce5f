// `sync` brings a store up to date, and continues from where it was interrupted.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createMemoryMirror, GalleyError, isForbidden, isUnauthenticated } from '../../src/index.ts';
import { type ChangingLibrary, NotingStore, openChangesClient, openChangingLibrary } from './changing-library.ts';
import { CLOSED } from './library.ts';
import { answer, contentBody, startScriptedServer } from './scripted-server.ts';

describe('sync', () => {
  let library: ChangingLibrary;

  beforeEach(async () => {
    library = await openChangingLibrary();
  });
  afterEach(() => library.close());

  async function expectCurrent(store: NotingStore): Promise<void> {
    const all = await library.readAll();
    expect(new Map([...store.texts].toSorted())).toEqual(new Map([...all].toSorted()));
  }

  test('copies every published object in all languages, byte for byte', async () => {
    const store = new NotingStore();
    expect(await openChangesClient(library).sync(store)).toEqual({ put: 9, removed: 0, isFullSync: true });
    await expectCurrent(store);
    expect(store.texts.has('c_un')).toBe(true);
  });

  test("rejects with the store's error, even if the error looks like an expired position", async () => {
    const expired = new GalleyError('Expired', { code: 'refused', url: 'https://other.example', status: 410 });
    const store = new NotingStore();
    const failing = { readPosition: () => store.readPosition(), save: () => Promise.reject(expired) };
    await openChangesClient(library).sync(store);
    await library.rename('c_six', 'VI');
    await expect(openChangesClient(library).sync(failing)).rejects.toBe(expired);
  });

  test('does not depend on the client settings for language, previews or pages', async () => {
    const store = new NotingStore();
    await openChangesClient(library, { language: 'fr', isPreview: true, simplePagination: true }).sync(store);
    await expectCurrent(store);
  });

  test('after the first sync, reads only the changes', async () => {
    const store = new NotingStore();
    const client = openChangesClient(library);
    await client.sync(store);
    await library.rename('c_six', 'Six and a half');
    await library.withdraw('c_two');
    // The book that links to the withdrawn one has changed too.
    expect(await client.sync(store)).toEqual({ put: 2, removed: 1, isFullSync: false });
    await expectCurrent(store);
    const { length } = store.batches;
    expect(await client.sync(store)).toEqual({ put: 0, removed: 0, isFullSync: false });
    expect(store.batches).toHaveLength(length);
  });

  test.each([0, 2, 4])('resumes a full sync that was interrupted after %i batches', async (batches) => {
    const store = new NotingStore();
    const client = openChangesClient(library);
    store.failsAfter = batches;
    await expect(client.sync(store, { batchSize: 2 })).rejects.toThrow('The disk is full');
    await library.withdraw('c_seven');
    await library.rename('c_new', 'New');
    store.failsAfter = Number.POSITIVE_INFINITY;
    await openChangesClient(library).sync(store, { batchSize: 2 });
    await expectCurrent(store);
    // The sync did not start over.
    expect(store.batches.filter(({ startsSync }) => startsSync)).toHaveLength(1);
  });

  test('starts over automatically if the position has expired, and drops content that is no longer published', async () => {
    const store = new NotingStore();
    const client = openChangesClient(library);
    await client.sync(store);
    await library.withdraw('c_three');
    await library.rename('c_four', 'IV');
    await library.forgetChanges();
    expect(await client.sync(store, { batchSize: 3 })).toEqual({ put: 8, removed: 0, isFullSync: true });
    await expectCurrent(store);
  });

  test('rejects with the error that onRetry throws, even if the error looks like an expired position', async () => {
    const store = new NotingStore();
    await openChangesClient(library).sync(store);
    const expired = new GalleyError('Expired', { code: 'refused', url: 'https://other.example', status: 410 });
    const onRetry = (): never => {
      throw expired;
    };
    await using server = await startScriptedServer({ status: 503 });
    const client = openChangesClient({ access: { ...library.access, apiURL: `${server.url}/api/v1` } });
    await expect(client.sync(store, { live: true, onRetry })).rejects.toBe(expired);
    expect(server.requests).toHaveLength(1);
  });

  test('fetches objects that are too large for the feed, in their current state', async () => {
    await library.rename('c_huge', 'Huge', { fields: { title: { text: 'x'.repeat(1_200_000) } } });
    const store = new NotingStore();
    await openChangesClient(library, { language: 'fr' }).sync(store);
    expect(store.texts.get('c_huge')?.length).toBeGreaterThan(1_200_000);
    await expectCurrent(store);
    const page = { changes: [{ id: 'c_huge', kind: 'updated', position: 'k3' }], content: [], too_large: ['c_huge'] };
    await using server = await startScriptedServer(
      { body: { ...page, next: 'k3', has_more: false, drop_others: true } },
      { body: contentBody('c_huge') },
    );
    await openChangesClient({ access: { ...library.access, apiURL: `${server.url}/api/v1` } }).sync(new NotingStore());
    expect(server.requests[1]?.headers['cache-control']).toBe('no-cache, newest');
  });

  test('can be limited to certain content types, and starts over if the store has other types', async () => {
    const store = new NotingStore();
    const client = openChangesClient(library);
    await client.sync(store, { contentType: 'note' });
    expect([...store.texts.keys()]).toEqual(['c_note_one']);
    expect(await client.sync(store, { contentType: ['note'] })).toMatchObject({ isFullSync: false });
    expect(await client.sync(store, { contentType: ['note', 'book'] })).toMatchObject({ isFullSync: true });
    expect(await client.sync(store, { contentType: ['book', 'note'] })).toMatchObject({ isFullSync: false });
    await expectCurrent(store);
    await client.sync(store, { contentType: 'note' });
    expect([...store.texts.keys()]).toEqual(['c_note_one']);
  });

  test('fills an in-memory mirror', async () => {
    const mirror = createMemoryMirror();
    await openChangesClient(library).sync(mirror);
    expect(mirror.objects.get('c_two')?.name).toBe('two');
  });

  test('keeps a store up to date until it is aborted', async () => {
    const store = new NotingStore();
    const stop = new AbortController();
    const upToDate: unknown[] = [];
    const next = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const live = openChangesClient(library).sync(store, {
      live: true,
      signal: stop.signal,
      onUpToDate: (result) => {
        next[upToDate.push(result) - 1]?.resolve();
      },
    });
    await next[0]?.promise;
    await library.rename('c_six', 'VI');
    await next[1]?.promise;
    await expectCurrent(store);
    await library.withdraw('c_six');
    await next[2]?.promise;
    await expectCurrent(store);
    stop.abort();
    expect(await live).toEqual({ put: 10, removed: 1, isFullSync: true });
    expect(upToDate).toEqual([
      { put: 9, removed: 0, isFullSync: true },
      { put: 1, removed: 0, isFullSync: false },
      { put: 0, removed: 1, isFullSync: false },
    ]);
  });

  test('rejects with the abort reason if it is aborted', async () => {
    const stop = new AbortController();
    const syncing = openChangesClient(library).sync(new NotingStore(), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(syncing).rejects.toThrow('enough');
  });

  test('reports errors that retrying cannot fix', async () => {
    const store = new NotingStore();
    const wrongKey = openChangesClient(library, { apiKey: 'gk_wrong' }).sync(store, { live: true });
    await expect(wrongKey).rejects.toSatisfy(isUnauthenticated);
    const wrongSite = openChangesClient(library, { siteId: CLOSED }).sync(store, { live: true });
    await expect(wrongSite).rejects.toSatisfy(isForbidden);
    expect(store.batches).toEqual([]);
  });

  test('reads the feed from a URL that is set separately', async () => {
    const store = new NotingStore();
    const { url } = library.service;
    const options = { apiURL: `${url}/elsewhere`, changesURL: `${url}/changes/v1/` };
    await openChangesClient(library, options).sync(store);
    await expectCurrent(store);
  });
});

describe('a response that is not from the feed', () => {
  const PAGE = { changes: [], content: [], too_large: [], next: 'k3', has_more: false, drop_others: false };
  const change = { id: 'c_1', kind: 'updated', position: 'k3' };

  test.each([
    ['lacks the position', { ...PAGE, next: undefined }],
    ['lacks the content', { ...PAGE, content: null, changes: [change] }],
    ['has content without an ID', { ...PAGE, content: [{}], changes: [change] }],
    ['is a list from another service', { data: [contentBody('c_1')] }],
  ])('changes nothing in the store if it %s', async (_, body) => {
    await using server = await startScriptedServer({ body });
    const store = new NotingStore();
    const client = openChangesClient({ access: { apiURL: server.url, apiKey: 'gk_x', siteId: 's_1' } });
    await expect(client.sync(store)).rejects.toMatchObject({ code: 'unreadable' });
    expect(store.batches).toEqual([]);
  });

  test('is an error if it has status 410 during a full sync, and does not make the sync start over forever', async () => {
    await using server = await startScriptedServer((_, response) => answer(response, { status: 410 }));
    const client = openChangesClient({ access: { apiURL: server.url, apiKey: 'gk_x', siteId: 's_1' } });
    await expect(client.sync(new NotingStore())).rejects.toMatchObject({ status: 410 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('options', () => {
  const ACCESS = { apiURL: 'http://content.example/api/v1', apiKey: 'gk_x', siteId: 's_1' };

  test.each<[what: string, call: (client: Client) => unknown]>([
    ['store', (client) => Reflect.apply(client.sync, undefined, [{}])],
    ['batchSize', (client) => client.sync(new NotingStore(), { batchSize: 1001 })],
    ['contentType', (client) => client.sync(new NotingStore(), { contentType: '' })],
  ])('are rejected if %s is invalid, and the error names it', async (what, call) => {
    await expect(call(openChangesClient({ access: ACCESS }))).rejects.toThrow(new RegExp(`^${what} must be `));
  });

  test.each([{ apiURL: 'https://content.example/api/v2' }, { changesURL: 'content.example/changes' }])(
    'are rejected if the feed URL is missing or invalid, and the error names the option: %j',
    async (options) => {
      const sync = openChangesClient({ access: ACCESS }, options).sync(new NotingStore());
      await expect(sync).rejects.toThrow(/^changesURL must be /);
    },
  );
});
