import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CursorKey, decodeCursor } from './cursor.ts';
import { buildCursorAnswer, buildListUrl, buildPageLinks, buildSimpleAnswer } from './envelope.ts';
import { DEFAULT_SORTS } from './sort.ts';

const ADDRESS = { path: 'https://content.example/api/v1/content', queryString: 'limit=2' };
const REALM = { key: new CursorKey(Buffer.alloc(32, 7)), siteId: 's_one', audience: 'public' };
const EDGE = { position: { id: 'c_1', keys: [5] }, isInclusive: false };

function cursorAnswer(objects: readonly string[], parts = {}) {
  const envelope = { objects, limit: 2, sorts: DEFAULT_SORTS, realm: REALM, previous: null, next: null, ...parts };
  return buildCursorAnswer(envelope, ADDRESS);
}

describe('a response in cursor mode', () => {
  test('wraps the objects in data, links and meta', () => {
    expect(JSON.parse(cursorAnswer(['{"id":"a"}', '{"id":"b"}']).body)).toEqual({
      data: [{ id: 'a' }, { id: 'b' }],
      links: { first: null, last: null, prev: null, next: null },
      meta: { path: ADDRESS.path, per_page: 2, next_cursor: null, prev_cursor: null },
    });
    expect(JSON.parse(cursorAnswer([]).body).data).toEqual([]);
  });

  test('is the bare object if there is exactly one', () => {
    expect(cursorAnswer(['{"id":"a"}']).body).toBe('{"id":"a"}');
  });

  test('links to the pages around it, in links, meta and the Link header', () => {
    const { body, link } = cursorAnswer(['{}', '{}'], { previous: EDGE, next: EDGE });
    const { links, meta } = JSON.parse(body);
    expect(links.prev).toBe(`${ADDRESS.path}?limit=2&cursor=${meta.prev_cursor}`);
    expect(links.next).toBe(`${ADDRESS.path}?limit=2&cursor=${meta.next_cursor}`);
    expect(decodeCursor(meta.prev_cursor, DEFAULT_SORTS, REALM)).toMatchObject({ value: { isForward: false } });
    expect(decodeCursor(meta.next_cursor, DEFAULT_SORTS, REALM)).toMatchObject({ value: { isForward: true } });
    expect(link).toBe(`<${links.prev}>; rel="prev", <${links.next}>; rel="next"`);
  });

  test('has a Link header even for a bare object, but none if there are no other pages', () => {
    expect(cursorAnswer(['{}'], { next: EDGE }).link).toMatch(/^<[^>]+>; rel="next"$/);
    expect(cursorAnswer(['{}']).link).toBe(undefined);
  });
});

describe('a response in simple mode', () => {
  function simpleAnswer(total: number, limit: number, page: number) {
    const count = Math.max(0, Math.min(limit, total - (page - 1) * limit));
    const objects = Array.from({ length: count }, () => '{}');
    return buildSimpleAnswer({ objects, limit, page, total }, ADDRESS);
  }

  test('counts pages and positions', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 2, max: 100 }),
        fc.integer({ min: 1, max: 60 }),
        (total, limit, page) => {
          const start = (page - 1) * limit;
          const count = Math.max(0, Math.min(limit, total - start));
          if (count === 1) return;
          const { data, meta, links } = JSON.parse(simpleAnswer(total, limit, page).body);
          const lastPage = Math.max(1, Math.ceil(total / limit));
          expect(data).toHaveLength(count);
          expect(meta).toMatchObject({
            current_page: page,
            from: count === 0 ? null : start + 1,
            to: count === 0 ? null : start + count,
            last_page: lastPage,
            per_page: limit,
            total,
            path: ADDRESS.path,
          });
          expect(links.first).toBe(`${ADDRESS.path}?limit=2&page=1`);
          expect(links.last).toBe(`${ADDRESS.path}?limit=2&page=${lastPage}`);
          expect(links.next).toBe(page < lastPage ? `${ADDRESS.path}?limit=2&page=${page + 1}` : null);
          expect(links.prev === null).toBe(page === 1);
        },
      ),
    );
  });

  test('is the bare object if a page has exactly one, with all links in the header', () => {
    const { body, link } = simpleAnswer(5, 2, 3);
    expect(body).toBe('{}');
    const url = (page: number) => `<${ADDRESS.path}?limit=2&page=${page}>`;
    expect(link).toBe(`${url(1)}; rel="first", ${url(2)}; rel="prev", ${url(3)}; rel="last"`);
  });
});

describe('the Link header', () => {
  test('omits links that would make it too large for clients, and drops the link to the next page last', () => {
    const address = { path: ADDRESS.path, queryString: `q=${'x'.repeat(5000)}` };
    const envelope = { objects: ['{}', '{}'], limit: 2, page: 3, total: 20 };
    const relations = (link: string | undefined) => [...(link ?? '').matchAll(/rel="(\w+)"/g)].map(([, name]) => name);
    expect(relations(buildSimpleAnswer(envelope, address).link)).toEqual(['prev', 'next']);
    const huge = { path: ADDRESS.path, queryString: `q=${'x'.repeat(8000)}` };
    expect(relations(buildSimpleAnswer(envelope, huge).link)).toEqual(['next']);
    expect(relations(buildSimpleAnswer(envelope, ADDRESS).link)).toEqual(['first', 'prev', 'next', 'last']);
  });
});

const PATH = 'https://content.example/api/v1/content';

describe('the URLs of a list', () => {
  test.each([
    ['', 'page=2'],
    ['limit=5', 'limit=5&page=2'],
    ['page=1&limit=5', 'limit=5&page=2'],
    ['limit=5&page=1&sort=name', 'limit=5&sort=name&page=2'],
    ['page[]=1&limit=5', 'limit=5&page=2'],
    ['page%5B0%5D=1&%70age=3&page', 'page=2'],
    ['cursor=abc', 'cursor=abc&page=2'],
    ['pages=1&page_size=2&xpage=3', 'pages=1&page_size=2&xpage=3&page=2'],
    ['slug%5B%5D=a&slug[]=b', 'slug%5B%5D=a&slug[]=b&page=2'],
    ['a=1&a=2&b=&c', 'a=1&a=2&b=&c&page=2'],
    ['q=a+b%20c%2Bd', 'q=a+b%20c%2Bd&page=2'],
    ['&&a=1&&', 'a=1&page=2'],
    ['%zz=1', '%zz=1&page=2'],
    ['a="><b>', 'a=%22%3E%3Cb%3E&page=2'],
    ['a=\u00e9', 'a=%E9&page=2'],
    ['a={b}|c^d`e\\f', 'a=%7Bb%7D%7Cc%5Ed%60e%5Cf&page=2'],
  ])('set one parameter of %s and leave the others unchanged', (queryString, expected) => {
    expect(buildListUrl(PATH, queryString, 'page', '2')).toBe(`${PATH}?${expected}`);
  });

  test('set the cursor in the same way', () => {
    expect(buildListUrl(PATH, 'cursor=old&page=3', 'cursor', 'new')).toBe(`${PATH}?page=3&cursor=new`);
  });

  test('do not change when they are built again from the result', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (queryString) => {
        const once = buildListUrl(PATH, queryString, 'page', '2');
        const rest = once.slice(PATH.length + 1);
        expect(buildListUrl(PATH, rest, 'page', '2')).toBe(once);
      }),
    );
  });

  test('contain no characters that would end a URL in a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (queryString) => {
        expect(buildListUrl(PATH, queryString, 'page', '2')).toMatch(/^[\x21-\x7e]+$/);
        expect(buildListUrl(PATH, queryString, 'page', '2')).not.toMatch(/[<>"]/);
      }),
    );
  });
});

function labels(current: number, last: number): readonly string[] {
  return buildPageLinks(current, last, String).map(({ label }) => label);
}

const pages = fc.integer({ min: 1, max: 400 });

describe('the page navigation', () => {
  test('starts with a previous link and ends with a next link, which are null at the ends of the list', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const links = buildPageLinks(current, last, String);
        expect(links[0]).toEqual({
          url: current === 1 ? null : String(Math.min(current - 1, last)),
          label: '« Previous',
          active: false,
        });
        expect(links.at(-1)).toEqual({
          url: current < last ? String(current + 1) : null,
          label: 'Next »',
          active: false,
        });
      }),
    );
  });

  test('shows every page number if there are at most 13 pages', () => {
    for (let last = 1; last <= 13; last++) {
      for (let current = 1; current <= last; current++) {
        const numbers = Array.from({ length: last }, (_, index) => String(index + 1));
        expect(labels(current, last)).toEqual(['« Previous', ...numbers, 'Next »']);
      }
    }
  });

  test('shows the first two pages, the last two, and three on either side of the current one if there are more than 13', () => {
    fc.assert(
      fc.property(fc.integer({ min: 14, max: 400 }), pages, (last, anyPage) => {
        const current = Math.min(anyPage, last);
        const shown = labels(current, last)
          .slice(1, -1)
          .filter((label) => label !== '...')
          .map(Number);
        const expected = Array.from({ length: last }, (_, index) => index + 1).filter(
          (page) => page <= 2 || page > last - 2 || Math.abs(page - current) <= 3,
        );
        expect(shown).toEqual(expected);
      }),
    );
  });

  test('has a gap wherever pages are skipped, and never two gaps in a row', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const middle = labels(current, last).slice(1, -1);
        for (const [index, label] of middle.entries()) {
          const before = Number(middle[index - 1]);
          const after = Number(middle[index + 1]);
          if (label === '...') expect(after - before).toBeGreaterThan(1);
          else if (index > 0 && middle[index - 1] !== '...') expect(Number(label)).toBe(before + 1);
        }
      }),
    );
  });

  test('marks only the current page, or no page if the current page is past the end of the list', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const active = buildPageLinks(current, last, String).filter((link) => link.active);
        expect(active).toEqual(current > last ? [] : [{ url: String(current), label: String(current), active: true }]);
      }),
    );
  });

  test('has a URL for every page number, but none for a gap', () => {
    for (const { url, label } of buildPageLinks(50, 100, (page) => `url ${page}`).slice(1, -1)) {
      expect(url).toBe(label === '...' ? null : `url ${label}`);
    }
  });
});
