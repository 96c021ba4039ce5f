// Every expected error in both APIs: its code, its status and its message. docs/errors.md has the same table, and a test
// compares the two. Any other error is a bug, and the client gets `serverError`.

export interface Problem {
  /** Identifies the problem for programs. Only the management API sends it. */
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PROBLEMS = Object.freeze({
  badRequest: problem('bad_request', 400, 'Bad request.'),
  siteInvalid: problem('site_invalid', 400, 'Invalid Site ID.'),
  unauthenticated: problem('unauthenticated', 401, 'Unauthenticated.', { 'www-authenticate': 'Bearer' }),
  signInFailed: problem('sign_in_failed', 401, 'The email address or password is incorrect.', {
    'www-authenticate': 'Bearer',
  }),
  siteMissing: problem('site_missing', 403, 'You must supply the Site ID in the appropriate header.'),
  siteForbidden: problem('site_forbidden', 403, 'You are not permitted to access this Site.'),
  previewForbidden: problem('preview_forbidden', 403, 'This API key may not read previews.'),
  keyNeeded: problem('key_needed', 403, 'The change feed needs an API key.'),
  ownerNeeded: problem('owner_needed', 403, 'Only an owner can do this.'),
  csrfTokenMissing: problem('csrf_token_missing', 403, "The X-CSRF-Token header must be the session's CSRF token."),
  crossSiteForbidden: problem('cross_site_forbidden', 403, 'Pages on other sites are not allowed to call this API.'),
  imageSignatureNeeded: problem(
    'image_signature_needed',
    403,
    'This site transforms images only through presets and signed URLs.',
  ),
  notFound: problem('not_found', 404, 'Not found.'),
  contentNotFound: problem('content_not_found', 404, 'Content not found.'),
  methodNotAllowed: problem('method_not_allowed', 405, 'Method not allowed.'),
  requestTimeout: problem('request_timeout', 408, 'Request timeout.'),
  changesGone: problem(
    'changes_gone',
    410,
    'The change log does not contain this position. Start over with a full sync: send the request without since.',
  ),
  preconditionFailed: problem(
    'precondition_failed',
    412,
    'The resource has changed: its ETag no longer matches If-Match.',
  ),
  payloadTooLarge: problem('payload_too_large', 413, 'Payload too large.'),
  uriTooLong: problem('uri_too_long', 414, 'URI too long.'),
  unsupportedMediaType: problem('unsupported_media_type', 415, 'Unsupported media type.'),
  rangeNotSatisfiable: problem('range_not_satisfiable', 416, 'Range not satisfiable.'),
  expectationFailed: problem('expectation_failed', 417, 'Expectation failed.'),
  hostUnknown: problem(
    'host_unknown',
    421,
    'The management API is not available at this host name. Add it to GALLEY_ADMIN_HOSTS, or set GALLEY_PUBLIC_URL.',
  ),
  tooManyRequests: problem('too_many_requests', 429, 'Too many requests.'),
  headersTooLarge: problem('headers_too_large', 431, 'Request header fields too large.'),
  idempotencyKeyInvalid: problem(
    'idempotency_key_invalid',
    400,
    'The Idempotency-Key header must consist of 1 to 255 visible ASCII characters.',
  ),
  idempotencyKeyReused: problem(
    'idempotency_key_reused',
    422,
    'This Idempotency-Key was already sent with a different request, so nothing was changed. Use a new key for each change.',
  ),
  alreadyDone: problem(
    'already_done',
    409,
    'A request with this Idempotency-Key has already been carried out. Its response was not stored, so it cannot be sent again.',
  ),
  serverError: problem('server_error', 500, 'Server error.'),
  serviceUnavailable: problem('service_unavailable', 503, 'Service unavailable.', { 'retry-after': '1' }),
  notSaved: problem('not_saved', 503, 'Service unavailable. Nothing was saved.', { 'retry-after': '1' }),
  outcomeUnknown: problem(
    'outcome_unknown',
    503,
    'The database failed during the save, so the change may or may not have been saved. ' +
      'Check before you try again, or repeat the request with the same Idempotency-Key.',
    { 'retry-after': '1' },
  ),
  databaseReadOnly: problem(
    'database_read_only',
    503,
    'Nothing was saved, because the database is not accepting changes at the moment; reading still works. ' +
      'Please tell the people who run this server.',
    { 'retry-after': '10' },
  ),
  databaseFailing: problem(
    'database_failing',
    503,
    'Nothing was saved, because the server cannot use its disk. Please tell the people who run this server.',
    { 'retry-after': '10' },
  ),
  fileStoreFailing: problem(
    'file_store_failing',
    503,
    'Nothing was saved, because the server cannot use its file store. Please tell the people who run this server.',
    { 'retry-after': '10' },
  ),
  importRunning: problem('import_running', 503, 'An import is running. You can save changes once it has finished.', {
    'retry-after': '10',
  }),
  storageFull: problem(
    'storage_full',
    507,
    "Nothing was saved, because the server's disk is full; reading still works. Please tell the people who run this server.",
    { 'retry-after': '10' },
  ),
});

/** The problem for an invalid parameter. The message names the parameter, the given value and the allowed values. */
export function invalidParameter(message: string): Problem {
  return problem('invalid', 422, message);
}

/** Adds headers that depend on the request, such as `Allow`, `Retry-After` or `RateLimit`. */
export function withHeaders(known: Problem, headers: Readonly<Record<string, string>>): Problem {
  return problem(known.code, known.status, known.message, { ...known.headers, ...headers });
}

/** Thrown by code that cannot return a problem, such as a Fastify hook. Return problems wherever possible. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(expected: Problem) {
    super(expected.message);
    this.name = 'ProblemError';
    this.problem = expected;
  }
}

function problem(code: string, status: number, message: string, headers?: Readonly<Record<string, string>>): Problem {
  return Object.freeze(
    headers === undefined ? { code, status, message } : { code, status, message, headers: Object.freeze(headers) },
  );
}
