// Objects can be large, and links embed whole objects in others. Even so, responses stay within a size limit.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { errorOf, idsOf, openReader, type Reader, type Reply } from './reader.ts';
import { content, contentType, PRESS, site } from './records.ts';

const COUNT = 45;
const IDS = Array.from({ length: COUNT }, (_, index) => `c_${index}`);
const TEXT = 'long text '.repeat(2000);
/** Together, these objects are too large to be rendered on the main thread, but a single one is not. */
const PARTS = Array.from({ length: 5 }, (_, index) => `c_part_${index}`);
/** Characters of one to four bytes. */
const PART_TEXT = 'caf\u00e9 \u20ac \u{1f600} '.repeat(16_000);

function buildText(id: string): string {
  return `${id} ${PART_TEXT.repeat(id === 'c_whole' ? 5 : 1)}`;
}

const PART_RECORDS = [
  site(PRESS),
  contentType(PRESS, 'part', [{ handle: 'body', type: 'text' }]),
  ...[...PARTS, 'c_whole'].map((id) =>
    content({ id, content_type: 'part', fields: { body: { text: buildText(id) } } }),
  ),
];
const STORY_RECORDS = [
  contentType(PRESS, 'story', [
    { handle: 'body', type: 'text' },
    { handle: 'related', type: 'content_links' },
  ]),
  ...IDS.map((id) =>
    content({ id, content_type: 'story', fields: { body: { text: TEXT }, related: { content_links: IDS } } }),
  ),
];
const LIST = 'content_type=part&sort=slug:desc&limit=5';

let reader: Reader;

describe.each(ENGINES)('a response of more than a megabyte on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(PART_RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  test('contains each object with the same bytes as when it is fetched on its own', async () => {
    const list = await reader.list(LIST);
    const ids = idsOf(list);
    expect(ids).toHaveLength(5);
    const objects: Reply[] = [];
    for (const id of ids) objects.push(await reader.get(id));
    expect(objects.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(list.text.startsWith(`{"data":[${objects.map(({ text }) => text).join(',')}],"links":`)).toBe(true);
    expect(list.headers['content-length']).toBe(String(list.bytes.length));
    expect(list.bytes.length).toBeGreaterThan(1024 * 1024);
  });

  test('is cached like any other, and changes as soon as anything in it changes', async () => {
    const query = `${LIST}&content_type=part`;
    const first = await reader.list(query);
    expect(first.headers['cache-status']).toBe('galley; fwd=miss');
    const again = await reader.list(query);
    expect(again.headers).toMatchObject({ 'cache-status': 'galley; hit', etag: first.headers.etag });
    expect(again.bytes.equals(first.bytes)).toBe(true);
    const text = `changed ${PART_TEXT}`;
    await reader.service.importRecords([content({ id: 'c_part_3', content_type: 'part', fields: { body: { text } } })]);
    const changed = await reader.list(query);
    expect(changed.headers['cache-status']).toBe('galley; fwd=miss');
    expect(changed.headers.etag).not.toBe(first.headers.etag);
    expect(changed.text).toContain('changed caf\u00e9');
    const stale = await reader.list(query, { headers: { 'if-none-match': String(first.headers.etag) } });
    expect(stale.status).toBe(200);
  });
});

describe('a response of more than a megabyte', () => {
  beforeAll(async () => {
    reader = await openReader([...PART_RECORDS, ...STORY_RECORDS]);
  });

  afterAll(() => reader.close());

  test('is refused if its objects are too large for memory, with the advice to request fewer objects', async () => {
    expect(errorOf(await reader.list(`limit=${COUNT}`))).toEqual([
      422,
      `The ${COUNT} objects together are larger than 32 MB; ask for fewer with the limit parameter.`,
    ]);
    expect(idsOf(await reader.list('limit=5'))).toHaveLength(5);
  });

  test('has an ETag in the usual format, which works like any other', async () => {
    const [small, large] = [await reader.get('c_part_0'), await reader.get('c_whole')];
    const version = String(small.headers.etag).slice(-10);
    expect(large.headers.etag).toMatch(/^"[\w-]{22}-/);
    expect(String(large.headers.etag).endsWith(version)).toBe(true);
    for (const target of ['/api/v1/content/c_whole', `/api/v1/content?${LIST}`]) {
      const before = await reader.call(target);
      const { etag } = before.headers;
      const confirmed = await reader.call(target, { headers: { 'if-none-match': String(etag) } });
      expect([confirmed.status, confirmed.bytes.length, confirmed.headers.etag]).toEqual([304, 0, etag]);
      const head = await reader.call(target, { method: 'HEAD' });
      const { 'content-length': length, link } = before.headers;
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      expect(head.headers).toMatchObject({ etag, 'content-length': length, ...(link === undefined ? {} : { link }) });
    }
  });

  test('is compressed like any other', async () => {
    const plain = await reader.list(LIST);
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await reader.list(LIST, { headers: { 'accept-encoding': encoding } });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${encoding}"`));
      expect(decompress(packed.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test('is never cached if it is a preview', async () => {
    const { token } = await reader.service.createKey({ sites: [PRESS], preview: true });
    const preview = await reader.list(LIST, { token, headers: { 'x-service-preview': 'true' } });
    expect(preview.headers['cache-control']).toBe('private, no-cache, no-store');
    expect(preview.headers['cache-status']).toBe('galley; fwd=miss');
    expect(idsOf(preview)).toHaveLength(5);
  });

  test('links to the next set', async () => {
    const first = await reader.list('content_type=part&sort=slug&limit=3');
    const next = /[?&]cursor=([\w-]+)/.exec(String(first.headers.link))?.[1];
    const second = await reader.list(`content_type=part&sort=slug&limit=3&cursor=${next}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([...PARTS, 'c_whole']);
  });
});
