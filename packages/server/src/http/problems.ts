// Every expected error of both APIs: its name, its status and its one sentence. docs/errors.md holds the same table,
// and a test holds the two against each other. What is not here is a bug, and is answered as `serverError`.

export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PROBLEMS = Object.freeze({
  badRequest: problem(400, 'Bad request.'),
  siteInvalid: problem(400, 'Invalid Site ID.'),
  unauthenticated: problem(401, 'Unauthenticated.', { 'www-authenticate': 'Bearer' }),
  signInFailed: problem(401, 'The email or the password is wrong.', { 'www-authenticate': 'Bearer' }),
  siteMissing: problem(403, 'You must supply the Site ID in the appropriate header.'),
  siteForbidden: problem(403, 'You are not permitted to access this Site.'),
  previewForbidden: problem(403, 'This API key may not read previews.'),
  ownerNeeded: problem(403, 'Only an owner may do this.'),
  csrfTokenMissing: problem(403, "The X-CSRF-Token header must hold the session's CSRF token."),
  crossSiteForbidden: problem(403, 'Pages of other sites may not call this API.'),
  notFound: problem(404, 'Not found.'),
  contentNotFound: problem(404, 'Content not found.'),
  methodNotAllowed: problem(405, 'Method not allowed.'),
  requestTimeout: problem(408, 'Request timeout.'),
  preconditionFailed: problem(412, 'This has changed: its ETag is not the one in If-Match.'),
  payloadTooLarge: problem(413, 'Payload too large.'),
  uriTooLong: problem(414, 'URI too long.'),
  unsupportedMediaType: problem(415, 'Unsupported media type.'),
  expectationFailed: problem(417, 'Expectation failed.'),
  hostUnknown: problem(
    421,
    'The management API does not answer to this host name. Add it to GALLEY_ADMIN_HOSTS, or set GALLEY_PUBLIC_URL.',
  ),
  tooManyRequests: problem(429, 'Too many requests.'),
  headersTooLarge: problem(431, 'Request header fields too large.'),
  idempotencyKeyInvalid: problem(400, 'The Idempotency-Key header must have 1 to 255 visible ASCII characters.'),
  idempotencyKeyReused: problem(
    422,
    'This Idempotency-Key was sent before with another request, so nothing was changed. Use a new key for each change.',
  ),
  alreadyDone: problem(
    409,
    'A request with this Idempotency-Key has been carried out. Its answer is not kept, so it cannot be shown again.',
  ),
  serverError: problem(500, 'Server error.'),
  serviceUnavailable: problem(503, 'Service unavailable.', { 'retry-after': '1' }),
  notSaved: problem(503, 'Service unavailable. Nothing was saved.', { 'retry-after': '1' }),
  outcomeUnknown: problem(
    503,
    'The database failed during the save, so the change may or may not have been saved. ' +
      'Check before you repeat it, or repeat the request with the same Idempotency-Key.',
    { 'retry-after': '1' },
  ),
  databaseReadOnly: problem(
    503,
    'Nothing was saved, because the database accepts no changes at the moment; reading still works. ' +
      'Please tell the people who run this server.',
    { 'retry-after': '10' },
  ),
  databaseFailing: problem(
    503,
    'Nothing was saved, because the server cannot use its disk. Please tell the people who run this server.',
    { 'retry-after': '10' },
  ),
  importRunning: problem(503, 'An import is running. Changes can be saved when it has ended.', { 'retry-after': '10' }),
  storageFull: problem(
    507,
    "Nothing was saved, because the server's disk is full; reading still works. Please tell the people who run this server.",
    { 'retry-after': '10' },
  ),
});

/** A parameter is invalid: the sentence names the parameter, what was given and what is allowed. */
export function invalidParameter(message: string): Problem {
  return problem(422, message);
}

/** The same problem with what only this occasion knows: `Allow`, `Retry-After`, `RateLimit`. */
export function withHeaders(known: Problem, headers: Readonly<Record<string, string>>): Problem {
  return problem(known.status, known.message, { ...known.headers, ...headers });
}

/** Carries a problem out of code that cannot return it, such as a Fastify hook; return problems wherever you can. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(expected: Problem) {
    super(expected.message);
    this.name = 'ProblemError';
    this.problem = expected;
  }
}

function problem(status: number, message: string, headers?: Readonly<Record<string, string>>): Problem {
  return Object.freeze(
    headers === undefined ? { status, message } : { status, message, headers: Object.freeze(headers) },
  );
}
