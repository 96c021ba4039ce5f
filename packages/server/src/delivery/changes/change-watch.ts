// Holds requests until something changes. A single timer checks whether any process or node has written to the database.

import type { ServerResponse } from 'node:http';

export interface ChangeWatchParts {
  /** A number that changes with every write; undefined if it is currently unknown. */
  readonly peekStamp: () => number | undefined;
  /** Whether the service is stopping. If so, no request waits. */
  readonly isStopping: () => boolean;
}

interface Waiting {
  /** The stamp before the last check for changes. */
  readonly seen: number | undefined;
  readonly end: () => void;
}

const LOOK_EVERY_MS = 50;
/** Requests beyond this limit do not wait. */
const MOST_WAITING = 5000;

export class ChangeWatch {
  readonly #parts: ChangeWatchParts;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChangeWatchParts) {
    this.#parts = parts;
  }

  /** Read this before checking for changes, so that no write is missed. */
  get stamp(): number | undefined {
    return this.#parts.peekStamp();
  }

  /**
   * Resolves after the next write, after the given time, when the client disconnects, or when the service is stopping.
   * @returns false if the request may not wait
   * @param seen the stamp before the last check for changes
   */
  async wait(seen: number | undefined, waitMs: number, response: ServerResponse): Promise<boolean> {
    if (this.#waiting.size >= MOST_WAITING || this.#parts.isStopping()) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { seen, end: resolve };
    const timeout = setTimeout(resolve, waitMs);
    response.once('close', resolve);
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    try {
      await promise;
      return true;
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
