// Pagination by page number, enabled by a header: totals, positions and page navigation.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { RECORDS } from './fixture.ts';
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
  simpleListOf,
  targetOf,
} from './reader.ts';
import { content, contentType, PRESS } from './records.ts';

/** The number of objects of each content type. With a limit of 2, a list has half as many pages. */
const COUNTS = { pages1: 2, pages2: 4, pages13: 26, pages14: 28, pages100: 200, odd: 7 } as const;

const RANK = [{ handle: 'rank', type: 'number' }];

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const contents = Object.entries(COUNTS).flatMap(([type, count]) =>
      Array.from({ length: count }, (_, index) => {
        const number = String(index + 1).padStart(3, '0');
        const fields = index % 3 === 0 ? {} : { rank: { number: index % 5 } };
        return content({ id: `${type}_${number}`, content_type: type, name: `object ${number}`, fields });
      }),
    );
    const types = Object.keys(COUNTS).map((type) => contentType(PRESS, type, RANK));
    reader = await openReader([...RECORDS, ...types, ...contents], {}, { engine });
  });

  afterAll(() => reader.close());

  async function page(query: string) {
    return simpleListOf(await reader.list(query, SIMPLE));
  }

  /** The labels in the page navigation, with the current page in brackets. */
  async function navigation(type: keyof typeof COUNTS, number: number): Promise<string> {
    const { meta } = await page(`content_type=${type}&limit=2&page=${number}`);
    return meta.links.map(({ label, active }) => (active ? `[${label}]` : label)).join(' ');
  }

  test('simple pagination is enabled by a header value of 1 or true (in upper or lower case), and by no other value', async () => {
    const isSimple = async (value: string) => {
      const reply = await reader.list('content_type=pages2', { headers: { 'x-service-simple-pagination': value } });
      return reply.text.includes('current_page');
    };
    for (const on of ['true', 'TRUE', 'True', '1', ' true ']) expect(await isSimple(on), on).toBe(true);
    for (const off of ['false', '0', '', 'yes', 'on', '2', 'true, true', 'truely']) {
      expect(await isSimple(off), off).toBe(false);
    }
    cursorListOf(await reader.list('content_type=pages2&simple=true&page=1&x-service-simple-pagination=true'));
  });

  test('a page has exactly the documented properties in links and meta, in order', async () => {
    const list = await page('content_type=pages2&limit=2');
    expect(Object.keys(list)).toEqual(['data', 'links', 'meta']);
    expect(Object.keys(list.links)).toEqual(['first', 'last', 'prev', 'next']);
    expect(Object.keys(list.meta)).toEqual([
      'current_page',
      'from',
      'last_page',
      'links',
      'path',
      'per_page',
      'to',
      'total',
    ]);
    for (const link of list.meta.links) expect(Object.keys(link)).toEqual(['url', 'label', 'active']);
  });

  test('returns page 1 with 20 objects by default', async () => {
    const list = await page('content_type=pages100&sort=name');
    expect(list.data).toHaveLength(20);
    expect(list.meta).toMatchObject({ current_page: 1, from: 1, to: 20, per_page: 20, last_page: 10, total: 200 });
    expect(await page('content_type=pages100&sort=name&page=')).toMatchObject({ meta: { current_page: 1 } });
  });

  test('returns each page with its number, its positions and the exact total', async () => {
    const whole = idsOf(await reader.list('content_type=odd&sort=name&limit=100', SIMPLE));
    for (const [number, from, to] of [
      [1, 1, 3],
      [2, 4, 6],
    ] as const) {
      const { data, meta } = await page(`content_type=odd&sort=name&limit=3&page=${number}`);
      expect(data.map(({ id }) => id)).toEqual(whole.slice(from - 1, to));
      expect(meta).toMatchObject({ current_page: number, from, to, total: 7, last_page: 3, per_page: 3 });
    }
  });

  test('visits every object exactly once across all pages, for every sort', async () => {
    for (const sort of ['name:desc', 'rank.number:asc', 'rank.number:desc', 'created_at:asc', '']) {
      const whole = idsOf(await reader.list(`content_type=pages14&sort=${sort}&limit=100`, SIMPLE));
      expect(new Set(whole).size).toBe(28);
      for (const limit of [1, 3, 9, 10, 27, 28]) {
        const pages: string[] = [];
        for (let number = 1; number <= Math.ceil(28 / limit); number++) {
          const query = `content_type=pages14&sort=${sort}&limit=${limit}&page=${number}`;
          pages.push(...idsOf(await reader.list(query, SIMPLE)));
        }
        expect(pages, `${sort} by ${limit}`).toEqual(whole);
      }
    }
  });

  test('a page has the same objects in the same order as a list in cursor mode', async () => {
    for (const sort of ['name:asc', 'rank.number:desc', '']) {
      const query = `content_type=pages13&sort=${sort}&limit=100`;
      expect((await page(query)).data).toEqual(cursorListOf(await reader.list(query)).data);
    }
  });

  test('counts only published content that matches the filters', async () => {
    const total = async (query: string) => (await page(query)).meta.total;
    expect(await total('content_type=article')).toBe(4);
    expect(await total('content_type=article&content_type=note&match=any')).toBe(6);
    expect(await total('author=u_ada')).toBe(3);
    expect(await total('fields[number][rank]=7')).toBe(3);
    expect(await total('content_type=nothing')).toBe(0);
    expect(await total('slug=a&slug=b')).toBe(0);
  });

  test('links to the first, last, previous and next page', async () => {
    const url = (number: number) => `${reader.service.url}${LIST_PATH}?content_type=pages13&limit=2&page=${number}`;
    for (const [number, prev, next] of [
      [1, null, url(2)],
      [2, url(1), url(3)],
      [13, url(12), null],
    ] as const) {
      const { links } = await page(`content_type=pages13&limit=2&page=${number}`);
      expect(links).toEqual({ first: url(1), last: url(13), prev, next });
    }
  });

  test("meta contains the endpoint's URL without parameters", async () => {
    expect((await page('content_type=pages2&limit=2&page=2')).meta.path).toBe(`${reader.service.url}${LIST_PATH}`);
  });

  test('keeps all other parameters in its URLs, in the same order and spelling', async () => {
    const query = 'x=1&content_type%5B%5D=pages13&sort[0]=name%3Aasc&limit=2&cursor=kept&empty=&q=a+b%20c';
    const list = await page(query);
    const base = `${reader.service.url}${LIST_PATH}?${query}`;
    expect(list.links.next).toBe(`${base}&page=2`);
    expect(list.meta.links.at(-2)?.url).toBe(`${base}&page=13`);
  });

  test('replaces the page parameter in any spelling', async () => {
    for (const name of ['page', 'page[]', 'page%5B0%5D', '%70age']) {
      const list = await page(`${name}=2&content_type=pages13&limit=2`);
      expect(list.links.next).toBe(`${reader.service.url}${LIST_PATH}?content_type=pages13&limit=2&page=3`);
    }
  });

  test('ignores the cursor parameter in simple mode, even if it is invalid', async () => {
    const cursor = cursorListOf(await reader.list('content_type=odd&limit=3')).meta.next_cursor;
    const first = await page('content_type=odd&limit=3');
    for (const text of [cursor, 'x', '']) {
      expect((await page(`content_type=odd&limit=3&cursor=${text}`)).data).toEqual(first.data);
    }
  });

  test('rejects a page that is not a positive integer', async () => {
    for (const number of ['0', '-1', '1.5', '1e3', 'two', '99999999999999999999', ' 1', '٢']) {
      const reply = await reader.list(`page=${encodeURIComponent(number)}`, SIMPLE);
      expect(errorOf(reply)).toEqual([
        422,
        `The page parameter is ${JSON.stringify(number)}; an integer of 1 or more is allowed.`,
      ]);
    }
    expect(errorOf(await reader.list('page=1&page=2', SIMPLE))).toEqual([
      422,
      'The page parameter takes exactly one value.',
    ]);
  });

  test('returns an empty page past the last page, with null for `from` and `to`', async () => {
    for (const number of [5, 99, Number.MAX_SAFE_INTEGER]) {
      const { data, meta, links } = await page(`content_type=odd&limit=2&page=${number}`);
      expect(data).toEqual([]);
      expect(meta).toMatchObject({ current_page: number, from: null, to: null, last_page: 4, total: 7 });
      expect(links.next).toBe(null);
      expect(links.prev).toMatch(/page=4$/);
      expect(meta.links.some(({ active }) => active)).toBe(false);
    }
  });

  test('a list has one page even when nothing matches', async () => {
    const { data, meta, links } = await page('slug=nothing');
    expect(data).toEqual([]);
    expect(meta).toMatchObject({ current_page: 1, from: null, to: null, last_page: 1, total: 0 });
    expect(links).toMatchObject({ prev: null, next: null });
    expect(links.first).toBe(links.last);
    expect(meta.links.map(({ label }) => label)).toEqual(['« Previous', '1', 'Next »']);
  });

  test('lists every page number between previous and next if there are at most 13 pages', async () => {
    expect(await navigation('pages1', 1)).toBe('« Previous [1] Next »');
    expect(await navigation('pages2', 1)).toBe('« Previous [1] 2 Next »');
    expect(await navigation('pages2', 2)).toBe('« Previous 1 [2] Next »');
    for (const current of [1, 7, 13]) {
      const pages = Array.from({ length: 13 }, (_, index) => (index + 1 === current ? `[${current}]` : `${index + 1}`));
      expect(await navigation('pages13', current)).toBe(`« Previous ${pages.join(' ')} Next »`);
    }
  });

  test('lists a window around the current page if there are 14 or more pages, with gaps for skipped pages', async () => {
    expect(await navigation('pages14', 1)).toBe('« Previous [1] 2 3 4 ... 13 14 Next »');
    expect(await navigation('pages14', 6)).toBe('« Previous 1 2 3 4 5 [6] 7 8 9 ... 13 14 Next »');
    expect(await navigation('pages14', 7)).toBe('« Previous 1 2 ... 4 5 6 [7] 8 9 10 ... 13 14 Next »');
    expect(await navigation('pages14', 9)).toBe('« Previous 1 2 ... 6 7 8 [9] 10 11 12 13 14 Next »');
    expect(await navigation('pages14', 14)).toBe('« Previous 1 2 ... 11 12 13 [14] Next »');
  });

  test('keeps the window the same size in the middle of a hundred pages', async () => {
    expect(await navigation('pages100', 1)).toBe('« Previous [1] 2 3 4 ... 99 100 Next »');
    expect(await navigation('pages100', 2)).toBe('« Previous 1 [2] 3 4 5 ... 99 100 Next »');
    expect(await navigation('pages100', 50)).toBe('« Previous 1 2 ... 47 48 49 [50] 51 52 53 ... 99 100 Next »');
    expect(await navigation('pages100', 94)).toBe('« Previous 1 2 ... 91 92 93 [94] 95 96 97 ... 99 100 Next »');
    expect(await navigation('pages100', 95)).toBe('« Previous 1 2 ... 92 93 94 [95] 96 97 98 99 100 Next »');
    expect(await navigation('pages100', 100)).toBe('« Previous 1 2 ... 97 98 99 [100] Next »');
  });

  test('lists only the first and last pages when the requested page is past the end, and marks no page as current', async () => {
    expect(await navigation('pages100', 500)).toBe('« Previous 1 2 ... 99 100 Next »');
    expect(await navigation('pages2', 9)).toBe('« Previous 1 2 Next »');
  });

  test('every navigation entry has a URL, except gaps, the previous link on the first page and the next link on the last page', async () => {
    const urlOf = (number: number) => `${reader.service.url}${LIST_PATH}?content_type=pages100&limit=2&page=${number}`;
    const { meta } = await page('content_type=pages100&limit=2&page=50');
    for (const { url, label, active } of meta.links) {
      if (label === '...') expect(url).toBe(null);
      else if (label === '« Previous') expect(url).toBe(urlOf(49));
      else if (label === 'Next »') expect(url).toBe(urlOf(51));
      else expect(url).toBe(urlOf(Number(label)));
      expect(active).toBe(label === '50');
    }
    expect((await page('content_type=pages100&limit=2')).meta.links[0]).toEqual({
      url: null,
      label: '« Previous',
      active: false,
    });
    expect((await page('content_type=pages100&limit=2&page=100')).meta.links.at(-1)).toEqual({
      url: null,
      label: 'Next »',
      active: false,
    });
  });

  test('returns a page of exactly one object without an envelope, with pagination in the Link header', async () => {
    const only = await reader.list('slug=full', SIMPLE);
    expect(contentOf(only).id).toBe('c_full');
    expect(Object.keys(linksOf(only))).toEqual(['first', 'last']);
    const middle = await reader.list('content_type=odd&sort=name&limit=1&page=3', SIMPLE);
    expect(contentOf(middle).id).toBe('odd_003');
    const numbers = Object.entries(linksOf(middle)).map(([relation, url]) => [
      relation,
      new URL(url).searchParams.get('page'),
    ]);
    expect(numbers).toEqual([
      ['first', '1'],
      ['prev', '2'],
      ['next', '4'],
      ['last', '7'],
    ]);
    const last = await reader.list('content_type=odd&sort=name&limit=2&page=4', SIMPLE);
    expect(contentOf(last).id).toBe('odd_007');
    expect(idsOf(await reader.call(targetOf(linksOf(last).prev), SIMPLE))).toEqual(['odd_005', 'odd_006']);
  });

  test('sends the same URLs in the Link header as in links', async () => {
    for (const number of [1, 2, 4, 9]) {
      const reply = await reader.list(`content_type=pages2&limit=2&page=${number}`, SIMPLE);
      const present = Object.entries(simpleListOf(reply).links).filter(([, url]) => url !== null);
      expect(linksOf(reply)).toEqual(Object.fromEntries(present));
    }
  });
});
