// Reading lists page by page in both modes, to the end and back.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnySite,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type PageOf,
} from '../../src/index.ts';
import { BOOKS, type Library, openClient, openLibrary, slugsOf } from './library.ts';
import { contentBody } from './scripted-server.ts';

type Page = PageOf<AnySite, string>;

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});

afterAll(() => library.close());

/** Reads all pages to the end, then all pages back to the first. */
async function walkThereAndBack(start: Page): Promise<{ there: Page[]; back: Page[] }> {
  const there = [start];
  let page = start;
  while (page.nextPage !== undefined) {
    page = await page.nextPage();
    there.push(page);
  }
  const back = [page];
  while (page.prevPage !== undefined) {
    page = await page.prevPage();
    back.push(page);
  }
  return { there, back };
}

function cut(size: number): string[][] {
  return Array.from({ length: Math.ceil(BOOKS.length / size) }, (_, index) => [
    ...BOOKS.slice(index * size, (index + 1) * size),
  ]);
}

describe.each([
  { mode: 'cursor', simplePagination: false },
  { mode: 'simple', simplePagination: true },
])('in $mode mode', ({ simplePagination }) => {
  let client: Client;

  beforeAll(() => {
    client = openClient(library, { simplePagination });
  });

  test('reads pages of any size to the end and back, including pages with a single object', async () => {
    // With a limit of 1, every page contains a single object. With a limit of 2 or 3, only the last page does.
    for (const limit of [1, 2, 3, 4, 7, 100]) {
      const start = await client.getContentByType({ contentType: 'book', limit });
      const { there, back } = await walkThereAndBack(start);
      expect(there.map((page) => slugsOf(page.content))).toEqual(cut(limit));
      expect(back.map((page) => slugsOf(page.content))).toEqual(cut(limit).reverse());
      expect(there[0]).not.toHaveProperty('prevPage');
      expect(there.at(-1)).not.toHaveProperty('nextPage');
    }
  });

  test('keeps all parameters, including arrays and objects', async () => {
    const params = {
      content_type: ['book'],
      sort: ['rank.number:asc', 'name'] as const,
      fields: { is_on: { is_lent: true } },
      limit: 1,
    };
    const { there } = await walkThereAndBack(await client.getContent({ params }));
    expect(there.flatMap((page) => slugsOf(page.content))).toEqual(['seven', 'three', 'one', 'five'].sort(byRank));
  });

  test('accepts options for each page, and inherits all options except the signal', async () => {
    const first = new AbortController();
    const french = { language: 'fr', fallbackDefaultLanguage: true, signal: first.signal };
    const start = await client.getContentByType({ contentType: 'book', limit: 4 }, french);
    first.abort();
    const second = await start.nextPage?.();
    expect([...slugsOf(start.content), ...slugsOf(second?.content ?? [])]).toContain('un');
    await expect(start.nextPage?.({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

/** Compares two books by the rank that the fixture gives them. */
function byRank(one: string, other: string): number {
  const rank = (slug: string): number => (BOOKS.indexOf(slug) * 3) % 7;
  return rank(one) - rank(other);
}

/** Opens a list whose pages all have the same next link, and records its requests. */
async function openScripted(next: unknown, call: CallOptions = {}, options: Partial<ClientOptions> = {}) {
  const sent: { readonly url: URL; readonly headers: Headers; readonly signal: RequestInit['signal'] }[] = [];
  const client = createClient({
    apiURL: 'http://content.example',
    apiKey: 'k_1',
    siteId: 's_1',
    fetch: async (url, init) => {
      sent.push({ url: new URL(url), headers: new Headers(init.headers), signal: init.signal });
      return Response.json({ data: [contentBody('c_1'), contentBody('c_2')], links: { next } });
    },
    ...options,
  });
  return { client, sent, page: client.getContent({ params: { slug: 'x' } }, call) };
}

describe('the next page', () => {
  test('sends the headers from the first call together with its own', async () => {
    const { page, sent } = await openScripted('?cursor=1', { fetchOptions: { headers: { 'x-a': '1', 'x-b': '1' } } });
    await (await page).nextPage?.({ fetchOptions: { headers: { 'x-b': '2' } } });
    expect([sent[1]?.headers.get('x-a'), sent[1]?.headers.get('x-b')]).toEqual(['1', '2']);
  });

  test("keeps the first call's options where its own are undefined", async () => {
    const first = { language: 'fr', isPreview: true };
    const { page, sent } = await openScripted('?cursor=1', first);
    await (await page).nextPage?.({ language: undefined, fetchOptions: undefined });
    expect(sent[1]?.headers.get('x-service-language')).toBe('fr');
    expect(sent[1]?.headers.get('x-service-preview')).toBe('true');
  });

  test('shows previews if the first page did, and otherwise published content, whatever its own options say', async () => {
    for (const isPreview of [true, false]) {
      const { page, sent } = await openScripted('?cursor=1', { isPreview });
      const other: CallOptions = { isPreview: !isPreview };
      await (await page).nextPage?.(other);
      expect(sent[1]?.headers.get('x-service-preview')).toBe(isPreview ? 'true' : null);
    }
  });

  test("is aborted by the client's fetchOptions.signal, but not by the first call's", async () => {
    const [ofCall, ofClient] = [new AbortController(), new AbortController()];
    const { page, sent } = await openScripted(
      '?cursor=1',
      { fetchOptions: { signal: ofCall.signal } },
      { fetchOptions: { signal: ofClient.signal } },
    );
    const { nextPage } = await page;
    ofCall.abort(new Error('over'));
    expect((await nextPage?.())?.content).toHaveLength(2);
    ofClient.abort(new Error('all over'));
    await expect(nextPage?.()).rejects.toThrow('all over');
    expect(sent).toHaveLength(2);
  });

  test.each(['javascript:alert(1)', 'https://x.example/content', '?', '?#a', 5, { href: 'a?b' }, ['a?cursor=1'], true])(
    'is rejected as unreadable if its link is unusable (%j)',
    async (next) => {
      const { page, sent } = await openScripted(next);
      await expect((await page).nextPage?.()).rejects.toMatchObject({ code: 'unreadable', retryable: false });
      expect(sent).toHaveLength(1);
    },
  );

  test.each(['?cursor=1', '?page=x', '?page=0', '?page=1.5', 'nowhere'])(
    'requires a valid page number in simple mode: %s',
    async (next) => {
      const { page } = await openScripted(next, {}, { simplePagination: true });
      await expect(page).rejects.toMatchObject({ code: 'unreadable' });
    },
  );

  test('is taken from the Link header when the envelope has no links', async () => {
    const client = createClient({
      apiURL: 'http://content.example',
      apiKey: 'k_1',
      siteId: 's_1',
      fetch: async (url) =>
        url.includes('cursor')
          ? Response.json({ data: [] })
          : Response.json({ data: [contentBody('c_1')] }, { headers: { link: '</content?cursor=1>; rel="next"' } }),
    });
    expect((await (await client.getContent()).nextPage?.())?.content).toEqual([]);
  });
});

describe('pagination in simple mode', () => {
  test('keeps a fallback that was set as an option', async () => {
    const client = openClient(library, { simplePagination: true, language: 'fr', fallbackDefaultLanguage: true });
    const { pagination } = await client.getContentByType({ contentType: 'book', limit: 4 });
    expect(pagination?.next).toMatchObject({ fallback_default_language: true, limit: 4, page: 2 });
    const plain = openClient(library, { simplePagination: true, language: 'fr' });
    if (!pagination?.next) throw new Error('There is no next page');
    expect((await plain.getContent({ params: pagination.next })).content).toHaveLength(3);
  });

  test("keeps the request's parameters and changes only the page, even for single objects", async () => {
    const client = openClient(library, { simplePagination: true });
    for (const [limit, last] of [
      [1, 7],
      [2, 4],
      [3, 3],
    ] as const) {
      const params = { content_type: 'book', sort: ['name:asc'] as const, limit, slug: undefined };
      const asked = { content_type: 'book', sort: ['name:asc'], limit };
      const start = await client.getContent({ params });
      expect(start.pagination).toStrictEqual({
        first: { ...asked, page: 1 },
        last: { ...asked, page: last },
        prev: null,
        next: { ...asked, page: 2 },
      });
      const { there } = await walkThereAndBack(start);
      expect(there.at(-1)?.pagination).toStrictEqual({
        first: { ...asked, page: 1 },
        last: { ...asked, page: last },
        prev: { ...asked, page: last - 1 },
        next: null,
      });
    }
  });

  test('returns links to all of its pages', async () => {
    const client = openClient(library, { simplePagination: true });
    const { pagination } = await client.getContentByType({ contentType: 'book', limit: 2 });
    if (!pagination?.last) throw new Error('There is no last page');
    expect(slugsOf((await client.getContent({ params: pagination.last })).content)).toEqual(['one']);
  });

  test('links back from a page past the end of the list', async () => {
    const client = openClient(library, { simplePagination: true });
    const page = await client.getContent({ params: { content_type: 'book', limit: 2, page: 99 } });
    expect(page.content).toEqual([]);
    expect(page.pagination).toMatchObject({ first: { page: 1 }, last: { page: 4 }, prev: { page: 4 }, next: null });
    expect(slugsOf((await page.prevPage?.())?.content ?? [])).toEqual(['one']);
  });

  test('returns separate parameter objects for each page', async () => {
    const client = openClient(library, { simplePagination: true });
    const params = { fields: { text: { title: ['Volume one'] } } };
    const { pagination } = await client.getContent({ params });
    expect(pagination?.first?.fields).toEqual(params.fields);
    expect(pagination?.first?.fields).not.toBe(params.fields);
    expect(pagination?.first?.fields).not.toBe(pagination?.last?.fields);
  });
});
