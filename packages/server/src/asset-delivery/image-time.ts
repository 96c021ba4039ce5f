// How long the image processes have worked for each client. Some images take a thousand times as long as others, so a limit on their
// number alone would let one client keep the processes busy. A client may use up its whole allowance at once; the allowance is then
// restored gradually.

import { LRUCache } from 'lru-cache';

export interface ImageTimeOptions {
  /** Each client's time allowance. 0 means no limit. */
  readonly mostSeconds: number;
  /** A clock in milliseconds that never goes backwards. */
  readonly now?: () => number;
}

/** How long it takes to restore a client's full allowance. */
const RESTORED_MS = 180_000;
/** The least recently seen clients are forgotten first; their allowance has usually been restored by then. */
const MOST_CLIENTS = 10_000;

interface Use {
  readonly ms: number;
  readonly at: number;
}

export class ImageTime {
  readonly #mostMs: number;
  readonly #now: () => number;
  readonly #uses = new LRUCache<string, Use>({ max: MOST_CLIENTS });

  constructor({ mostSeconds, now = () => performance.now() }: ImageTimeOptions) {
    this.#mostMs = mostSeconds === 0 ? Number.POSITIVE_INFINITY : mostSeconds * 1000;
    this.#now = now;
  }

  /** How many seconds the client must wait before it may request new images; 0 if it may do so now. */
  readWait(client: string): number {
    const excess = this.#readUse(client) - this.#mostMs;
    return excess <= 0 ? 0 : Math.ceil((excess * RESTORED_MS) / this.#mostMs / 1000);
  }

  /** The time used may exceed the limit: nobody knows in advance how long an image will take. The client then waits longer. */
  note(client: string, ms: number): void {
    this.#uses.set(client, { ms: this.#readUse(client) + ms, at: this.#now() });
  }

  #readUse(client: string): number {
    const use = this.#uses.get(client);
    if (use === undefined || this.#mostMs === Number.POSITIVE_INFINITY) return 0;
    return Math.max(0, use.ms - ((this.#now() - use.at) * this.#mostMs) / RESTORED_MS);
  }
}
