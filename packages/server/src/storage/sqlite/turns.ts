// Long work in short turns: SQLite works on the same thread that answers requests, so a large save must let others in between.

import { setImmediate } from 'node:timers/promises';

/** One statement of a large save takes up to 30 ms more, and nobody may wait longer than 50 ms for somebody else's work. */
const LONG_MS = 10;

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
