// The options of a client, and those that a single call can change.

import type { AnswerStore } from './memory-store.ts';

/** The `fetch` function for requests. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** How long a request is retried after a temporary failure: 429, 502, 503, 504, a timeout, or no connection. */
export interface RetryOptions {
  /** How often a request is sent at most, including the first time. 4 by default. */
  readonly attempts?: number | undefined;
  /**
   * No request is sent later than this many milliseconds after the start of a call. 30,000 by default. If the server asks to
   * wait longer (`Retry-After`), the call fails at once.
   */
  readonly within?: number | undefined;
}

/** Options for the whole client and for each call. `Preview` is false if no previews are requested. */
export interface RequestOptions<Language extends string = string, Preview extends boolean = boolean> {
  /** Whether to read the newest saved version, published or not. The key must allow it. False by default. */
  readonly isPreview?: Preview | undefined;
  /** The language to read. The site's default language by default. */
  readonly language?: Language | undefined;
  /** Whether content that does not exist in the language is returned in the default language. False by default. */
  readonly fallbackDefaultLanguage?: boolean | undefined;
  /** Milliseconds for one attempt, including its body. 10,000 by default; 0 or false for no limit. */
  readonly timeout?: number | false | undefined;
  /** Options for the `fetch` call. They override the library's own; headers are merged, in any form that `fetch` accepts. */
  readonly fetchOptions?: RequestInit | undefined;
}

/** @see createClient */
export interface ClientOptions<Language extends string = string, Preview extends boolean = boolean>
  extends RequestOptions<Language, Preview> {
  /**
   * The root of the API, such as `https://content.example/api/v1`, without `/content`. Trailing slashes do not matter. If the URL
   * has no path, `/api/v1` is added.
   */
  readonly apiURL: string;
  /** An API key of the delivery API. */
  readonly apiKey: string;
  /** The id of the site to read. */
  readonly siteId: string;
  /** Whether lists have page numbers (`pagination`) instead of cursors. False by default. */
  readonly simplePagination?: boolean | undefined;
  /** The prefix of the service's own headers. `X-SERVICE` by default. */
  readonly headerPrefix?: string | undefined;
  /** The `fetch` to use; the global one by default. */
  readonly fetch?: FetchFunction | undefined;
  /** How failed requests are retried; false for never. */
  readonly retry?: RetryOptions | false | undefined;
  /** Keeps responses and revalidates them by their ETag. None by default. */
  readonly store?: AnswerStore | undefined;
}

/** The options of one call. Everything else comes from the client. */
export interface CallOptions<Language extends string = string, Preview extends boolean = boolean>
  extends RequestOptions<Language, Preview> {
  /** Ends the call, also while it waits for a retry. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * The options of `nextPage` and `prevPage`. Everything else comes from the previous page. The server's link fixes the language and
 * the fallback, and a list of published content cannot continue with drafts, so neither can change.
 */
export type FollowOptions<Language extends string = string> = Omit<
  CallOptions<Language>,
  'fallbackDefaultLanguage' | 'isPreview'
>;

/** A literal language must be one of the site's. One that is known only at run time can be any. */
export interface InLanguage<Known extends string, Language extends string> {
  readonly language?: (string extends Language ? string : Known) | undefined;
}
