// Cursor pagination, the default: each set continues where the previous one ended, in both directions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { RECORDS } from './fixture.ts';
import { lastOf, walk } from './list-walk.ts';
import {
  contentOf,
  cursorListOf,
  errorOf,
  idsOf,
  LIST_PATH,
  linksOf,
  openReader,
  type Reader,
  SIMPLE,
  targetOf,
} from './reader.ts';
import { content, contentType, PRESS } from './records.ts';
import { STEP_RECORDS } from './steps.ts';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader([...RECORDS, ...STEP_RECORDS], {}, { engine });
  });

  afterAll(() => reader.close());

  test('returns 20 objects by default and reports the limit', async () => {
    const many = Array.from({ length: 25 }, (_, index) => content({ id: `many_${index}`, content_type: 'many' }));
    await reader.service.importRecords([contentType(PRESS, 'many', []), ...many]);
    const list = cursorListOf(await reader.list('content_type=many'));
    expect(list.data).toHaveLength(20);
    expect(list.meta.per_page).toBe(20);
  });

  test('accepts a limit from 1 to 100 and repeats it in per_page', async () => {
    for (const limit of [2, 3, 8, 99, 100]) {
      const list = cursorListOf(await reader.list(`content_type=step&limit=${limit}`));
      expect(list.data).toHaveLength(Math.min(limit, 9));
      expect(list.meta.per_page).toBe(limit);
    }
  });

  test('rejects any other limit instead of clamping it', async () => {
    for (const limit of [
      '0',
      '-1',
      '101',
      '1000',
      '2.5',
      '1e1',
      'ten',
      '٣',
      '0x10',
      '99999999999999999999',
      ' 5',
      'null',
    ]) {
      const shown = JSON.stringify(limit);
      for (const options of [{}, SIMPLE]) {
        expect(errorOf(await reader.list(`limit=${encodeURIComponent(limit)}`, options))).toEqual([
          422,
          `The limit parameter is ${shown}; an integer from 1 to 100 is allowed.`,
        ]);
      }
    }
    expect(errorOf(await reader.list('limit=1&limit=2'))).toEqual([
      422,
      'The limit parameter takes exactly one value.',
    ]);
    expect(errorOf(await reader.list('limit[a]=1'))).toEqual([422, 'The limit parameter takes exactly one value.']);
  });

  test('always returns null for first and last', async () => {
    for (const reply of await walk(reader, 'content_type=step&limit=2')) {
      if (idsOf(reply).length === 1) continue;
      expect(cursorListOf(reply).links).toMatchObject({ first: null, last: null });
    }
  });

  test('returns exactly the documented properties in links and meta, in order', async () => {
    const list = cursorListOf(await reader.list('content_type=step&limit=2'));
    expect(Object.keys(list.links)).toEqual(['first', 'last', 'prev', 'next']);
    expect(Object.keys(list.meta)).toEqual(['path', 'per_page', 'next_cursor', 'prev_cursor']);
  });

  test('returns no prev link for the first set and no next link for the last', async () => {
    const sets = (await walk(reader, 'content_type=step&limit=3')).map(cursorListOf);
    expect(sets.map(({ links }) => [links.prev === null, links.next === null])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(sets.map(({ meta }) => [meta.prev_cursor === null, meta.next_cursor === null])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    const whole = cursorListOf(await reader.list('content_type=step&limit=9'));
    expect([whole.links.prev, whole.links.next]).toEqual([null, null]);
  });

  test('visits every object exactly once, in order, for every limit and sort', async () => {
    for (const sort of ['name:asc', 'rank.number:desc', 'rank.number:asc', 'created_at:desc', 'title.text:asc', '']) {
      const whole = idsOf(await reader.list(`content_type=step&limit=100&sort=${sort}`));
      for (const limit of [1, 2, 3, 4, 8]) {
        const sets = await walk(reader, `content_type=step&sort=${sort}&limit=${limit}`);
        expect(sets.flatMap(idsOf), `${sort} by ${limit}`).toEqual(whole);
      }
    }
  });

  test('returns the same set after following next and then prev', async () => {
    for (const sort of ['name:asc', 'rank.number:desc', 'created_at:asc']) {
      const sets = await walk(reader, `content_type=step&sort=${sort}&limit=2`);
      for (const [index, set] of sets.entries()) {
        const { prev } = linksOf(set);
        const before = sets[index - 1];
        if (before === undefined) {
          expect(prev).toBeUndefined();
          continue;
        }
        expect(idsOf(await reader.call(targetOf(prev))), `${sort}, set ${index}`).toEqual(idsOf(before));
      }
    }
  });

  test('returns the same lists with the same links when a client pages backwards', async () => {
    const first = cursorListOf(await reader.list('content_type=step&limit=3&sort=name'));
    const second = cursorListOf(await reader.call(targetOf(first.links.next)));
    const back = cursorListOf(await reader.call(targetOf(second.links.prev)));
    expect(back.data).toEqual(first.data);
    expect(back.links.prev).toBe(null);
    expect(back.meta.next_cursor).toBe(first.meta.next_cursor);
  });

  test('uses the cursors from meta in the URLs in links', async () => {
    const first = cursorListOf(await reader.list('content_type=step&limit=3'));
    const second = cursorListOf(await reader.call(targetOf(first.links.next)));
    expect(new URL(second.links.next ?? '').searchParams.get('cursor')).toBe(second.meta.next_cursor);
    expect(new URL(second.links.prev ?? '').searchParams.get('cursor')).toBe(second.meta.prev_cursor);
    const byHand = await reader.list(`content_type=step&limit=3&cursor=${first.meta.next_cursor}`);
    expect(cursorListOf(byHand).data).toEqual(second.data);
  });

  test('keeps all other parameters in its URLs, in the same order and spelling', async () => {
    const query = 'x=1&content_type%5B%5D=step&sort[0]=name%3Aasc&limit=2&empty=&flag&x=2&q=a+b%20c';
    const first = cursorListOf(await reader.list(query));
    const base = `${reader.service.url}${LIST_PATH}`;
    expect(first.links.next).toBe(`${base}?${query}&cursor=${first.meta.next_cursor}`);
    const second = cursorListOf(await reader.call(targetOf(first.links.next)));
    expect(second.links.prev).toBe(`${base}?${query}&cursor=${second.meta.prev_cursor}`);
    expect(second.links.next).toBe(`${base}?${query}&cursor=${second.meta.next_cursor}`);
  });

  test('replaces the cursor parameter in any spelling, and keeps an unused page parameter', async () => {
    const first = cursorListOf(await reader.list('content_type=step&limit=2'));
    const cursor = first.meta.next_cursor;
    for (const name of ['cursor', 'cursor[]', 'cursor%5B0%5D', '%63ursor']) {
      const reply = await reader.list(`${name}=${cursor}&content_type=step&limit=2&page=7`);
      const list = cursorListOf(reply);
      expect(list.links.next).toBe(
        `${reader.service.url}${LIST_PATH}?content_type=step&limit=2&page=7&cursor=${list.meta.next_cursor}`,
      );
    }
  });

  test("returns absolute URLs in links, and the endpoint's URL without parameters in meta", async () => {
    const { meta, links } = cursorListOf(await reader.list('content_type=step&limit=2'));
    expect(meta.path).toBe(`${reader.service.url}${LIST_PATH}`);
    expect(links.next?.startsWith(`${meta.path}?`)).toBe(true);
  });

  test('ignores the page parameter in cursor mode, even if it is invalid', async () => {
    for (const page of ['2', '0', 'x', '']) {
      expect(idsOf(await reader.list(`content_type=step&limit=3&page=${page}`))).toEqual(
        idsOf(await reader.list('content_type=step&limit=3')),
      );
    }
  });

  test('returns a set of exactly one object without an envelope, with pagination in the Link header', async () => {
    const first = await reader.list('content_type=step&sort=name&limit=1');
    expect(contentOf(first).id).toBe('step_9');
    expect(Object.keys(linksOf(first))).toEqual(['next']);
    const second = await reader.call(targetOf(linksOf(first).next));
    expect(contentOf(second).id).toBe('step_8');
    expect(Object.keys(linksOf(second))).toEqual(['prev', 'next']);
    expect(contentOf(await reader.call(targetOf(linksOf(second).prev))).id).toBe('step_9');
  });

  test('returns no envelope when the filters match only one object or the last set contains only one', async () => {
    const only = await reader.list('slug=full');
    expect(contentOf(only).id).toBe('c_full');
    expect(only.headers.link).toBeUndefined();
    const sets = await walk(reader, 'content_type=step&sort=name&limit=4');
    expect(sets.map((set) => idsOf(set).length)).toEqual([4, 4, 1]);
    const last = lastOf(sets);
    expect(contentOf(last).id).toBe('step_1');
    expect(Object.keys(linksOf(last))).toEqual(['prev']);
  });

  test('sends the same URLs in the Link header as in links', async () => {
    for (const reply of await walk(reader, 'content_type=step&sort=name&limit=3')) {
      const { links } = cursorListOf(reply);
      const present = Object.entries(links).filter(([, url]) => url !== null);
      expect(linksOf(reply)).toEqual(Object.fromEntries(present));
    }
  });

  test('omits URLs that would make the Link header too large for clients, but keeps them in links', async () => {
    const query = `content_type=step&sort=name&limit=2&note=${'x'.repeat(7500)}`;
    const second = await reader.call(targetOf(linksOf(await reader.list(query)).next));
    expect(Object.keys(linksOf(second))).toEqual(['next']);
    const { links } = cursorListOf(second);
    expect([links.prev === null, links.next === null]).toEqual([false, false]);
  });
});
