import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CursorKey, decodeCursor } from './cursor.ts';
import { buildCursorAnswer, buildSimpleAnswer } from './envelope.ts';
import { DEFAULT_SORTS } from './sort.ts';

const ADDRESS = { path: 'https://content.example/api/v1/content', queryString: 'limit=2' };
const REALM = { key: new CursorKey(Buffer.alloc(32, 7)), siteId: 's_one', audience: 'public' };
const EDGE = { position: { id: 'c_1', keys: [5] }, isInclusive: false };

function cursorAnswer(objects: readonly string[], parts = {}) {
  const envelope = { objects, limit: 2, sorts: DEFAULT_SORTS, realm: REALM, previous: null, next: null, ...parts };
  return buildCursorAnswer(envelope, ADDRESS);
}

describe('an answer in cursor mode', () => {
  test('wraps the objects in data, links and meta', () => {
    expect(JSON.parse(cursorAnswer(['{"id":"a"}', '{"id":"b"}']).body)).toEqual({
      data: [{ id: 'a' }, { id: 'b' }],
      links: { first: null, last: null, prev: null, next: null },
      meta: { path: ADDRESS.path, per_page: 2, next_cursor: null, prev_cursor: null },
    });
    expect(JSON.parse(cursorAnswer([]).body).data).toEqual([]);
  });

  test('is the object alone where there is exactly one', () => {
    expect(cursorAnswer(['{"id":"a"}']).body).toBe('{"id":"a"}');
  });

  test('leads to the sets around it, in links, in meta and in the Link header', () => {
    const { body, link } = cursorAnswer(['{}', '{}'], { previous: EDGE, next: EDGE });
    const { links, meta } = JSON.parse(body);
    expect(links.prev).toBe(`${ADDRESS.path}?limit=2&cursor=${meta.prev_cursor}`);
    expect(links.next).toBe(`${ADDRESS.path}?limit=2&cursor=${meta.next_cursor}`);
    expect(decodeCursor(meta.prev_cursor, DEFAULT_SORTS, REALM)).toMatchObject({ value: { isForward: false } });
    expect(decodeCursor(meta.next_cursor, DEFAULT_SORTS, REALM)).toMatchObject({ value: { isForward: true } });
    expect(link).toBe(`<${links.prev}>; rel="prev", <${links.next}>; rel="next"`);
  });

  test('has the Link header also where it is the object alone, and none where there is nowhere to go', () => {
    expect(cursorAnswer(['{}'], { next: EDGE }).link).toMatch(/^<[^>]+>; rel="next"$/);
    expect(cursorAnswer(['{}']).link).toBe(undefined);
  });
});

describe('an answer in simple mode', () => {
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

  test('is the object alone where a page holds exactly one, with all its links in the header', () => {
    const { body, link } = simpleAnswer(5, 2, 3);
    expect(body).toBe('{}');
    const url = (page: number) => `<${ADDRESS.path}?limit=2&page=${page}>`;
    expect(link).toBe(`${url(1)}; rel="first", ${url(2)}; rel="prev", ${url(3)}; rel="last"`);
  });
});

describe('the Link header', () => {
  test('leaves out what would make it too large for clients, the way on last', () => {
    const address = { path: ADDRESS.path, queryString: `q=${'x'.repeat(5000)}` };
    const envelope = { objects: ['{}', '{}'], limit: 2, page: 3, total: 20 };
    const relations = (link: string | undefined) => [...(link ?? '').matchAll(/rel="(\w+)"/g)].map(([, name]) => name);
    expect(relations(buildSimpleAnswer(envelope, address).link)).toEqual(['prev', 'next']);
    const huge = { path: ADDRESS.path, queryString: `q=${'x'.repeat(8000)}` };
    expect(relations(buildSimpleAnswer(envelope, huge).link)).toEqual(['next']);
    expect(relations(buildSimpleAnswer(envelope, ADDRESS).link)).toEqual(['first', 'prev', 'next', 'last']);
  });
});
