// The response headers of the delivery API, keyed by their name in the document.

import type { Header, Reference } from './open-api.ts';

export const RESPONSE_HEADERS = {
  ETag: {
    description:
      'Identifies this version of the response. Send it in `If-None-Match` to check whether anything has changed.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"q2mWJt5oZ0u7kD4c"',
  },
  'Cache-Control': {
    description: 'You may store the response, but must revalidate it before each use. Previews must not be stored.',
    required: true,
    schema: { type: 'string', enum: ['private, no-cache', 'private, no-cache, no-store'] },
    example: 'private, no-cache',
  },
  'Cache-Status': {
    description:
      'Whether the response came from the service’s cache. `detail=stale` marks a response that could not be checked because the database is unreachable.',
    required: true,
    schema: { type: 'string', pattern: '^galley; (hit|fwd=[a-z-]+)(; detail=[a-z-]+)?$' },
    example: 'galley; hit',
  },
  Vary: {
    description: 'The request headers that the response depends on.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    description:
      'Identifies this request in the service’s log. Quote it when you report a problem. It is the request’s own `X-Request-Id` if that consists of 1 to 128 letters, digits, `.`, `_` and `-`.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
    example: '9f86d081884c7d65-2s',
  },
  Link: {
    description:
      'Links to other sets or pages (RFC 8288): `first`, `prev`, `next` and `last`, if they exist. Also present if a list is returned as a bare object.',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="(first|prev|next|last)"' },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme to use.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  RateLimit: {
    description:
      'The number of requests that the key has left (`r`), and the number of seconds until its full quota is restored (`t`). Only for keys with a limit.',
    required: false,
    schema: { type: 'string', pattern: '^"key";r=\\d+;t=\\d+$' },
    example: '"key";r=0;t=12',
  },
  'RateLimit-Policy': {
    description: 'The key’s limit: `q` requests in a window of `w` seconds. Only for keys with a limit.',
    required: false,
    schema: { type: 'string', pattern: '^"key";q=\\d+;w=\\d+$' },
    example: '"key";q=600;w=60',
  },
} satisfies Record<string, Header>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** References to the named headers and to the request id, which every response has. */
export function referToHeaders(...names: readonly ResponseHeaderName[]): Readonly<Record<string, Reference>> {
  const all = [...names, 'X-Request-Id'];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
