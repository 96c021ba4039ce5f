// The maximum size of a response: its uncompressed body, in bytes of UTF-8. Assets and linked content count each time they appear.
// Without a limit, a short request could fill the process's memory.

export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
export const MOST_ANSWER = `${MOST_ANSWER_BYTES / 1024 / 1024} MB`;

/** The limits for building one response. */
export interface AnswerRoom {
  /** The maximum number of characters in the response. */
  readonly characters: number;
  /** The maximum number of bytes to read from stored bodies. */
  readonly bytesRead: number;
  /** The maximum number of lookups, counted separately for linked objects and for assets. */
  readonly lookups: number;
}

/** The limits for the thread that serves all requests. Building a response of this size takes 20 ms. */
export const SHARED_ROOM: AnswerRoom = Object.freeze({
  characters: 1024 * 1024,
  bytesRead: 1024 * 1024,
  lookups: 1000,
});

/**
 * The limits for a separate thread. It may read more data than fits into a response, because the response omits some of
 * the stored data.
 */
export const WHOLE_ROOM: AnswerRoom = Object.freeze({
  characters: MOST_ANSWER_BYTES,
  bytesRead: 2 * MOST_ANSWER_BYTES,
  lookups: Number.POSITIVE_INFINITY,
});
