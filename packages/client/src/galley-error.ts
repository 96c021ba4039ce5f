// The one error of the library. `message` is the server's own sentence where it gave one; the API key stands nowhere in it.

/** What went wrong, as one word. */
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

/** What may be over when the same request is sent again. */
const PASSING: readonly GalleyErrorCode[] = ['rate_limited', 'unavailable', 'network', 'timeout'];

/** What is known of a failure. */
export interface GalleyErrorDetails {
  readonly code: GalleyErrorCode;
  readonly url: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Every failure of a request, whether the server refused it or no answer came. What the caller's own signal ends
 * rejects with the reason of that signal instead, as `fetch` does.
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
  /** What went wrong, as one word. */
  declare readonly code: GalleyErrorCode;
  /** The status of the answer; undefined where none came. */
  declare readonly status: number | undefined;
  /** The id under which the server logged the request; undefined where it named none. */
  declare readonly requestId: string | undefined;
  /** The address that was asked. */
  declare readonly url: string;
  /** Whether the same request may succeed later. It has been repeated already, as far as `retry` allows. */
  declare readonly retryable: boolean;
  /** How long the server asks to wait, in milliseconds; undefined where it did not say. */
  declare readonly retryAfter: number | undefined;

  constructor(message: string, details: GalleyErrorDetails) {
    super(message, details);
    Object.assign(this, details, { retryable: PASSING.includes(details.code) });
  }
}

/** What the API says where content is missing. Any other 404 is about the address. */
export const CONTENT_NOT_FOUND = 'Content not found.';

/** @param message of an answer that is no content, where it has one */
export function codeOf(status: number, message?: string): GalleyErrorCode {
  if (message === CONTENT_NOT_FOUND) return 'not_found';
  return CODES[status] ?? (status < 400 ? 'unreadable' : status < 500 ? 'refused' : 'server_error');
}

/** An error of the library whose `code` is known. */
export type GalleyErrorOf<Code extends GalleyErrorCode> = GalleyError & { readonly code: Code };

/**
 * Any failure that this library reports.
 * @example if (isGalleyError(error)) console.error(error.code, error.requestId);
 */
export function isGalleyError(error: unknown): error is GalleyError {
  // By name: a program may hold two copies of the class, one loaded by import and one by require.
  return error instanceof Error && error.name === 'GalleyError';
}

function hasCode<Code extends GalleyErrorCode>(error: unknown, ...codes: Code[]): error is GalleyErrorOf<Code> {
  return isGalleyError(error) && codes.some((code) => code === error.code);
}

/**
 * 404: there is no such content, or the reader may not see it.
 * @example if (isNotFound(error)) return new Response('Not found', { status: 404 });
 */
export function isNotFound(error: unknown): error is GalleyErrorOf<'not_found'> {
  return hasCode(error, 'not_found');
}

/**
 * 404, but not about content: nothing of the API answers at that address. `apiURL` is wrong, or a proxy hides the API.
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
 * 403: the key may not read this site, or no previews.
 * @example if (isForbidden(error)) console.error(error.message);
 */
export function isForbidden(error: unknown): error is GalleyErrorOf<'forbidden'> {
  return hasCode(error, 'forbidden');
}

/**
 * 422: a parameter is invalid, or the answer would be larger than 32 MB; `message` says what is allowed.
 * @example if (isInvalid(error)) return new Response(error.message, { status: 400 });
 */
export function isInvalid(error: unknown): error is GalleyErrorOf<'invalid'> {
  return hasCode(error, 'invalid');
}

/**
 * 429: the key has spent its requests, and waiting would have taken longer than `retry` allows.
 * @example if (isRateLimited(error)) console.warn(`Try again in ${error.retryAfter} ms.`);
 */
export function isRateLimited(error: unknown): error is GalleyErrorOf<'rate_limited'> {
  return hasCode(error, 'rate_limited');
}

/**
 * 502, 503 or 504, or nothing that answers at that address.
 * @example if (isUnavailable(error)) return new Response('Back soon', { status: 503 });
 */
export function isUnavailable(error: unknown): error is GalleyErrorOf<'unavailable' | 'network'> {
  return hasCode(error, 'unavailable', 'network');
}

/**
 * The answer took longer than `timeout`.
 * @example if (isTimeout(error)) console.warn(error.message);
 */
export function isTimeout(error: unknown): error is GalleyErrorOf<'timeout'> {
  return hasCode(error, 'timeout');
}
