// Renders the response to a list request: an envelope around the objects, or the bare object if there is exactly one. The Link header
// repeats the links, because a bare object has no envelope.

import type { CursorLinksBody, CursorMetaBody, PageLinkBody, SimpleLinksBody, SimpleMetaBody } from '@galley/wire';
import { type CursorRealm, type Edge, encodeCursor } from './cursor.ts';
import type { Sort } from './sort.ts';

export interface ListAddress {
  /** The endpoint's absolute URL, without parameters. */
  readonly path: string;
  readonly queryString: string;
}

export interface CursorEnvelope {
  readonly objects: readonly string[];
  readonly limit: number;
  readonly sorts: readonly Sort[];
  readonly realm: CursorRealm;
  /** The cursors of the previous and next pages; null if there is no such page. */
  readonly previous: Edge | null;
  readonly next: Edge | null;
}

export interface SimpleEnvelope {
  readonly objects: readonly string[];
  readonly limit: number;
  readonly page: number;
  readonly total: number;
}

export interface ListAnswer {
  readonly body: string;
  /** The text after the objects; empty for a bare object. */
  readonly frame: string;
  /** The value of the Link header; undefined if there are no other pages. */
  readonly link: string | undefined;
}

/** @param envelope contains the objects as JSON strings */
export function buildCursorAnswer(envelope: CursorEnvelope, address: ListAddress): ListAnswer {
  const { objects, limit, sorts, realm, previous, next } = envelope;
  const previousCursor = previous && encodeCursor(previous, false, sorts, realm);
  const nextCursor = next && encodeCursor(next, true, sorts, realm);
  const urlStart = buildUrlStart(address.path, address.queryString, 'cursor');
  // A cursor needs no escaping in a URL.
  const prev = previousCursor && `${urlStart}${previousCursor}`;
  const following = nextCursor && `${urlStart}${nextCursor}`;
  const links: CursorLinksBody = { first: null, last: null, prev, next: following };
  const meta: CursorMetaBody = {
    path: address.path,
    per_page: limit,
    next_cursor: nextCursor,
    prev_cursor: previousCursor,
  };
  return buildAnswer(objects, links, meta);
}

/** @param envelope contains the objects as JSON strings */
export function buildSimpleAnswer(envelope: SimpleEnvelope, address: ListAddress): ListAnswer {
  const { objects, limit, page, total } = envelope;
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const urlStart = buildUrlStart(address.path, address.queryString, 'page');
  const urlOf = (number: number): string => `${urlStart}${number}`;
  const start = (page - 1) * limit;
  const links: SimpleLinksBody = {
    first: urlOf(1),
    last: urlOf(lastPage),
    prev: page > 1 ? urlOf(Math.min(page - 1, lastPage)) : null,
    next: page < lastPage ? urlOf(page + 1) : null,
  };
  const meta: SimpleMetaBody = {
    current_page: page,
    from: objects.length === 0 ? null : start + 1,
    last_page: lastPage,
    links: buildPageLinks(page, lastPage, urlOf),
    path: address.path,
    per_page: limit,
    to: objects.length === 0 ? null : start + objects.length,
    total,
  };
  return buildAnswer(objects, links, meta);
}

type LinksBody = CursorLinksBody | SimpleLinksBody;

function buildAnswer(objects: readonly string[], links: LinksBody, meta: CursorMetaBody | SimpleMetaBody): ListAnswer {
  const link = buildLinkHeader(links);
  const [only] = objects;
  if (objects.length === 1 && only !== undefined) return { body: only, frame: '', link };
  const frame = `],"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}}`;
  return { body: `${joinObjects(objects)}${frame}`, frame, link };
}

/** Concatenates instead of joining, because the text is then copied only once, when it is sent. */
function joinObjects(objects: readonly string[]): string {
  let text = '{"data":[';
  for (const [index, object] of objects.entries()) text += index === 0 ? object : `,${object}`;
  return text;
}

/** Some clients reject headers of more than 16 KB, and each link repeats the request's parameters. */
const MOST_LINK_CHARACTERS = 12_000;

/** The links to the next and previous pages come first; links that do not fit are omitted. */
function buildLinkHeader(links: LinksBody): string | undefined {
  let room = MOST_LINK_CHARACTERS;
  const link = (name: keyof LinksBody): string => {
    const url = links[name];
    if (url === null || url.length > room) return '';
    room -= url.length;
    return `, <${url}>; rel="${name}"`;
  };
  const next = link('next');
  const prev = link('prev');
  const first = link('first');
  const header = `${first}${prev}${next}${link('last')}`;
  return header === '' ? undefined : header.slice(2);
}

type PagingParameter = 'cursor' | 'page';

/**
 * The URL of the request with one parameter set. All other parameters stay unchanged, in the same order.
 * @param path the endpoint's absolute URL, without parameters
 */
export function buildListUrl(path: string, queryString: string, parameter: PagingParameter, value: string): string {
  return `${buildUrlStart(path, queryString, parameter)}${encodeURIComponent(value)}`;
}

/** The URL without the parameter's value, which comes last. The links in one response differ only in this value. */
function buildUrlStart(path: string, queryString: string, parameter: PagingParameter): string {
  if (queryString === '') return `${path}?${parameter}=`;
  let kept = '';
  for (const pair of queryString.split('&')) if (pair !== '' && !setsParameter(pair, parameter)) kept += `${pair}&`;
  return `${path}?${escapeRaw(kept)}${parameter}=`;
}

/** Escapes characters that clients may send unescaped, but that would end a URL in a Link header. */
function escapeRaw(text: string): string {
  return text.replace(/[^\x21-\x7e]|["<>\\^`{|}]/g, (character) => {
    const code = character.charCodeAt(0);
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Whether a pair sets the parameter: `page=2`, but also `page[]=2` and `%70age=2`, which mean the same thing. */
function setsParameter(pair: string, parameter: PagingParameter): boolean {
  const end = pair.indexOf('=');
  const name = end === -1 ? pair : pair.slice(0, end);
  if (name === parameter) return true;
  if (!/[%[]/.test(name)) return false;
  try {
    return decodeURIComponent(name).split('[', 1)[0] === parameter;
  } catch {
    return false;
  }
}

const MOST_PAGES_SHOWN_WHOLE = 13;
const EDGE = 2;
const WINDOW = 3;

const GAP: PageLinkBody = { url: null, label: '...', active: false };

/**
 * The page navigation in simple mode: previous, pages 1 and 2, three pages on either side of the current one, the last two pages, next. A
 * gap marker replaces the omitted pages. If there are up to 13 pages, all of them are included.
 */
export function buildPageLinks(
  currentPage: number,
  lastPage: number,
  buildUrl: (page: number) => string,
): readonly PageLinkBody[] {
  const links: PageLinkBody[] = [
    { url: currentPage > 1 ? buildUrl(Math.min(currentPage - 1, lastPage)) : null, label: '« Previous', active: false },
  ];
  let previous = 0;
  for (const page of listShownPages(currentPage, lastPage)) {
    if (page > previous + 1) links.push(GAP);
    links.push({ url: buildUrl(page), label: String(page), active: page === currentPage });
    previous = page;
  }
  links.push({ url: currentPage < lastPage ? buildUrl(currentPage + 1) : null, label: 'Next »', active: false });
  return links;
}

function listShownPages(currentPage: number, lastPage: number): readonly number[] {
  const shown = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let page = Math.max(from, 1); page <= Math.min(to, lastPage); page++) shown.add(page);
  };
  if (lastPage <= MOST_PAGES_SHOWN_WHOLE) add(1, lastPage);
  add(1, EDGE);
  add(currentPage - WINDOW, currentPage + WINDOW);
  add(lastPage - EDGE + 1, lastPage);
  return [...shown].sort((a, b) => a - b);
}
