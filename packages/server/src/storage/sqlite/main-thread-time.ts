// How long work may block the thread that answers all requests. SQLite runs on that thread, so long work is split into short turns, and
// slow statements get little time.

import { setImmediate } from 'node:timers/promises';

/** One statement of a large save takes up to 30 ms more, and no request may wait longer than 50 ms for another. */
const LONG_MS = 10;

/** Lets other requests run between the pieces of long work, such as a large save. */
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

/** A try that ends within this time costs nothing: it is as fast as any other answer. */
const FREE_MS = 1;
const LONGEST_TRY_MS = 3;
/** How much time all tries may take in a burst, and how much of it is regained per millisecond. */
const MOST_SAVED_MS = 6;
const MOST_OWED_MS = 4;
const SHARE = 0.1;

/**
 * How long slow statements may run on this thread. Each is tried here first, since most of them are fast. A try that takes too long is
 * ended, and repeated in another thread. Only processor time counts: other programs on the same machine must not make a try fail.
 */
export class MainThreadTime {
  #savedMs = MOST_SAVED_MS;
  #countedAt = performance.now();

  /** How long the next try may take; 0 if there must be none. */
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
