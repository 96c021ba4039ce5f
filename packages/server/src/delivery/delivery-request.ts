// Parses a delivery API request. The path and the headers determine the caller, the requested content and the response's cache key; no
// later step reads them. Once the caller's site is known, the query string is parsed against that site's catalog. Errors become problems.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isPreviewToken } from '../content/api-token.ts';
import type { Catalog } from '../content/catalog.ts';
import { isId } from '../content/ids.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import type { CursorKey } from '../listing/cursor.ts';
import type { ListAddress } from '../listing/envelope.ts';
import type { Match } from '../listing/field-filter.ts';
import {
  type ListRequest,
  type ListShape,
  type ObjectRequest,
  parseListQuery,
  parseObjectQuery,
  type ShapeMemo,
} from '../listing/list-query.ts';
import { hasOnly, LIST_PARAMETERS, OBJECT_PARAMETERS, readRawQuery } from '../listing/query-parameters.ts';
import type { ListSelection, ObjectSelection, Reading } from '../storage/delivery-reads.ts';

export const LIST_PATH = '/api/v1/content';

/** The target of a path: the list, or the object with this id. */
export interface ContentPath {
  /** Null for the list. */
  readonly id: string | null;
}

const LIST: ContentPath = { id: null };
/** Other characters must be decoded first, or cannot be part of an id. */
const PLAIN_ID = /^[\w-]+$/;

/** Undefined if the path does not belong to the delivery API, or needs a router to decode it. */
export function findContentPath(url: string): ContentPath | undefined {
  if (!url.startsWith(LIST_PATH)) return undefined;
  const question = url.indexOf('?', LIST_PATH.length);
  const end = question === -1 ? url.length : question;
  if (end === LIST_PATH.length) return LIST;
  if (url.charCodeAt(LIST_PATH.length) !== 47) return undefined;
  const id = url.slice(LIST_PATH.length + 1, end);
  return PLAIN_ID.test(id) ? { id } : undefined;
}

export interface HeaderNames {
  readonly site: string;
  readonly simplePagination: string;
  readonly language: string;
  readonly preview: string;
  readonly sourceMap: string;
}

/** Names in lower case, as Node provides them. */
export function buildHeaderNames(prefix: string): HeaderNames {
  const start = prefix.toLowerCase();
  return {
    site: `${start}-site`,
    simplePagination: `${start}-simple-pagination`,
    language: `${start}-language`,
    preview: `${start}-preview`,
    sourceMap: `${start}-source-map`,
  };
}

/** Everything that a response depends on, except the site, its content and the URL. */
export interface Edition {
  readonly kind: 'object' | 'cursors' | 'pages';
  readonly language: string | undefined;
  /** The base of the URLs in the response. */
  readonly baseUrl: string;
}

export interface DeliveryRequest extends Edition {
  readonly token: string;
  readonly siteId: string;
  /** Whether a preview is requested, which is always the case with a share link or a preview secret. */
  readonly isPreview: boolean;
  /**
   * Whether the response must show every write made before the request, even by other nodes. In previews, editors see what they have saved.
   * A mirror sends `Cache-Control: newest`.
   */
  readonly wantsNewest: boolean;
  readonly url: string;
  /** The id of the object; empty for a list. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
}

export interface RequestRules {
  readonly headerNames: HeaderNames;
  /** The absolute base of the URLs in responses, such as `https://content.example`. */
  readonly readBaseUrl: (request: IncomingMessage) => string;
}

/**
 * Undefined if the request has no API key. Such a request is rejected without reading the database.
 * @param id null for the list
 */
export function parseDeliveryRequest(
  request: IncomingMessage,
  response: ServerResponse,
  id: string | null,
  { headerNames, readBaseUrl }: RequestRules,
): DeliveryRequest | undefined {
  const { headers, url = '' } = request;
  const bearer = parseBearer(headers.authorization);
  if (bearer === undefined) return undefined;
  const isList = id === null;
  const isPreview = bearer.isPreview || isSwitchedOn(headers, headerNames.preview);
  return {
    token: bearer.token,
    siteId: readHeader(headers, headerNames.site) ?? '',
    isPreview,
    wantsNewest: isPreview || hasNewestDirective(headers),
    kind: isList ? (isSwitchedOn(headers, headerNames.simplePagination) ? 'pages' : 'cursors') : 'object',
    language: readHeader(headers, headerNames.language),
    baseUrl: readBaseUrl(request),
    url,
    id: id ?? '',
    headers,
    response,
  };
}

const MOST_TOKEN_CHARACTERS = 512;

interface Bearer {
  readonly token: string;
  /** Whether the token can read only previews. */
  readonly isPreview: boolean;
}

/** Most requests have the same key as the previous one. */
let lastAuthorization: string | undefined;
let lastBearer: Bearer | undefined;

/** The token in an Authorization header; undefined if there is none. */
function parseBearer(authorization: string | undefined): Bearer | undefined {
  if (authorization === lastAuthorization) return lastBearer;
  const token = parseToken(authorization);
  lastBearer = token === undefined ? undefined : { token, isPreview: isPreviewToken(token) };
  lastAuthorization = authorization;
  return lastBearer;
}

function parseToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const space = authorization.indexOf(' ');
  if (space !== 6 || authorization.slice(0, 6).toLowerCase() !== 'bearer') return undefined;
  const token = authorization.slice(7).trim();
  return token === '' || token.includes(' ') || token.length > MOST_TOKEN_CHARACTERS ? undefined : token;
}

/** The value of a header. An empty header counts as absent, and a repeated one as a list. */
function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === '' ? undefined : text;
}

function isSwitchedOn(headers: IncomingHttpHeaders, name: string): boolean {
  const value = readHeader(headers, name)?.toLowerCase();
  return value === 'true' || value === '1';
}

/** Clients send `no-cache` without meaning it: `fetch` does so for `cache: 'no-store'`. So `newest` is a directive of its own. */
function hasNewestDirective({ 'cache-control': directives }: IncomingHttpHeaders): boolean {
  return directives !== undefined && /(?:^|[\s,])newest(?:[\s,]|$)/i.test(directives);
}

/** The parameters that affect the response. A list repeats all other parameters in its links. */
const READ_PARAMETERS: Readonly<Record<Edition['kind'], ReadonlySet<string>>> = {
  object: OBJECT_PARAMETERS,
  cursors: LIST_PARAMETERS.difference(new Set(['page'])),
  pages: LIST_PARAMETERS.difference(new Set(['cursor'])),
};

/** The cache key of a response. It must include everything that the response depends on. */
export class AnswerKey {
  readonly siteId: string;
  readonly generation: number;
  readonly text: string;
  /** A digest of everything except the generation. */
  readonly digest: number;
  readonly url: string;
  readonly kind: Edition['kind'];

  constructor(siteId: string, generation: number, edition: Edition, url: string) {
    this.siteId = siteId;
    this.generation = generation;
    const start = findStart(siteId, generation, edition);
    this.kind = edition.kind;
    this.url = url;
    this.text = start.text + url;
    this.digest = digestText(url, start.digest);
  }

  /** Whether the URL has parameters that the API ignores. Anyone can make up any number of such URLs. */
  get hasUnread(): boolean {
    return !hasOnly(readRawQuery(this.url), READ_PARAMETERS[this.kind]);
  }
}

/** The first part, which all keys of an edition share. */
interface KeyStart extends Edition {
  readonly siteId: string;
  readonly generation: number;
  readonly text: string;
  /** A digest of everything except the generation. */
  readonly digest: number;
}

/** Most requests ask for the same edition as the previous one. */
let last: KeyStart | undefined;

function findStart(siteId: string, generation: number, { kind, language, baseUrl }: Edition): KeyStart {
  const isSame =
    last !== undefined &&
    last.generation === generation &&
    last.siteId === siteId &&
    last.kind === kind &&
    last.language === language &&
    last.baseUrl === baseUrl;
  if (last === undefined || !isSame) {
    // The parts come from headers and URLs, which cannot contain a line break.
    const asked = `${siteId}\n${kind}\n${language ?? ''}\n${baseUrl}\n`;
    last = { siteId, generation, kind, language, baseUrl, text: `${generation}\n${asked}`, digest: digestText(asked) };
  }
  return last;
}

const NO_DIGEST = 0x811c9dc5;

/** FNV-1a. @param before the digest of the preceding text */
function digestText(text: string, before = NO_DIGEST): number {
  let digest = before;
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  return digest >>> 0;
}

/** The input to an endpoint, as plain data that can be sent to another thread. */
export type Wanted = {
  readonly baseUrl: string;
  /** Whether a preview should have marks and a source map. */
  readonly wantsMarks: boolean;
} & (
  | (ObjectRequest & { readonly kind: 'object'; readonly id: string })
  | (Omit<ListRequest, 'realm'> & ListAddress & { readonly kind: 'list' })
);

export function describeWanted(
  { kind, id, url, language, baseUrl, headers }: DeliveryRequest,
  { defaultMatch, headerNames }: { readonly defaultMatch: Match } & Pick<RequestRules, 'headerNames'>,
): Wanted {
  const queryString = readRawQuery(url);
  const wantsMarks = isSwitchedOn(headers, headerNames.sourceMap);
  if (kind === 'object') return { kind, id, queryString, language, baseUrl, wantsMarks };
  const path = `${baseUrl}${LIST_PATH}`;
  return { kind: 'list', path, queryString, isSimple: kind === 'pages', language, defaultMatch, baseUrl, wantsMarks };
}

export interface ListRules {
  /** Whether a slug filter that matches nothing results in a 404. */
  readonly isEmptySlugNotFound: boolean;
  /** Signs the cursors that lists return. */
  readonly cursorKey: CursorKey;
}

/** A selection, with everything that is needed to render its response. */
export type Asked = AskedObject | AskedList;

export interface AskedObject extends ObjectSelection {
  /** Undefined if the response must not be cached. */
  readonly key: AnswerKey | undefined;
  readonly baseUrl: string;
  readonly isMarked: boolean;
}

export interface AskedList extends ListSelection {
  readonly key: AnswerKey | undefined;
  readonly baseUrl: string;
  readonly isMarked: boolean;
  readonly address: ListRequest & ListAddress;
}

export function parseSelection(
  wanted: Wanted,
  rules: Pick<ListRules, 'cursorKey'>,
  reading: Reading,
  key: AnswerKey | undefined,
): Result<Asked, Problem> {
  const { catalog } = reading.memo;
  const { baseUrl } = wanted;
  const isMarked = wanted.wantsMarks && reading.view.audience === 'preview';
  if (wanted.kind === 'object') {
    const languages = parseObjectQuery(wanted, catalog);
    if (!languages.ok) return fail(invalidParameter(languages.problem));
    if (!isId(wanted.id)) return fail(PROBLEMS.contentNotFound);
    return ok({ kind: 'object', id: wanted.id, languages: languages.value, reading, key, baseUrl, isMarked });
  }
  const realm = { key: rules.cursorKey, siteId: catalog.site.id, audience: reading.view.audience };
  const address = { ...wanted, realm };
  const query = parseListQuery(address, catalog, findKnownShapes(catalog));
  if (!query.ok) return fail(invalidParameter(query.problem));
  return ok({ kind: 'list', query: query.value, reading, key, baseUrl, isMarked, address });
}

const MOST_SHAPES_KEPT = 500;

/** A site's parsed list queries. They are valid as long as its catalog does not change. */
const shapesByCatalog = new WeakMap<Catalog, LRUCache<string, ListShape>>();

function findKnownShapes(catalog: Catalog): ShapeMemo {
  const known = shapesByCatalog.get(catalog);
  if (known !== undefined) return known;
  const shapes = new LRUCache<string, ListShape>({ max: MOST_SHAPES_KEPT });
  shapesByCatalog.set(catalog, shapes);
  return shapes;
}
