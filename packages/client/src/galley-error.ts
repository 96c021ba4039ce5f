// The library's only error class. `message` is the server's own message, if there is one. It never contains the API key.

/** Identifies the kind of failure. */
export type GalleyErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'misconfigured'
  | 'invalid'
  | 'rate_limited'
  | 'server_error'
  | 'unavailable'
  | 'refused'
  | 'unreadable'
  | 'network'
  | 'timeout';

const CODES: Readonly<Record<number, GalleyErrorCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'misconfigured',
  422: 'invalid',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Failures that may be temporary. */
const PASSING: readonly GalleyErrorCode[] = ['rate_limited', 'unavailable', 'network', 'timeout'];

/** The details of a failure. */
export interface GalleyErrorDetails {
  readonly code: GalleyErrorCode;
  readonly url: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Thrown whenever a request fails, whether the server rejected it or did not respond. If the caller's own signal aborts a call, the
 * call rejects with that signal's reason instead, as `fetch` does.
 *
 * @example
 * try {
 *   return await client.getContentById('c_1');
 * } catch (error) {
 *   if (isNotFound(error)) return undefined;
 *   if (isGalleyError(error)) console.error(error.message, error.status, error.requestId, error.url);
 *   throw error;
 * }
 */
export class GalleyError extends Error {
  override readonly name = 'GalleyError';
  /** Identifies the kind of failure. */
  declare readonly code: GalleyErrorCode;
  /** The status of the response; undefined if there was none. */
  declare readonly status: number | undefined;
  /** The id of the request in the server's log; undefined if the server sent none. */
  declare readonly requestId: string | undefined;
  /** The URL of the request. */
  declare readonly url: string;
  /** Whether the same request may succeed later. The library has already retried it as often as `retry` allows. */
  declare readonly retryable: boolean;
  /** How long the server asks the client to wait, in milliseconds; undefined if the server does not say. */
  declare readonly retryAfter: number | undefined;

  constructor(message: string, details: GalleyErrorDetails) {
    super(message, details);
    Object.assign(this, details, { retryable: PASSING.includes(details.code) });
  }
}

/** The API's message for missing content. Any other message in a 404 means that the URL is wrong. */
export const CONTENT_NOT_FOUND = 'Content not found.';

/** @param message the message in an error response, if it has one */
export function codeOf(status: number, message?: string): GalleyErrorCode {
  if (message === CONTENT_NOT_FOUND) return 'not_found';
  return CODES[status] ?? (status < 400 ? 'unreadable' : status < 500 ? 'refused' : 'server_error');
}

/** A `GalleyError` with a specific `code`. */
export type GalleyErrorOf<Code extends GalleyErrorCode> = GalleyError & { readonly code: Code };

/**
 * Whether an error was thrown by this library.
 * @example if (isGalleyError(error)) console.error(error.code, error.requestId);
 */
export function isGalleyError(error: unknown): error is GalleyError {
  // Compares by name: a program may have two copies of the class, one loaded by import and one by require.
  return error instanceof Error && error.name === 'GalleyError';
}

function hasCode<Code extends GalleyErrorCode>(error: unknown, ...codes: Code[]): error is GalleyErrorOf<Code> {
  return isGalleyError(error) && codes.some((code) => code === error.code);
}

/**
 * 404: the content does not exist, or the caller is not allowed to see it.
 * @example if (isNotFound(error)) return new Response('Not found', { status: 404 });
 */
export function isNotFound(error: unknown): error is GalleyErrorOf<'not_found'> {
  return hasCode(error, 'not_found');
}

/**
 * 404 for a reason other than missing content: the API is not at this URL. `apiURL` is wrong, or a proxy hides the API.
 * @example if (isMisconfigured(error)) throw new Error('Check GALLEY_API_URL.', { cause: error });
 */
export function isMisconfigured(error: unknown): error is GalleyErrorOf<'misconfigured'> {
  return hasCode(error, 'misconfigured');
}

/**
 * 401: the API key is missing, wrong, expired or revoked.
 * @example if (isUnauthenticated(error)) throw new Error('Check GALLEY_API_KEY.', { cause: error });
 */
export function isUnauthenticated(error: unknown): error is GalleyErrorOf<'unauthenticated'> {
  return hasCode(error, 'unauthenticated');
}

/**
 * 403: the key is not allowed to read this site, or is not allowed to read previews.
 * @example if (isForbidden(error)) console.error(error.message);
 */
export function isForbidden(error: unknown): error is GalleyErrorOf<'forbidden'> {
  return hasCode(error, 'forbidden');
}

/**
 * 422: a parameter is invalid, or the response would be larger than 32 MB. `message` says what is allowed.
 * @example if (isInvalid(error)) return new Response(error.message, { status: 400 });
 */
export function isInvalid(error: unknown): error is GalleyErrorOf<'invalid'> {
  return hasCode(error, 'invalid');
}

/**
 * 429: the key has exceeded its rate limit, and waiting would take longer than `retry` allows.
 * @example if (isRateLimited(error)) console.warn(`Try again in ${error.retryAfter} ms.`);
 */
export function isRateLimited(error: unknown): error is GalleyErrorOf<'rate_limited'> {
  return hasCode(error, 'rate_limited');
}

/**
 * 502, 503 or 504, or the server could not be reached.
 * @example if (isUnavailable(error)) return new Response('Back soon', { status: 503 });
 */
export function isUnavailable(error: unknown): error is GalleyErrorOf<'unavailable' | 'network'> {
  return hasCode(error, 'unavailable', 'network');
}

/**
 * The response took longer than `timeout`.
 * @example if (isTimeout(error)) console.warn(error.message);
 */
export function isTimeout(error: unknown): error is GalleyErrorOf<'timeout'> {
  return hasCode(error, 'timeout');
}
