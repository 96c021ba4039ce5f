// The management API's error responses by status, and which of them each route can return.

import { REFUSAL_CODES } from '../../authoring/authoring-refusal.ts';
import { PROBLEMS } from '../../http/problems.ts';
import { type Route, takesIdempotencyKey } from '../route.ts';
import type { Header, JsonSchema, Reference, Response } from './management-document.ts';

export const ERROR_SCHEMA_NAME = 'Error';

export const ERROR_SCHEMA: JsonSchema = {
  description: 'The body of every error.',
  type: 'object',
  properties: {
    message: { description: 'A sentence for people to read.', type: 'string', minLength: 1 },
    code: {
      description: 'An error code for programs. Absent if the request could not be read at all.',
      type: 'string',
      enum: [...new Set([...REFUSAL_CODES, ...Object.values(PROBLEMS).map((problem) => problem.code)])],
    },
    errors: {
      description: 'All errors in the request, each with its path.',
      type: 'array',
      minItems: 1,
      items: { $ref: '#/components/schemas/Fault' },
    },
    details: {
      description:
        'Data for handling the error, such as who changed what in the meantime. Its contents depend on the route.',
      type: 'object',
      additionalProperties: true,
    },
  },
  required: ['message'],
  additionalProperties: false,
};

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies this request in the service log. Quote it when you report a problem. It is the request’s own `X-Request-Id` if that consists of 1 to 128 letters, digits, `.`, `_` and `-`.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
  },
  ETag: {
    description:
      'Identifies this version. Send it as `If-Match` to have your change rejected if somebody else has made one first.',
    required: true,
    schema: { type: 'string', pattern: '^"[\\w-]{22}"$' },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme to use.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  RateLimit: {
    description:
      'For each limit: the number of attempts left (`r`), and the number of seconds until all of them are available again (`t`).',
    required: true,
    schema: { type: 'string', pattern: '^"\\w+";r=\\d+;t=\\d+(, "\\w+";r=\\d+;t=\\d+)*$' },
  },
  'RateLimit-Policy': {
    description: 'The limits: `q` attempts in a window of `w` seconds.',
    required: true,
    schema: { type: 'string', pattern: '^"\\w+";q=\\d+;w=\\d+(, "\\w+";q=\\d+;w=\\d+)*$' },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
} satisfies Record<string, Header>;

type HeaderName = keyof typeof RESPONSE_HEADERS;

const REFUSALS = {
  400: buildRefusal('The path or the body cannot be read: invalid JSON, invalid UTF-8, or a duplicate property.', {
    message: 'The body is not valid JSON.',
  }),
  401: buildRefusal(
    'Nobody is signed in, or the token is malformed, unknown, expired or revoked.',
    { message: PROBLEMS.unauthenticated.message },
    'WWW-Authenticate',
  ),
  403: buildRefusal(
    'The caller is not allowed to do this, the CSRF token is missing, or the request comes from a page with a different origin.',
    {
      message: PROBLEMS.ownerNeeded.message,
    },
  ),
  404: buildRefusal('The object does not exist in your account.', { message: 'There is no site s_gone.' }),
  409: buildRefusal('The call conflicts with existing data, or somebody else made a change in the meantime.', {
    message: 'Somebody else has changed this in the meantime.',
  }),
  412: buildRefusal(
    '`If-Match` does not match the current `ETag`, which is in the response. Nothing was changed.',
    { message: PROBLEMS.preconditionFailed.message },
    'ETag',
  ),
  413: buildRefusal('The body is too large.', { message: PROBLEMS.payloadTooLarge.message }),
  415: buildRefusal('The body is not `application/json` in UTF-8.', { message: PROBLEMS.unsupportedMediaType.message }),
  421: buildRefusal('The service does not accept the host name in the `Host` header.', {
    message: PROBLEMS.hostUnknown.message,
  }),
  422: buildRefusal('The request contains an invalid value. Nothing was stored.', {
    message: 'The input has 1 error.',
    errors: [{ path: 'name', message: 'must be 1 to 255 characters, got nothing', code: 'required' }],
  }),
  429: buildRefusal(
    'Too many attempts.',
    { message: PROBLEMS.tooManyRequests.message },
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ),
  500: buildRefusal('A bug. The service log contains the details under the request id.', {
    message: PROBLEMS.serverError.message,
  }),
  503: buildRefusal(
    'The database is unreachable or read-only, the service is overloaded, or a change has waited a minute for an import. For a change, the message says whether it may have been saved.',
    { message: PROBLEMS.serviceUnavailable.message },
    'Retry-After',
  ),
  507: buildRefusal(
    'The server’s disk is full. Nothing was saved.',
    { message: PROBLEMS.storageFull.message },
    'Retry-After',
  ),
} satisfies Record<number, Response>;

export type RefusalStatus = keyof typeof REFUSALS;

export const REFUSAL_RESPONSES: Readonly<Record<string, Response>> = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, response]) => [nameRefusal(status), response]),
);

/**
 * References to the error responses that a route can return, by status.
 * @param hasCondition whether it may be called with `If-Match`
 */
export function referToRefusals(route: Route, hasCondition: boolean): Readonly<Record<string, Reference>> {
  return referToStatuses(listRefusals(route, hasCondition));
}

export function referToStatuses(statuses: readonly RefusalStatus[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameRefusal(status)}` }]),
  );
}

function listRefusals(route: Route, hasCondition: boolean): readonly RefusalStatus[] {
  const { method, path, refusals = [] } = route;
  const takesBody = method !== 'GET';
  const namesThings = path.includes('{');
  const statuses = new Set<RefusalStatus>([401, 403, 421, 422, 500, 503, ...refusals]);
  if (namesThings) statuses.add(404);
  if (namesThings || takesBody) statuses.add(400);
  if (hasCondition) statuses.add(412);
  if (takesBody) statuses.add(413).add(415).add(507);
  if (takesIdempotencyKey(route)) statuses.add(409);
  return [...statuses].sort((a, b) => a - b);
}

/** References to the headers in every response, plus the given headers. */
export function referToHeaders(...names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  const all = [...names, 'X-Request-Id'];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function nameRefusal(status: number | string): string {
  return `Refusal${status}`;
}

function buildRefusal(description: string, example: unknown, ...headers: readonly HeaderName[]): Response {
  const schema = { $ref: `#/components/schemas/${ERROR_SCHEMA_NAME}` };
  return { description, headers: referToHeaders(...headers), content: { 'application/json': { schema, example } } };
}
