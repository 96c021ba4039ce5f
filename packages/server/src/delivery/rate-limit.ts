// Requests a minute and key, counted in this process.

import { Limiter } from '../http/limiter.ts';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';

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

  /** The problem to answer with when the key has spent its requests. */
  async spend(keyId: string, ownLimit: number | null): Promise<Problem | undefined> {
    const limit = ownLimit ?? this.#defaultLimit;
    const secondsLeft = await this.#limiterOf(limit).spend(keyId);
    return secondsLeft === undefined ? undefined : buildRefusal(limit, secondsLeft);
  }

  #limiterOf(limit: number): Limiter {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const limiter = new Limiter(limit, WINDOW_SECONDS);
    this.#byLimit.set(limit, limiter);
    return limiter;
  }
}

function buildRefusal(limit: number, seconds: number): Problem {
  return withHeaders(PROBLEMS.tooManyRequests, {
    'retry-after': String(seconds),
    ratelimit: `"key";r=0;t=${seconds}`,
    'ratelimit-policy': `"key";q=${limit};w=${WINDOW_SECONDS}`,
  });
}
