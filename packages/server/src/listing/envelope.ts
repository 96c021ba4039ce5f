// The answer to a list request: the envelope of its mode around the objects, or the bare object where there is exactly
// one. What would be lost with the envelope travels in the Link header too.

import { type CursorRealm, type Edge, encodeCursor } from './cursor.ts';
import { buildUrlStart } from './list-urls.ts';
import { buildPageLinks } from './page-links.ts';
import type { Sort } from './sort.ts';

export interface ListAddress {
  /** The endpoint's absolute address, without parameters. */
  readonly path: string;
  readonly queryString: string;
}

export interface CursorEnvelope {
  readonly objects: readonly string[];
  readonly limit: number;
  readonly sorts: readonly Sort[];
  readonly realm: CursorRealm;
  /** Where the sets before and after begin; null where there is none. */
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
  /** What stands behind the objects in the body; empty where an object stands alone. */
  readonly frame: string;
  /** The value of the Link header, undefined where there is nowhere to go. */
  readonly link: string | undefined;
}

type Relations = Readonly<Record<'first' | 'last' | 'prev' | 'next', string | null>>;

/** @param envelope objects are ready JSON texts */
export function buildCursorAnswer(envelope: CursorEnvelope, address: ListAddress): ListAnswer {
  const { objects, limit, sorts, realm, previous, next } = envelope;
  const previousCursor = previous && encodeCursor(previous, false, sorts, realm);
  const nextCursor = next && encodeCursor(next, true, sorts, realm);
  const urlStart = buildUrlStart(address.path, address.queryString, 'cursor');
  // A cursor needs no escaping in a URL.
  const prev = previousCursor && `${urlStart}${previousCursor}`;
  const following = nextCursor && `${urlStart}${nextCursor}`;
  const links: Relations = { first: null, last: null, prev, next: following };
  const meta = { path: address.path, per_page: limit, next_cursor: nextCursor, prev_cursor: previousCursor };
  return buildAnswer(objects, links, meta);
}

/** @param envelope objects are ready JSON texts */
export function buildSimpleAnswer(envelope: SimpleEnvelope, address: ListAddress): ListAnswer {
  const { objects, limit, page, total } = envelope;
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const urlStart = buildUrlStart(address.path, address.queryString, 'page');
  const urlOf = (number: number): string => `${urlStart}${number}`;
  const start = (page - 1) * limit;
  const links: Relations = {
    first: urlOf(1),
    last: urlOf(lastPage),
    prev: page > 1 ? urlOf(Math.min(page - 1, lastPage)) : null,
    next: page < lastPage ? urlOf(page + 1) : null,
  };
  const meta = {
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

function buildAnswer(objects: readonly string[], links: Relations, meta: object): ListAnswer {
  const link = buildLinkHeader(links);
  const [only] = objects;
  if (objects.length === 1 && only !== undefined) return { body: only, frame: '', link };
  const frame = `],"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}}`;
  return { body: `${joinObjects(objects)}${frame}`, frame, link };
}

/** Added up rather than joined: the text is copied once, when it is sent. */
function joinObjects(objects: readonly string[]): string {
  let text = '{"data":[';
  for (const [index, object] of objects.entries()) text += index === 0 ? object : `,${object}`;
  return text;
}

/** Clients refuse answers with headers of more than 16 KB, and each link repeats the request's own parameters. */
const MOST_LINK_CHARACTERS = 12_000;

/** The ways on and back come first; what does not fit is left out. */
function buildLinkHeader(relations: Relations): string | undefined {
  let room = MOST_LINK_CHARACTERS;
  const link = (name: keyof Relations): string => {
    const url = relations[name];
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
