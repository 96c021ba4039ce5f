// Requests a minute and key, counted in this process.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';

const WINDOW_SECONDS = 60;

export class RateLimit {
  readonly #byLimit = new Map<number, RateLimiterMemory>();
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
    try {
      await this.#limiterOf(limit).consume(keyId);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return buildRefusal(limit, Math.ceil(refusal.msBeforeNext / 1000));
    }
  }

  #limiterOf(limit: number): RateLimiterMemory {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
    this.#byLimit.set(limit, limiter);
    return limiter;
  }
}

function buildRefusal(limit: number, secondsLeft: number): Problem {
  const seconds = Math.max(1, secondsLeft);
  return withHeaders(PROBLEMS.tooManyRequests, {
    'retry-after': String(seconds),
    ratelimit: `"key";r=0;t=${seconds}`,
    'ratelimit-policy': `"key";q=${limit};w=${WINDOW_SECONDS}`,
  });
}
