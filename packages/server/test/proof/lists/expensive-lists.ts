// The most expensive lists: many sort keys, filters that match everything, cursors, distant pages, and a parameter that defeats the cache.

import { cursorListOf, openReader, type Reader, type Reply } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import type { Engine } from '../../support/test-database.ts';

const NUMBERS = ['n0', 'n1', 'n2', 'n3'];
const TEXTS = ['t0', 't1', 't2', 't3'];
const SORTS = [...NUMBERS.map((handle) => `${handle}.number`), ...TEXTS.map((handle) => `${handle}.text:desc`)];
const SORTED = SORTS.map((sort) => `sort[]=${sort}`).join('&');
const FILTERED = [
  ...NUMBERS.flatMap((handle) => [`fields[number][${handle}][]=1`, `fields[number][${handle}][]=2`]),
  ...TEXTS.flatMap((handle) => [`fields[text][${handle}][]=same`, `fields[text][${handle}][]=other`]),
  'match=any',
].join('&');

/** Returns the objects in ID order. */
export const EXPENSIVE = `limit=2&${SORTED}&${FILTERED}`;

/** All objects have the same values, so the database compares every sort key of every object. */
export function openExpensiveSite(engine: Engine, objects: number): Promise<Reader> {
  const fields = Object.fromEntries([
    ...NUMBERS.map((handle) => [handle, { number: 1 }]),
    ...TEXTS.map((handle) => [handle, { text: 'same' }]),
  ]);
  const records = [
    site(PRESS),
    contentType(PRESS, 'post', [
      ...NUMBERS.map((handle) => ({ handle, type: 'number' })),
      ...TEXTS.map((handle) => ({ handle, type: 'text' })),
    ]),
    ...Array.from({ length: objects }, (_, index) => {
      const id = `c_${String(index).padStart(5, '0')}`;
      return content({ id, content_type: 'post', slug: id, name: 'same', fields });
    }),
  ];
  return openReader(records, { GALLEY_METRICS: 'true' }, { engine });
}

let asked = 0;

/** Sends a request whose response is not in the cache. */
export function askAnew(reader: Reader, query: string, options = {}): Promise<Reply> {
  asked += 1;
  return reader.list(`${query}&random=${asked}`, options);
}

/** Lists with a cursor, filters or sort keys. */
export async function listExpensive(reader: Reader): Promise<readonly string[]> {
  const first = cursorListOf(await reader.list(`limit=100&${SORTED}`)).meta.next_cursor;
  const cursor = cursorListOf(await reader.list(`limit=100&${SORTED}&cursor=${first}`)).meta.next_cursor;
  return [
    EXPENSIVE,
    `${EXPENSIVE}&cursor=${cursor}`,
    `limit=2&${SORTED}`,
    `limit=2&${FILTERED}`,
    `limit=2&author=u_nobody&sort=name&${FILTERED}`,
    `limit=2&fields[text][t0]=nothing&${SORTED}`,
  ];
}

/** Distant pages and totals of lists, for requests with simple pagination. */
export function listDistantPages(objects: number): readonly string[] {
  return [1, objects / 10, objects / 2].flatMap((page) =>
    [SORTED, FILTERED, `sort=name&${FILTERED}`, 'fields[text][t0]=nothing'].map(
      (list) => `limit=2&${list}&page=${page}`,
    ),
  );
}
