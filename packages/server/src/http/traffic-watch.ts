// Counts the traffic of this process, and tells what is new every few seconds. A request pays for two additions.

import { type AccountTraffic, findMinuteStart } from './traffic-history.ts';

const LOOK_EVERY_MS = 10_000;

interface TrafficCount {
  readonly accountNo: number;
  answers: number;
  hits: number;
}

export class TrafficWatch {
  readonly #now: () => number;
  readonly #tell: (seen: AccountTraffic) => void;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<number, TrafficCount>();
  /** Most answers are for the account that the one before was for. */
  #last: TrafficCount | undefined;

  /** @param tell gets what is new, each answer once */
  constructor(now: () => number, tell: (seen: AccountTraffic) => void) {
    this.#now = now;
    this.#tell = tell;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** @param isHit whether it came from the cache */
  count(accountNo: number, isHit: boolean): void {
    if (this.#last?.accountNo !== accountNo) this.#last = this.#findCount(accountNo);
    this.#last.answers += 1;
    if (isHit) this.#last.hits += 1;
  }

  #findCount(accountNo: number): TrafficCount {
    const count = this.#counts.get(accountNo) ?? { accountNo, answers: 0, hits: 0 };
    this.#counts.set(accountNo, count);
    return count;
  }

  /** What is new belongs to the minute under way. */
  look(): void {
    const startsAt = findMinuteStart(this.#now());
    for (const count of this.#counts.values()) this.#tell({ startsAt, ...count });
    this.#counts = new Map();
    this.#last = undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
