// The options for a client and for a single call.

import type { AnswerStore } from './memory-store.ts';

/** The `fetch` function that sends requests. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** How requests are retried after a temporary failure: 429, 502, 503, 504, a timeout, or no connection. */
export interface RetryOptions {
  /** The maximum number of times a request is sent, including the first. 4 by default. */
  readonly attempts?: number | undefined;
  /**
   * The time limit for retries, in milliseconds from the start of the call: no request is sent after that. 30,000 by default. If the
   * server asks for a longer wait (`Retry-After`), the call fails immediately.
   */
  readonly within?: number | undefined;
}

/** Options for the whole client and for each call. `Preview` is false if no previews are requested. */
export interface RequestOptions<Language extends string = string, Preview extends boolean = boolean> {
  /** Whether to read the latest saved version, published or not. The key must allow previews. False by default. */
  readonly isPreview?: Preview | undefined;
  /** The language of the content to read. Defaults to the site's default language. */
  readonly language?: Language | undefined;
  /** Whether to return content in the default language if it does not exist in the requested one. False by default. */
  readonly fallbackDefaultLanguage?: boolean | undefined;
  /** The time limit for one attempt, including reading the body, in milliseconds. 10,000 by default; 0 or false for no limit. */
  readonly timeout?: number | false | undefined;
  /**
   * Options for the `fetch` call. They override the library's own options, but headers are merged. The headers may have any form that
   * `fetch` accepts.
   */
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
  /** An API key for the delivery API. */
  readonly apiKey: string;
  /** The id of the site to read. */
  readonly siteId: string;
  /** Whether lists have page numbers (`pagination`) instead of cursors. False by default. */
  readonly simplePagination?: boolean | undefined;
  /** The prefix of the service's own headers. `X-SERVICE` by default. */
  readonly headerPrefix?: string | undefined;
  /** The `fetch` to use; the global one by default. */
  readonly fetch?: FetchFunction | undefined;
  /** How to retry failed requests; false to never retry them. */
  readonly retry?: RetryOptions | false | undefined;
  /** Stores responses for revalidation by ETag. No store by default. */
  readonly store?: AnswerStore | undefined;
  /**
   * The URL of the change feed. By default, `apiURL` with `/changes/v1` in place of `/api/v1`. Needed only if `apiURL` does not end in
   * `/api/v1`.
   */
  readonly changesURL?: string | undefined;
}

/** The options for one call. All other options come from the client. */
export interface CallOptions<Language extends string = string, Preview extends boolean = boolean>
  extends RequestOptions<Language, Preview> {
  /** Aborts the call, even while it is waiting to retry. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * The options for `nextPage` and `prevPage`. All other options come from the previous page. The server's link determines the language
 * and the fallback, and a list of published content cannot continue with drafts, so these options cannot be changed.
 */
export type FollowOptions<Language extends string = string> = Omit<
  CallOptions<Language>,
  'fallbackDefaultLanguage' | 'isPreview'
>;

/** A literal language must be one of the site's languages. A language that is known only at run time can be any string. */
export interface InLanguage<Known extends string, Language extends string> {
  readonly language?: (string extends Language ? string : Known) | undefined;
}
