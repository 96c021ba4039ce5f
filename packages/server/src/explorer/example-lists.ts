// The lists that the document's examples show, with links, cursors and page navigation made by the service's own rules.

import type { CursorListBody, SimpleListBody } from '@galley/wire';
import { CursorKey, encodeCursor } from '../listing/cursor.ts';
import { buildListUrl, buildPageLinks } from '../listing/envelope.ts';
import { DEFAULT_SORTS } from '../listing/sort.ts';
import { EXAMPLE_LIST } from './example-content.ts';

const PER_PAGE = 2;
const QUERY = `limit=${PER_PAGE}`;
const PAGE = 8;
const LAST_PAGE = 17;
const TOTAL = 33;

/** The first set of a longer list. */
export function buildExampleCursorList(path: string): CursorListBody {
  const cursor = buildExampleCursor();
  return {
    data: EXAMPLE_LIST,
    links: { first: null, last: null, prev: null, next: buildListUrl(path, QUERY, 'cursor', cursor) },
    meta: { path, per_page: PER_PAGE, next_cursor: cursor, prev_cursor: null },
  };
}

/** A page in the middle, so that the navigation has gaps on both sides. */
export function buildExampleSimpleList(path: string): SimpleListBody {
  const buildUrl = (page: number): string => buildListUrl(path, QUERY, 'page', String(page));
  return {
    data: EXAMPLE_LIST,
    links: { first: buildUrl(1), last: buildUrl(LAST_PAGE), prev: buildUrl(PAGE - 1), next: buildUrl(PAGE + 1) },
    meta: {
      current_page: PAGE,
      from: (PAGE - 1) * PER_PAGE + 1,
      last_page: LAST_PAGE,
      links: buildPageLinks(PAGE, LAST_PAGE, buildUrl),
      path,
      per_page: PER_PAGE,
      to: PAGE * PER_PAGE,
      total: TOTAL,
    },
  };
}

/** Nothing matched: still an envelope, never an error. */
export function buildExampleEmptyList(path: string): CursorListBody {
  return {
    data: [],
    links: { first: null, last: null, prev: null, next: null },
    meta: { path, per_page: 20, next_cursor: null, prev_cursor: null },
  };
}

export function buildExampleLinkHeader(path: string): string {
  return `<${buildListUrl(path, QUERY, 'cursor', buildExampleCursor())}>; rel="next"`;
}

/** It looks like a cursor, and no service takes it. */
const EXAMPLE_REALM = { key: new CursorKey(Buffer.alloc(32)), siteId: 's_demo', audience: 'public' };

function buildExampleCursor(): string {
  const last = EXAMPLE_LIST.at(-1);
  if (last === undefined || last.published_at === null) throw new Error('the example list has no published end');
  const position = { keys: [Date.parse(last.published_at)], id: last.id };
  return encodeCursor({ position, isInclusive: false }, true, DEFAULT_SORTS, EXAMPLE_REALM);
}
