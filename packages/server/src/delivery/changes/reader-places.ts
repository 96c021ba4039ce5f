// Limits the number of readers that this process keeps connected: streams, and long polls that are waiting.

import { fail, ok, type Result } from '../../content/result.ts';
import { PROBLEMS, type Problem, withHeaders } from '../../http/problems.ts';

export interface PlaceLimits {
  readonly perKey: number;
  readonly perProcess: number;
}

export const MOST_PLACES = 5000;
const RETRY_AFTER = { 'retry-after': '10' };

/** A place for a reader, reserved until it is released. */
export interface ReaderPlace {
  readonly release: () => void;
}

export class ReaderPlaces {
  readonly #limits: PlaceLimits;
  readonly #countByKey = new Map<string, number>();
  #count = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  reserve(keyId: string): Result<ReaderPlace, Problem> {
    const ofKey = this.#countByKey.get(keyId) ?? 0;
    if (ofKey >= this.#limits.perKey) return fail(withHeaders(PROBLEMS.tooManyRequests, RETRY_AFTER));
    if (this.#count >= this.#limits.perProcess) return fail(withHeaders(PROBLEMS.serviceUnavailable, RETRY_AFTER));
    this.#countByKey.set(keyId, ofKey + 1);
    this.#count += 1;
    return ok({ release: () => this.#release(keyId) });
  }

  #release(keyId: string): void {
    this.#count -= 1;
    const left = (this.#countByKey.get(keyId) ?? 0) - 1;
    if (left > 0) this.#countByKey.set(keyId, left);
    else this.#countByKey.delete(keyId);
  }
}
