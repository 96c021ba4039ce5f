// How large a response can be: its uncompressed body, in bytes of UTF-8. Assets and linked content count as often as they appear.
// Without a limit, a short request could fill the memory of the process.

export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
export const MOST_ANSWER = `${MOST_ANSWER_BYTES / 1024 / 1024} MB`;

/** How much an answer may take where it is made. */
export interface AnswerRoom {
  /** How long its text may become, in characters. */
  readonly characters: number;
  /** How many bytes of stored bodies may be read for it. */
  readonly bytesRead: number;
  /** How many linked objects, or assets, may be looked up for it. */
  readonly lookups: number;
}

/** On the thread that serves all requests: making the largest such answer takes 20 ms. */
export const SHARED_ROOM: AnswerRoom = Object.freeze({
  characters: 1024 * 1024,
  bytesRead: 1024 * 1024,
  lookups: 1000,
});

/** On a thread, where nobody else waits. Not everything that is stored is shown, so more may be read than a response can hold. */
export const WHOLE_ROOM: AnswerRoom = Object.freeze({
  characters: MOST_ANSWER_BYTES,
  bytesRead: 2 * MOST_ANSWER_BYTES,
  lookups: Number.POSITIVE_INFINITY,
});
