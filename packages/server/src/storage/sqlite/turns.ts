// Long work in short turns: SQLite works on the same thread that answers requests, so a large save must let others in between.

import { setImmediate } from 'node:timers/promises';

/** Whoever waits for a turn to end has half of the time that anybody may wait for somebody else's work left. */
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
