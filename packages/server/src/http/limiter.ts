// So many tries in so many seconds, counted in this process. The counter is loaded with the first try: most services
// never limit anybody.

import { PROBLEMS, type Problem, withHeaders } from './problems.ts';

export interface LimitPolicy {
  /** What is limited, as the headers name it. */
  readonly name: string;
  readonly tries: number;
  readonly seconds: number;
}

/** Where somebody stands with a limit. */
export interface Tally {
  readonly policy: LimitPolicy;
  readonly left: number;
  /** Until all tries are there again. */
  readonly seconds: number;
  /** Whether the try was one too many. */
  readonly isExceeded: boolean;
}

export class Limiter {
  readonly #policy: LimitPolicy;
  #opened: ReturnType<typeof openCounter> | undefined;

  constructor(policy: LimitPolicy) {
    this.#policy = policy;
  }

  /** Counts a try. */
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

/** What an answer tells about limits, by header name (draft-ietf-httpapi-ratelimit-headers). */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

export function buildLimitHeaders(tallies: readonly Tally[]): LimitHeaders {
  return {
    ratelimit: tallies.map(({ policy, left, seconds }) => `"${policy.name}";r=${left};t=${seconds}`).join(', '),
    'ratelimit-policy': tallies
      .map(({ policy: { name, tries, seconds } }) => `"${name}";q=${tries};w=${seconds}`)
      .join(', '),
  };
}

/** The answer to a try that was one too many. */
export function refuseExceeded(tally: Tally): Problem {
  return withHeaders(PROBLEMS.tooManyRequests, {
    'retry-after': String(tally.seconds),
    ...buildLimitHeaders([tally]),
  });
}
