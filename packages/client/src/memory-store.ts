// Answers that are asked for again by their ETag. A body is kept as text and parsed anew for each caller.

/** An answer as it is kept. */
export interface StoredAnswer {
  readonly etag: string;
  /** JSON text. */
  readonly body: string;
  /** The Link header. */
  readonly link: string | null;
}

/**
 * Where a client keeps answers. The key tells apart whatever may read differently: address, site, language, preview,
 * mode and API key. It holds the API key itself, so a store of your own must be as safe as that.
 */
export interface AnswerStore {
  get(key: string): StoredAnswer | undefined | Promise<StoredAnswer | undefined>;
  set(key: string, answer: StoredAnswer): void | Promise<void>;
}

/** @see createMemoryStore */
export interface MemoryStoreOptions {
  /** How many answers are kept; those that were used least recently go first. 500 by default. */
  readonly maxEntries?: number | undefined;
}

/**
 * A store in the memory of the process. Every call still asks the server, but an answer that has not changed comes back
 * as an empty 304, and its body is taken from here. Previews are never kept.
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
