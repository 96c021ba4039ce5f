// Decides when a failed call is retried.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after the first attempt, the second, and so on. A call that fails after the last pause is not tried again. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  24 * HOUR,
];

/** Calls that failed together are not retried together: each waits up to this much longer. */
const JITTER = 0.2;

/**
 * The time of the next attempt; undefined if there is none.
 * @param attempts how many attempts have failed
 * @param random from 0 to 1
 */
export function planRetry(
  attempts: number,
  now: number,
  { retryAfterMs, random }: { readonly retryAfterMs: readonly number[]; readonly random: number },
): number | undefined {
  const pauseMs = retryAfterMs[attempts - 1];
  return pauseMs === undefined ? undefined : now + Math.round(pauseMs * (1 + JITTER * random));
}
