// Responses that are kept in a store and revalidated by ETag.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerStore, createClient, createMemoryStore, type StoredAnswer } from '../../src/index.ts';
import { BOOKS, type Library, openClient, openLibrary, slugsOf } from './library.ts';
import { contentBody } from './scripted-server.ts';

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});

afterAll(() => library.close());

/** A client with a store, and the statuses of all responses it received. */
function openKeeping(options: Partial<Parameters<typeof openClient>[1]> = {}) {
  const statuses: number[] = [];
  const client = openClient(library, {
    store: createMemoryStore(),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    },
    ...options,
  });
  return { client, statuses };
}

test('revalidates an unchanged response with a 304 and returns the same content', async () => {
  const { client, statuses } = openKeeping();
  const first = await client.getContentById('c_one');
  expect(await client.getContentById('c_one')).toEqual(first);
  expect(statuses).toEqual([200, 304]);
});

test('fetches every response in full if there is no store', async () => {
  const { client, statuses } = openKeeping({ store: undefined });
  await client.getContentById('c_one');
  await client.getContentById('c_one');
  expect(statuses).toEqual([200, 200]);
});

test('does not change the stored response when a returned object is changed', async () => {
  const { client } = openKeeping();
  const first = await client.getContentById('c_one');
  Object.assign(first, { name: 'changed' });
  Object.assign(first.fields, { title: null });
  expect(await client.getContentById('c_one')).toMatchObject({
    name: 'one',
    fields: { title: { text: 'Volume one' } },
  });
});

test('reads the next and previous pages from stored responses, including pages with a single object', async () => {
  const { client, statuses } = openKeeping();
  for (const round of [200, 304]) {
    const seen: string[] = [];
    let page = await client.getContentByType({ contentType: 'book', limit: 3 });
    seen.push(...slugsOf(page.content));
    while (page.nextPage !== undefined) {
      page = await page.nextPage();
      seen.push(...slugsOf(page.content));
    }
    expect(seen).toEqual(BOOKS);
    expect(slugsOf((await page.prevPage?.())?.content ?? [])).toEqual(['four', 'three', 'two']);
    expect(statuses.splice(0)).toEqual([round, round, round, round]);
  }
});

test('returns changed content immediately', async () => {
  const { client, statuses } = openKeeping();
  expect(slugsOf((await client.getContentByType({ contentType: 'book' })).content)).toContain('six');
  await library.service.unpublish('s_library', 'c_six');
  expect(slugsOf((await client.getContentByType({ contentType: 'book' })).content)).not.toContain('six');
  await library.service.publish('s_library', 'c_six');
  expect(statuses).toEqual([200, 200]);
});

describe('a store shared by several clients', () => {
  test('never mixes up responses for different keys, languages or pagination modes', async () => {
    const store = createMemoryStore();
    const { token } = await library.service.createKey({ sites: ['s_library'] });
    for (const [options, expected] of [
      [{}, [200, 304]],
      [{ apiKey: token }, [200, 304]],
      [{ language: 'en' }, [200, 304]],
      [{ language: 'fr', fallbackDefaultLanguage: true }, [200, 304]],
      [{ simplePagination: true }, [200, 304]],
      [{}, [304, 304]],
    ] as const) {
      const { client, statuses } = openKeeping({ store, ...options });
      await client.getContent();
      await client.getContent();
      expect(statuses).toEqual(expected);
    }
  });

  test('never mixes up responses for different sites', async () => {
    const store = createMemoryStore();
    const seen: (string | null)[] = [];
    const fetch = async (_: string, init: RequestInit): Promise<Response> => {
      seen.push(new Headers(init.headers).get('if-none-match'));
      return Response.json(contentBody('c_1'), { headers: { etag: '"1"' } });
    };
    const access = { apiURL: 'http://content.example', apiKey: 'k_1', store, fetch };
    for (const siteId of ['s_1', 's_2', 's_1']) await createClient({ ...access, siteId }).getContentById('c_1');
    expect(seen).toEqual([null, null, '"1"']);
  });

  test('is not used for previews, whatever caching headers the server sends', async () => {
    const store = createMemoryStore();
    const seen: (string | null)[] = [];
    const client = createClient({
      apiURL: 'http://content.example',
      apiKey: 'k_1',
      siteId: 's_1',
      store,
      fetch: async (_, init) => {
        seen.push(new Headers(init.headers).get('if-none-match'));
        return Response.json(contentBody('c_1'), { headers: { etag: '"1"' } });
      },
    });
    const byHeader = { fetchOptions: { headers: { 'X-SERVICE-PREVIEW': 'true' } } };
    for (const call of [{}, { isPreview: true }, { isPreview: true }, byHeader, byHeader, {}]) {
      await client.getContentById('c_1', call);
    }
    expect(seen).toEqual([null, null, null, null, null, '"1"']);
  });

  test('never contains previews', async () => {
    const { client, statuses } = openKeeping({ isPreview: true });
    await client.getContentById('c_secret');
    await client.getContentById('c_secret');
    expect(statuses).toEqual([200, 200]);
  });

  test('is bypassed when the caller sends its own If-None-Match', async () => {
    const { client, statuses } = openKeeping();
    await client.getContentById('c_one');
    const call = { fetchOptions: { headers: { 'if-none-match': '"other"' } } };
    expect(await client.getContentById('c_one', call)).toMatchObject({ id: 'c_one' });
    expect(statuses).toEqual([200, 200]);
  });
});

test('supports an asynchronous store', async () => {
  const kept = new Map<string, Parameters<ReturnType<typeof createMemoryStore>['set']>[1]>();
  const { client, statuses } = openKeeping({
    store: {
      get: async (key) => kept.get(key),
      set: async (key, answer) => {
        kept.set(key, answer);
      },
    },
  });
  await client.getContentById('c_one');
  expect(await client.getContentById('c_one')).toMatchObject({ slug: 'one' });
  expect(statuses).toEqual([200, 304]);
});

describe('a failing store', () => {
  const never = new Promise<undefined>(() => {});
  const fail = (): never => {
    throw new Error('store down');
  };
  const reject = async (): Promise<undefined> => fail();

  /** Wraps a `get` that may return values its type does not allow. */
  function withStore(get: () => unknown, set: () => void | Promise<void> = () => {}) {
    const store: AnswerStore = { get: () => undefined, set };
    return openKeeping({ store: Object.assign(store, { get }) });
  }

  test.each([
    ['returns null', () => null],
    ['throws', fail],
    ['rejects', reject],
    ['returns an ETag that no header can contain', () => ({ etag: '"\n"', body: '{"id":"c_one"}', link: null })],
    ['returns something that is not a response', () => 5],
  ])('is ignored when it %s', async (_, get) => {
    const { client, statuses } = withStore(get);
    expect(await client.getContentById('c_one')).toMatchObject({ id: 'c_one', slug: 'one' });
    expect(statuses).toEqual([200]);
  });

  test('is ignored when a stored body is truncated, and its ETag is not sent', async () => {
    const client = createClient({
      apiURL: 'http://content.example',
      apiKey: 'k_1',
      siteId: 's_1',
      store: { get: () => ({ etag: '"1"', body: '{"id":"c_1","na', link: null }), set: () => {} },
      fetch: async (_, init) =>
        new Headers(init.headers).has('if-none-match')
          ? new Response(null, { status: 304 })
          : Response.json(contentBody('c_1')),
    });
    expect(await client.getContentById('c_1')).toMatchObject({ id: 'c_1' });
  });

  test.each([
    ['throws', fail],
    ['rejects', reject],
  ])('is ignored when saving %s', async (_, set) => {
    expect(await withStore(() => undefined, set).client.getContentById('c_one')).toMatchObject({ id: 'c_one' });
  });

  test('is ignored if it takes longer than the timeout for one attempt', async () => {
    const client = createClient({
      apiURL: 'http://content.example',
      apiKey: 'k_1',
      siteId: 's_1',
      timeout: 20,
      store: { get: () => never, set: () => never },
      fetch: async () => Response.json(contentBody('c_1'), { headers: { etag: '"1"' } }),
    });
    expect(await client.getContentById('c_1')).toMatchObject({ id: 'c_1' });
  });

  test('does not delay the rejection when a signal aborts the call', async () => {
    const controller = new AbortController();
    const { client, statuses } = withStore(() => never);
    const result = client.getContentById('c_one', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    expect(statuses).toEqual([]);
  });

  test('is ignored for the whole call if it responds after the first request was sent', async () => {
    const { promise, resolve } = Promise.withResolvers<StoredAnswer>();
    const tags: (string | null)[] = [];
    const client = createClient({
      apiURL: 'http://content.example',
      apiKey: 'k_1',
      siteId: 's_1',
      timeout: 20,
      store: { get: () => promise, set: () => {} },
      fetch: async (_, init) => {
        tags.push(new Headers(init.headers).get('if-none-match'));
        resolve({ etag: '"late"', body: '{"id":"late"}', link: null });
        return tags.length === 1 ? Response.json({}, { status: 503 }) : Response.json(contentBody('c_1'));
      },
    });
    expect(await client.getContentById('c_1')).toMatchObject({ id: 'c_1' });
    expect(tags).toEqual([null, null]);
  });
});

test('uses the stored pagination links when a 304 has none', async () => {
  let sent = 0;
  const client = createClient({
    apiURL: 'http://content.example',
    apiKey: 'k_1',
    siteId: 's_1',
    store: createMemoryStore(),
    fetch: async (_, init) => {
      sent += 1;
      if (new Headers(init.headers).has('if-none-match')) return new Response(null, { status: 304 });
      const headers = { etag: '"1"', link: '</content?cursor=1>; rel="next"' };
      return Response.json(contentBody('c_1'), { headers });
    },
  });
  for (const count of [1, 2]) {
    expect(await client.getContent()).toHaveProperty('nextPage');
    expect(sent).toBe(count);
  }
});
