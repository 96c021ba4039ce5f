// Requests a minute and key, counted in this process.

import { Limiter, type Tally } from '../http/limiter.ts';

const WINDOW_SECONDS = 60;

export class RateLimit {
  readonly #byLimit = new Map<number, Limiter>();
  readonly #defaultLimit: number;

  /** @param defaultLimit for keys without a limit of their own; 0 means none */
  constructor(defaultLimit: number) {
    this.#defaultLimit = defaultLimit;
  }

  /** Whether requests of a key with this limit of its own are counted at all. */
  limits(ownLimit: number | null): boolean {
    return (ownLimit ?? this.#defaultLimit) > 0;
  }

  /** Counts a request of the key. */
  spend(keyId: string, ownLimit: number | null): Promise<Tally> {
    return this.#limiterOf(ownLimit ?? this.#defaultLimit).spend(keyId);
  }

  #limiterOf(limit: number): Limiter {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const limiter = new Limiter({ name: 'key', tries: limit, seconds: WINDOW_SECONDS });
    this.#byLimit.set(limit, limiter);
    return limiter;
  }
}
