// Stores responses for revalidation by ETag. Bodies are stored as text and parsed for each caller.

/** A stored response. */
export interface StoredAnswer {
  readonly etag: string;
  /** JSON text. */
  readonly body: string;
  /** The Link header. */
  readonly link: string | null;
}

/**
 * A store for a client's responses. The key contains everything that a response depends on: URL, site, language, preview, mode and API
 * key. That includes the API key itself, so protect your own store accordingly.
 */
export interface AnswerStore {
  get(key: string): StoredAnswer | undefined | Promise<StoredAnswer | undefined>;
  set(key: string, answer: StoredAnswer): void | Promise<void>;
}

/** @see createMemoryStore */
export interface MemoryStoreOptions {
  /** The maximum number of stored responses. The least recently used ones are dropped first. 500 by default. */
  readonly maxEntries?: number | undefined;
}

/**
 * Creates an in-memory store. Every call still sends a request, but if a response has not changed, the server sends
 * an empty 304, and the body comes from the store. Previews are never stored.
 *
 * @example
 * const client = createClient({ apiURL, apiKey, siteId, store: createMemoryStore({ maxEntries: 1000 }) });
 */
export function createMemoryStore({ maxEntries = 500 }: MemoryStoreOptions = {}): AnswerStore {
  const answers = new Map<string, StoredAnswer>();
  const put = (key: string, answer: StoredAnswer): void => {
    answers.delete(key);
    answers.set(key, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= maxEntries) return;
      answers.delete(oldest);
    }
  };
  return {
    get(key) {
      const answer = answers.get(key);
      if (answer !== undefined) put(key, answer);
      return answer;
    },
    set: put,
  };
}
