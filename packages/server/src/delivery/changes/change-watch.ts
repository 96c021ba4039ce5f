// Requests that wait for a change. One timer checks for all of them whether the database has changed, in any process or on any node.

import type { ServerResponse } from 'node:http';

export interface ChangeWatchParts {
  /** A number that changes with every write; undefined if it is not known at the moment. */
  readonly peekStamp: () => number | undefined;
  /** Whether the service is stopping. Nothing waits then. */
  readonly isStopping: () => boolean;
}

interface Waiting {
  /** The number before the reader last looked. */
  readonly seen: number | undefined;
  readonly end: () => void;
}

const LOOK_EVERY_MS = 50;
/** Further requests are answered at once, so their clients ask again. */
const MOST_WAITING = 5000;

export class ChangeWatch {
  readonly #parts: ChangeWatchParts;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChangeWatchParts) {
    this.#parts = parts;
  }

  /** Read it before you look for changes. */
  get stamp(): number | undefined {
    return this.#parts.peekStamp();
  }

  /**
   * Resolves after the next write, when the time is over, when the client has disconnected, or when the service is stopping.
   * @param seen the stamp before the last look, so that no write is missed
   */
  async wait(seen: number | undefined, waitMs: number, response: ServerResponse): Promise<void> {
    if (this.#waiting.size >= MOST_WAITING || this.#parts.isStopping()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { seen, end: resolve };
    const timeout = setTimeout(resolve, waitMs);
    response.once('close', resolve);
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    try {
      await promise;
    } finally {
      clearTimeout(timeout);
      response.off('close', resolve);
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  #look(): void {
    const stamp = this.#parts.peekStamp();
    const isStopping = this.#parts.isStopping();
    for (const { seen, end } of this.#waiting) {
      if (isStopping || (stamp !== undefined && stamp !== seen)) end();
    }
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
