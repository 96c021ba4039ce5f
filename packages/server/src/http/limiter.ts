// Limits the number of attempts within a time window, counted in this process. The counter is loaded on the first attempt, because most
// services have no limits.

import { PROBLEMS, type Problem, withHeaders } from './problems.ts';

export interface LimitPolicy {
  /** The name of the limit in the response headers. */
  readonly name: string;
  readonly tries: number;
  readonly seconds: number;
}

/** The state of a limit for one key. */
export interface Tally {
  readonly policy: LimitPolicy;
  readonly left: number;
  /** The number of seconds until the full quota is restored. */
  readonly seconds: number;
  /** Whether this attempt exceeded the limit. */
  readonly isExceeded: boolean;
}

export class Limiter {
  readonly #policy: LimitPolicy;
  #opened: ReturnType<typeof openCounter> | undefined;

  constructor(policy: LimitPolicy) {
    this.#policy = policy;
  }

  /** Counts an attempt. */
  async spend(key: string): Promise<Tally> {
    const { counter, Refusal } = await this.#open();
    try {
      return this.#tell(await counter.consume(key), false);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return this.#tell(refusal, true);
    }
  }

  #tell(counted: { readonly remainingPoints: number; readonly msBeforeNext: number }, isExceeded: boolean): Tally {
    const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    return { policy: this.#policy, left: counted.remainingPoints, seconds, isExceeded };
  }

  #open(): ReturnType<typeof openCounter> {
    this.#opened ??= openCounter(this.#policy).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function openCounter({ tries, seconds }: LimitPolicy) {
  const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
  return { counter: new RateLimiterMemory({ points: tries, duration: seconds }), Refusal: RateLimiterRes };
}

/** Headers that describe limits (draft-ietf-httpapi-ratelimit-headers). */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

export function buildLimitHeaders(tallies: readonly Tally[]): LimitHeaders {
  return {
    ratelimit: tallies.map(({ policy, left, seconds }) => `"${policy.name}";r=${left};t=${seconds}`).join(', '),
    'ratelimit-policy': tallies
      .map(({ policy: { name, tries, seconds } }) => `"${name}";q=${tries};w=${seconds}`)
      .join(', '),
  };
}

/** The response to an attempt that exceeded a limit. */
export function refuseExceeded(tally: Tally): Problem {
  return withHeaders(PROBLEMS.tooManyRequests, {
    'retry-after': String(tally.seconds),
    ...buildLimitHeaders([tally]),
  });
}
