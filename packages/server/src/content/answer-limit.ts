// How large a response can be: its uncompressed body, in bytes of UTF-8. Assets and linked content count as often as they appear.
// Without a limit, a short request could fill the memory of the process.

export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
export const MOST_ANSWER = `${MOST_ANSWER_BYTES / 1024 / 1024} MB`;

/** The limits for making one answer. */
export interface AnswerRoom {
  /** The most characters of its text. */
  readonly characters: number;
  /** The most bytes of stored bodies to read for it. */
  readonly bytesRead: number;
  /** The most linked objects, or assets, to look up for it. */
  readonly lookups: number;
}

/** For the thread that serves all requests. Making the largest such answer takes 20 ms. */
export const SHARED_ROOM: AnswerRoom = Object.freeze({
  characters: 1024 * 1024,
  bytesRead: 1024 * 1024,
  lookups: 1000,
});

/** For a separate thread. Readers do not see everything that is stored, so it may read more than a response can hold. */
export const WHOLE_ROOM: AnswerRoom = Object.freeze({
  characters: MOST_ANSWER_BYTES,
  bytesRead: 2 * MOST_ANSWER_BYTES,
  lookups: Number.POSITIVE_INFINITY,
});
