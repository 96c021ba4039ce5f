// How long work may keep the thread that answers all requests. SQLite works on that thread, so long work is done in short turns, and
// statements that may take long get little time.

import { setImmediate } from 'node:timers/promises';

/** One statement of a large save takes up to 30 ms more, and nobody may wait longer than 50 ms for somebody else's work. */
const LONG_MS = 10;

/** Lets others in between the pieces of long work, such as a large save. */
export class Turns {
  #since = performance.now();

  isLong(): boolean {
    return performance.now() - this.#since > LONG_MS;
  }

  async giveWay(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

/** A try that ends within it costs nothing: it is as quick as any other answer. */
const FREE_MS = 1;
const LONGEST_TRY_MS = 3;
/** How much time all tries may take together in a burst, and how much of it comes back in a millisecond. */
const MOST_SAVED_MS = 6;
const MOST_OWED_MS = 4;
const SHARE = 0.1;

/**
 * How long statements that may take long may run on this thread. Each is tried here, since most of them are done at once. A try that
 * takes longer is ended, and made again elsewhere. Only the time counts in which the thread has worked: what others on the same machine
 * take of it is not the list's fault.
 */
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
