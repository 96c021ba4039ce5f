// How long statements that may take long may run where everybody waits for them: on the thread that answers all requests. Each
// is tried there, since most of them are done at once. A try that takes longer than that is broken off, and made again elsewhere.
// Only the time counts in which the thread has worked: what others on the same machine take of it is not the list's fault.

/** A try that ends within it costs nothing: it is as quick as any other answer. */
const FREE_MS = 1;
const LONGEST_TRY_MS = 3;
/** How much time all tries may take together in a burst, and how much of it comes back in a millisecond. */
const MOST_SAVED_MS = 6;
const MOST_OWED_MS = 4;
const SHARE = 0.1;

export class MainThreadTime {
  #savedMs = MOST_SAVED_MS;
  #countedAt = performance.now();

  /** How long the next try may take; 0 where there must be none. */
  offer(): number {
    const now = performance.now();
    this.#savedMs = Math.min(MOST_SAVED_MS, this.#savedMs + (now - this.#countedAt) * SHARE);
    this.#countedAt = now;
    if (this.#savedMs <= -MOST_OWED_MS) return 0;
    return Math.max(FREE_MS, Math.min(LONGEST_TRY_MS, this.#savedMs));
  }

  spend(ms: number): void {
    if (ms > FREE_MS) this.#savedMs -= ms;
  }
}
