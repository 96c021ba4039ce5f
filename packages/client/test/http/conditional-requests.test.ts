// Answers that are kept in memory and asked for again by their ETag.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/index.ts';
import { BOOKS, type Library, openClient, openLibrary, slugsOf } from './library.ts';

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});

afterAll(() => library.close());

/** A client with a store, and the statuses of all answers that it got. */
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

test('an answer that has not changed comes back as a 304, and reads the same', async () => {
  const { client, statuses } = openKeeping();
  const first = await client.getContentById('c_one');
  expect(await client.getContentById('c_one')).toEqual(first);
  expect(statuses).toEqual([200, 304]);
});

test('without a store every answer comes whole', async () => {
  const { client, statuses } = openKeeping({ store: undefined });
  await client.getContentById('c_one');
  await client.getContentById('c_one');
  expect(statuses).toEqual([200, 200]);
});

test('what a caller does to an object stays with that object', async () => {
  const { client } = openKeeping();
  const first = await client.getContentById('c_one');
  Object.assign(first, { name: 'changed' });
  Object.assign(first.fields, { title: null });
  expect(await client.getContentById('c_one')).toMatchObject({
    name: 'one',
    fields: { title: { text: 'Volume one' } },
  });
});

test('pages go on from what was kept, bare objects too', async () => {
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

test('a change shows at once', async () => {
  const { client, statuses } = openKeeping();
  expect(slugsOf((await client.getContentByType({ contentType: 'book' })).content)).toContain('six');
  await library.service.unpublish('s_library', 'c_six');
  expect(slugsOf((await client.getContentByType({ contentType: 'book' })).content)).not.toContain('six');
  await library.service.publish('s_library', 'c_six');
  expect(statuses).toEqual([200, 200]);
});

describe('a store that several clients share', () => {
  test('never gives the answer of one key, language or mode to another', async () => {
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

  test('keeps no previews', async () => {
    const { client, statuses } = openKeeping({ isPreview: true });
    await client.getContentById('c_secret');
    await client.getContentById('c_secret');
    expect(statuses).toEqual([200, 200]);
  });

  test('is passed over where the caller asks by a tag of its own', async () => {
    const { client, statuses } = openKeeping();
    await client.getContentById('c_one');
    const call = { fetchOptions: { headers: { 'if-none-match': '"other"' } } };
    expect(await client.getContentById('c_one', call)).toMatchObject({ id: 'c_one' });
    expect(statuses).toEqual([200, 200]);
  });
});

test('a store of your own may answer later', async () => {
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
