// What a client is made with, and what a single call may change. Wrong options are refused when the client is made, in a
// sentence that never repeats the API key.

import { checkText } from './check-text.ts';
import type { AnswerStore } from './memory-store.ts';

/** The `fetch` that requests go through. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** How long a request is repeated that failed for a passing reason: 429, 502, 503, 504, no answer in time, or none at all. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included. 4 by default. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds from the start of a call after which nothing is sent again. 10,000 by default. Where the server asks to
   * wait (`Retry-After`) past this, the call fails at once.
   */
  readonly within?: number | undefined;
}

/** What can be set for the whole client and for each call. */
export interface RequestOptions<Language extends string = string> {
  /** Whether the newest saved version is read, published or not. The key must be allowed to. False by default. */
  readonly isPreview?: boolean | undefined;
  /** The language that is read; the site's default language where none is given. */
  readonly language?: Language | undefined;
  /** Whether content that the language lacks comes in the default language instead. False by default. */
  readonly fallbackDefaultLanguage?: boolean | undefined;
  /** Milliseconds for one attempt, its body included. 10,000 by default; 0 or false for no limit. */
  readonly timeout?: number | false | undefined;
  /** Options for the `fetch` call that win over the library's own; headers are merged, in any form that `fetch` takes. */
  readonly fetchOptions?: RequestInit | undefined;
}

/** @see createClient */
export interface ClientOptions<Language extends string = string> extends RequestOptions<Language> {
  /**
   * The root of the API, such as `https://content.example/api/v1`. Slashes at its end do not matter. An address without a
   * path is taken as the service's host, and `/api/v1` is added.
   */
  readonly apiURL: string;
  /** An API key of the delivery API. */
  readonly apiKey: string;
  /** The id of the site that is read. */
  readonly siteId: string;
  /** Whether lists have page numbers (`pagination`) instead of cursors. False by default. */
  readonly simplePagination?: boolean | undefined;
  /** What the names of the service's own headers begin with. `X-SERVICE` by default. */
  readonly headerPrefix?: string | undefined;
  /** The `fetch` to use; the global one by default. */
  readonly fetch?: FetchFunction | undefined;
  /** How failed requests are repeated; false for never. */
  readonly retry?: RetryOptions | false | undefined;
  /** Keeps answers and revalidates them by their ETag. None by default. */
  readonly store?: AnswerStore | undefined;
}

/** What one call may set; everything else is as the client has it. */
export interface CallOptions<Language extends string = string> extends RequestOptions<Language> {
  /** Ends the call, also while it waits to be repeated. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Options that were found to be right, in a copy that the caller cannot change. */
export interface ClientSettings extends ClientOptions {
  /** The root of the API without a slash at its end. */
  readonly root: string;
  readonly headerPrefix: string;
}

export function parseOptions(options: ClientOptions): ClientSettings {
  const { apiURL, apiKey, siteId, language, headerPrefix = 'X-SERVICE' } = options;
  checkText('apiURL', apiURL);
  const texts = { apiKey, siteId, headerPrefix, ...(language !== undefined && { language }) };
  for (const [name, value] of Object.entries(texts)) {
    checkText(name, value);
    // Headers would refuse it too, in a message that repeats it.
    if (!/^[!-~]+$/.test(value)) throw new TypeError(`${name} holds white space or characters other than ASCII.`);
  }
  if (!/^[\w-]+$/.test(headerPrefix)) {
    throw new TypeError(`headerPrefix is ${headerPrefix}; letters, digits, _ and - are allowed.`);
  }
  return { ...options, headerPrefix, root: parseRoot(apiURL) };
}

function parseRoot(apiURL: string): string {
  const [, origin, path = ''] = /^(https?:\/\/[^/?#@\\]+)(\/[^?#]*)?$/i.exec(apiURL.trim()) ?? [];
  try {
    return new URL(origin + (path.replace(/\/+$/, '') || '/api/v1')).href;
  } catch {
    const given = /[@?]/.test(apiURL) ? '' : ` (${apiURL})`;
    throw new TypeError(
      `apiURL${given} is no address of an API root, such as https://content.example/api/v1: http or https, no user, query or fragment.`,
    );
  }
}
