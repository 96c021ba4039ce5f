// What a client is made with, and what a single call may change.

import type { AnswerStore } from './memory-store.ts';

/** The `fetch` that requests go through. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** How long a request is repeated that failed for a passing reason: 429, 502, 503, 504, no answer in time, or none at all. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included. 4 by default. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds from the start of a call after which nothing is sent again. 30,000 by default. Where the server asks to
   * wait (`Retry-After`) past this, the call fails at once.
   */
  readonly within?: number | undefined;
}

/** What can be set for the whole client and for each call. `Preview` is false where no previews are asked for. */
export interface RequestOptions<Language extends string = string, Preview extends boolean = boolean> {
  /** Whether the newest saved version is read, published or not. The key must be allowed to. False by default. */
  readonly isPreview?: Preview | undefined;
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
export interface ClientOptions<Language extends string = string, Preview extends boolean = boolean>
  extends RequestOptions<Language, Preview> {
  /**
   * The root of the API, such as `https://content.example/api/v1`, without `/content`. Slashes at its end do not matter. An
   * address without a path is taken as the service's host, and `/api/v1` is added.
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
export interface CallOptions<Language extends string = string, Preview extends boolean = boolean>
  extends RequestOptions<Language, Preview> {
  /** Ends the call, also while it waits to be repeated. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * What `nextPage` and `prevPage` may set; everything else is as the page before has it. Which languages are mixed stands in
 * the server's link, and a list of published content does not go on with drafts, so neither can be changed on the way.
 */
export type FollowOptions<Language extends string = string> = Omit<
  CallOptions<Language>,
  'fallbackDefaultLanguage' | 'isPreview'
>;

/** A language that is written out must be one of the site's; one that is known only when the program runs may be any. */
export interface InLanguage<Known extends string, Language extends string> {
  readonly language?: (string extends Language ? string : Known) | undefined;
}
