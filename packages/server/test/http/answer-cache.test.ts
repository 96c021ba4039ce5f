// Responses come from memory only as long as nothing visible to readers has changed.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader, type Reader, type Reply } from '../conformance/reader.ts';
import { at, content, contentType, PRESS, site } from '../conformance/records.ts';

const LONG_TEXT = 'A sentence that says little. '.repeat(60);
const RECORDS = [
  site(PRESS),
  contentType(PRESS, 'note', [{ id: 'f_line', handle: 'line', name: 'Line', type: 'text' }]),
  ...['a', 'b', 'c'].map((name, index) =>
    content({ id: `c_${name}`, published_at: at(index + 1), fields: { line: { text: LONG_TEXT } } }),
  ),
];

let reader: Reader;
beforeAll(async () => {
  reader = await openReader(RECORDS);
});
afterAll(() => reader.close());

const isHit = ({ headers }: Reply): boolean => headers['cache-status'] === 'galley; hit';

test.each([
  ['an object', () => reader.get('c_a')],
  ['a list', () => reader.list('limit=2')],
  ['a numbered page', () => reader.list('limit=2', { headers: { 'x-service-simple-pagination': 'true' } })],
])('%s is identical when served from the cache, in every encoding', async (_what, ask) => {
  const made = await ask();
  const again = await ask();
  expect([isHit(made), isHit(again)]).toEqual([false, true]);
  expect(again.bytes).toEqual(made.bytes);
  expect(again.headers.etag).toBe(made.headers.etag);
});

test.each([
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
  ['gzip', gunzipSync],
] as const)('%s always decompresses to the same body', async (encoding, decompress) => {
  const plain = await reader.list('sort=name');
  const ask = () => reader.list('sort=name', { headers: { 'accept-encoding': encoding } });
  const replies = await Promise.all([ask(), ask(), ask()]);
  replies.push(await ask());
  for (const { headers, bytes } of replies) {
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.etag).not.toBe(plain.headers.etag);
    expect(decompress(bytes)).toEqual(plain.bytes);
  }
});

test('a request with a matching validator gets a 304 from the cache', async () => {
  const { headers } = await reader.list('sort=slug');
  const reply = await reader.list('sort=slug', { headers: { 'if-none-match': headers.etag } });
  expect(reply).toMatchObject({ status: 304, headers: { 'cache-status': 'galley; hit', etag: headers.etag } });
  expect(reply.bytes).toHaveLength(0);
});

test('the next response reflects a change, and the old response is never sent again', async () => {
  const ask = () => reader.list('sort=created_at');
  await ask();
  expect(isHit(await ask())).toBe(true);
  await reader.service.unpublish(PRESS, 'c_b');
  const without = await ask();
  expect([isHit(without), without.text.includes('c_b')]).toEqual([false, false]);
  await reader.service.publish(PRESS, 'c_b');
  const withIt = await ask();
  expect([isHit(withIt), withIt.text.includes('c_b')]).toEqual([false, true]);
  expect(isHit(await ask())).toBe(true);
});

test('totals and numbered pages are recalculated after a change', async () => {
  const ask = async (page: number) =>
    (await reader.list(`limit=2&sort=updated_at&page=${page}`, { headers: { 'x-service-simple-pagination': 'true' } }))
      .body;
  expect(await ask(1)).toMatchObject({ meta: { total: 3, last_page: 2 } });
  await reader.service.unpublish(PRESS, 'c_b');
  expect(await ask(1)).toMatchObject({ data: [{ id: 'c_a' }, { id: 'c_c' }], meta: { total: 2, last_page: 1 } });
  expect(await ask(2)).toMatchObject({ data: [], meta: { total: 2 } });
  await reader.service.publish(PRESS, 'c_b');
  expect(await ask(1)).toMatchObject({ meta: { total: 3, last_page: 2 } });
});

test("a change that is not visible on a site leaves the site's cached responses valid", async () => {
  const ask = () => reader.get('c_c');
  await ask();
  await reader.service.createKey({ sites: [PRESS] });
  expect(isHit(await ask())).toBe(true);
});

test('errors are never cached', async () => {
  for (const target of ['/api/v1/content/c_none', '/api/v1/content?limit=0']) {
    await reader.call(target);
    expect((await reader.call(target)).headers['cache-status']).toBeUndefined();
  }
});

test('a cache of 0 megabytes stores nothing', async () => {
  const own = await openReader(RECORDS, { GALLEY_CACHE_MB: '0' });
  await own.get('c_a');
  expect(isHit(await own.get('c_a'))).toBe(false);
  await own.close();
});
