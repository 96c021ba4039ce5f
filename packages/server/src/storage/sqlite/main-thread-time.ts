// Limits how long work may block the thread that handles all requests. SQLite runs on that thread, so long work is split into short
// turns, and slow statements are given little time.

import { setImmediate } from 'node:timers/promises';

/** Short, because a statement in a large save can exceed this limit by up to 30 ms, and no request may wait more than 50 ms for another. */
const LONG_MS = 10;

/** Lets other requests run between the steps of long work, such as a large save. */
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

/** An attempt that ends within this time does not count, because it is no slower than any other read. */
const FREE_MS = 1;
const LONGEST_TRY_MS = 3;
/** The total time that attempts may take in a burst, and how much of this time is restored per millisecond. */
const MOST_SAVED_MS = 6;
const MOST_OWED_MS = 4;
const SHARE = 0.1;

/**
 * Limits how long slow statements may run on this thread. Each one is tried here first, since most of them are fast. An attempt that
 * takes too long is stopped, and repeated on another thread. Only CPU time counts, so other programs on the machine cannot make an
 * attempt fail.
 */
export class MainThreadTime {
  #savedMs = MOST_SAVED_MS;
  #countedAt = performance.now();

  /** The maximum time for the next attempt; 0 if no attempt is allowed. */
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
