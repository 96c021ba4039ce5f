// Every response from the delivery API, with examples. An error's schema allows only the messages of its problems. The service's own
// code creates the links, cursors and page navigation in the example lists.

import type { CursorListBody, SimpleListBody } from '@galley/wire';
import { PROBLEMS } from '../http/problems.ts';
import { CursorKey, encodeCursor } from '../listing/cursor.ts';
import { buildListUrl, buildPageLinks } from '../listing/envelope.ts';
import { DEFAULT_SORTS } from '../listing/sort.ts';
import { EXAMPLE_CHANGES, EXAMPLE_STREAM, EXAMPLE_SYNC_END } from './change-paths.ts';
import { EXAMPLE_CONTENT, EXAMPLE_LIST } from './example-content.ts';
import { type Header, type Reference, type Response, referToSchema } from './open-api.ts';
import { RESPONSE_HEADERS, type ResponseHeaderName, referToHeaders } from './response-headers.ts';

const LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;
const ANSWER_HEADERS = ['ETag', 'Cache-Control', 'Cache-Status', 'Vary', ...LIMIT_HEADERS] as const;

/** @param listUrl the absolute URL of the list endpoint, for links in the examples */
export function buildResponses(listUrl: string): Readonly<Record<string, Response>> {
  return {
    Content: {
      description: 'The content object, without an envelope.',
      headers: referToHeaders(...ANSWER_HEADERS),
      content: {
        'application/json': {
          schema: referToSchema('Content'),
          examples: { content: { summary: 'An object with a field of every type', value: EXAMPLE_CONTENT } },
        },
      },
    },
    ContentList: {
      description: 'The list in the requested pagination mode, or just the object if the list contains exactly one.',
      headers: { ...referToHeaders(...ANSWER_HEADERS), Link: buildLinkHeader(listUrl) },
      content: {
        'application/json': {
          schema: referToSchema('List'),
          examples: {
            cursor: { summary: 'Cursor mode', value: buildExampleCursorList(listUrl) },
            simple: { summary: 'Simple mode', value: buildExampleSimpleList(listUrl) },
            single: { summary: 'Exactly one object', value: EXAMPLE_CONTENT },
            empty: { summary: 'Nothing matches', value: buildExampleEmptyList(listUrl) },
          },
        },
      },
    },
    ChangeList: {
      description: 'The next changes, in order, or the next objects from a full sync.',
      headers: referToHeaders('Cache-Control', 'Vary', ...LIMIT_HEADERS),
      content: {
        'application/json': {
          schema: referToSchema('ChangeList'),
          examples: {
            changes: { summary: 'Two changes', value: EXAMPLE_CHANGES },
            synced: { summary: 'The end of a full sync', value: EXAMPLE_SYNC_END },
          },
        },
      },
    },
    ChangeStream: {
      description: 'The stream. It ends when the key is revoked, when the site is deleted, or when the service stops.',
      headers: {
        ...referToHeaders('Vary', ...LIMIT_HEADERS),
        'Cache-Control': {
          description: 'The stream must not be stored or transformed.',
          required: true,
          schema: { type: 'string', const: 'no-cache, no-store, no-transform' },
        },
      },
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          examples: { stream: { summary: 'A heartbeat, then two changes', value: EXAMPLE_STREAM } },
        },
      },
    },
    ChangesGone: buildErrorResponse(
      'The log does not contain the position: it is too old, or the site was replaced. Start over with a full sync.',
      ['changesGone'],
      ...LIMIT_HEADERS,
    ),
    NotModified: {
      description: 'The version in `If-None-Match` is still current. There is no body.',
      headers: referToHeaders(...ANSWER_HEADERS),
    },
    BadRequest: buildErrorResponse('The site header names an unknown site, or the request is malformed.', [
      'siteInvalid',
      'badRequest',
    ]),
    Unauthenticated: buildErrorResponse(
      'The API key is missing, malformed, unknown, expired or revoked.',
      ['unauthenticated'],
      'WWW-Authenticate',
    ),
    Forbidden: buildErrorResponse(
      'The site header is missing, or the key does not allow this.',
      ['siteMissing', 'siteForbidden', 'previewForbidden'],
      ...LIMIT_HEADERS,
    ),
    ContentNotFound: buildErrorResponse(
      'The content is unknown, unpublished, on a different site, or not in the requested language. The response does not reveal which.',
      ['contentNotFound'],
      ...LIMIT_HEADERS,
    ),
    SlugNotFound: buildErrorResponse(
      'Only on servers that are configured to respond this way to a `slug` filter with no matches. Others return an empty list.',
      ['contentNotFound'],
      ...LIMIT_HEADERS,
    ),
    MethodNotAllowed: buildErrorResponse(
      'The path was called with a method other than GET, HEAD or OPTIONS.',
      ['methodNotAllowed'],
      'Allow',
    ),
    InvalidParameter: buildInvalidParameterResponse(),
    TooManyRequests: buildErrorResponse(
      'The key has exceeded its rate limit, or has too many open streams and long polls.',
      ['tooManyRequests'],
      'Retry-After',
      ...LIMIT_HEADERS,
    ),
    ServerError: buildErrorResponse('An internal error. The details are in the service’s log, under the request ID.', [
      'serverError',
    ]),
    Unavailable: buildErrorResponse(
      'The service is overloaded, or its database is unreachable and no cached response exists.',
      ['serviceUnavailable'],
      'Retry-After',
    ),
  };
}

function buildLinkHeader(listUrl: string): Header {
  return { ...RESPONSE_HEADERS.Link, example: buildExampleLinkHeader(listUrl) };
}

export function buildErrorResponse(
  description: string,
  problems: readonly (keyof typeof PROBLEMS)[],
  ...headers: readonly ResponseHeaderName[]
): Response {
  const messages = problems.map((name) => PROBLEMS[name].message);
  const examples = problems.map((name) => {
    const { message } = PROBLEMS[name];
    return [name, { summary: message, value: { message } }];
  });
  return {
    description,
    headers: referToHeaders(...headers),
    content: {
      'application/json': {
        schema: {
          ...referToSchema('Error'),
          type: 'object',
          properties: { message: { type: 'string', enum: messages } },
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The only error whose message varies: it names the parameter, the given value and the allowed values. */
function buildInvalidParameterResponse(): Response {
  return {
    description:
      'A parameter is invalid, or the response would be larger than 32 MB. The message names the parameter, the given value and the allowed values.',
    headers: referToHeaders(...LIMIT_HEADERS),
    content: {
      'application/json': {
        schema: referToSchema('Error'),
        examples: {
          limit: {
            summary: 'limit=500',
            value: { message: 'The limit parameter is "500"; an integer from 1 to 100 is allowed.' },
          },
          slug: {
            summary: 'slug=',
            value: { message: 'The slug parameter is empty; give it a value or leave it out.' },
          },
          sort: {
            summary: 'sort=name:up',
            value: { message: 'The sort parameter has the direction "up"; asc and desc are allowed.' },
          },
          cursor: {
            summary: 'A cursor that was changed, or created for a different sort order',
            value: { message: 'The cursor is invalid.' },
          },
        },
      },
    },
  };
}

/** The responses to HEAD: the same statuses and headers, without a body. */
export function withoutBodies(
  references: Readonly<Record<string, Reference>>,
  responses: Readonly<Record<string, Response>>,
): Readonly<Record<string, Response>> {
  return Object.fromEntries(
    Object.entries(references).map(([status, { $ref }]) => {
      const response = responses[$ref.slice($ref.lastIndexOf('/') + 1)];
      if (response === undefined) throw new Error(`the document does not define the response ${$ref}`);
      const { content: _, ...head } = response;
      return [status, head];
    }),
  );
}

const PER_PAGE = 2;
const QUERY = `limit=${PER_PAGE}`;
const PAGE = 8;
const LAST_PAGE = 17;
const TOTAL = 33;

/** The first page of a longer list. */
function buildExampleCursorList(path: string): CursorListBody {
  const cursor = buildExampleCursor();
  return {
    data: EXAMPLE_LIST,
    links: { first: null, last: null, prev: null, next: buildListUrl(path, QUERY, 'cursor', cursor) },
    meta: { path, per_page: PER_PAGE, next_cursor: cursor, prev_cursor: null },
  };
}

/** A page in the middle, to show gaps on both sides of the navigation. */
function buildExampleSimpleList(path: string): SimpleListBody {
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

/** An empty result is also an envelope, not an error. */
function buildExampleEmptyList(path: string): CursorListBody {
  return {
    data: [],
    links: { first: null, last: null, prev: null, next: null },
    meta: { path, per_page: 20, next_cursor: null, prev_cursor: null },
  };
}

function buildExampleLinkHeader(path: string): string {
  return `<${buildListUrl(path, QUERY, 'cursor', buildExampleCursor())}>; rel="next"`;
}

/** Cursors in the examples look real, but no service accepts them. */
const EXAMPLE_REALM = { key: new CursorKey(Buffer.alloc(32)), siteId: 's_demo', audience: 'public' };

function buildExampleCursor(): string {
  const last = EXAMPLE_LIST.at(-1);
  if (last === undefined || last.published_at === null) throw new Error('the last example is not published');
  const position = { keys: [Date.parse(last.published_at)], id: last.id };
  return encodeCursor({ position, isInclusive: false }, true, DEFAULT_SORTS, EXAMPLE_REALM);
}
