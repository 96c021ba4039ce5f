// The response headers of the delivery API, keyed by their name in the document.

import type { Header, Reference } from './open-api.ts';

export const RESPONSE_HEADERS = {
  ETag: {
    description: 'Identifies this answer. Send it back as `If-None-Match` to ask whether anything changed.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"q2mWJt5oZ0u7kD4c"',
  },
  'Cache-Control': {
    description: 'Keep the answer, but ask before each use. Previews are not to be kept at all.',
    required: true,
    schema: { type: 'string', enum: ['private, no-cache', 'private, no-cache, no-store'] },
    example: 'private, no-cache',
  },
  'Cache-Status': {
    description:
      'Whether the service had the answer ready. `detail=stale` marks an answer that could not be checked because the database is out of reach.',
    required: true,
    schema: { type: 'string', pattern: '^galley; (hit|fwd=[a-z-]+)(; detail=[a-z-]+)?$' },
    example: 'galley; hit',
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    description:
      'Names this request in the service’s log. Quote it when you report a problem. It is the `X-Request-Id` of the request if that has 1 to 128 letters, digits, `.`, `_` and `-`.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
    example: '9f86d081884c7d65-2s',
  },
  Link: {
    description:
      'The neighbouring sets or pages (RFC 8288: `first`, `prev`, `next`, `last`, where they exist). It is there also when a list answers with a bare object.',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="(first|prev|next|last)"' },
  },
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path knows.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  RateLimit: {
    description:
      'How many requests the key has left (`r`), and in how many seconds it has all of them again (`t`). Only for keys with a limit.',
    required: false,
    schema: { type: 'string', pattern: '^"key";r=\\d+;t=\\d+$' },
    example: '"key";r=0;t=12',
  },
  'RateLimit-Policy': {
    description: 'The limit of the key: requests (`q`) in a window of seconds (`w`). Only for keys with a limit.',
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
