// Turns for slow jobs. A few run at the same time, and the rest wait. A caller that has been waiting gets a turn before a caller that has
// just had one. A job's time limit includes its waiting time.

import { type CallerName, TookTooLong } from './engine.ts';

export interface TurnLimits {
  /** The maximum number of jobs running at the same time, in total and per caller. */
  readonly atOnce: number;
  readonly atOnceOfOne: number;
  /** The maximum number of waiting jobs, in total and per caller. Further jobs are refused. */
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** The maximum time from the request for a turn to the end of the turn. */
  readonly longestMs: number;
}

export interface Turn {
  readonly caller: CallerName;
  readonly startedAt: number;
  /** The deadline for the work, as a `performance.now()` time. */
  readonly endsAt: number;
}

interface Waiting {
  readonly caller: CallerName;
  readonly endsAt: number;
  readonly begin: (turn: Turn) => void;
}

export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #onWaiting: () => void;
  readonly #running = new Set<Turn>();
  /** The waiting jobs by caller, in the order in which the callers get their next turns. */
  readonly #waiting = new Map<CallerName, Waiting[]>();
  #waitingCount = 0;

  /** @param onWaiting is called when a job has to wait */
  constructor(limits: TurnLimits, onWaiting: () => void = () => {}) {
    this.#limits = limits;
    this.#onWaiting = onWaiting;
  }

  get running(): ReadonlySet<Turn> {
    return this.#running;
  }

  /** Returns a turn immediately if one is free. If jobs are waiting although a turn is free, their callers have reached their own limit. */
  tryBegin(caller: CallerName): Turn | undefined {
    if (!this.#hasRoomFor(caller)) return undefined;
    return this.#start(caller, performance.now() + this.#limits.longestMs);
  }

  async begin(caller: CallerName): Promise<Turn> {
    const turn = this.tryBegin(caller);
    if (turn !== undefined) return turn;
    const line = this.#waiting.get(caller) ?? [];
    if (this.#waitingCount >= this.#limits.waiting || line.length >= this.#limits.waitingOfOne) {
      throw new TookTooLong('Too many slow jobs are waiting for a turn');
    }
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const endsAt = performance.now() + this.#limits.longestMs;
    const waiting: Waiting = { caller, endsAt, begin: resolve };
    const timer = setTimeout(() => {
      this.#leave(waiting);
      reject(new TookTooLong('A slow job did not get a turn in time'));
    }, this.#limits.longestMs);
    line.push(waiting);
    this.#waiting.set(caller, line);
    this.#waitingCount += 1;
    this.#onWaiting();
    return promise.finally(() => clearTimeout(timer));
  }

  end(turn: Turn): void {
    this.#running.delete(turn);
    const callers = [...this.#waiting.keys()].filter((caller) => this.#hasRoomFor(caller));
    const next = callers.find((caller) => caller !== turn.caller) ?? callers[0];
    if (next !== undefined) this.#startNextOf(next);
  }

  isWantedByOthers({ caller }: Turn): boolean {
    return this.#waiting.size > (this.#waiting.has(caller) ? 1 : 0);
  }

  #startNextOf(caller: CallerName): void {
    const [next, ...rest] = this.#waiting.get(caller) ?? [];
    if (next === undefined) throw new Error('A waiting caller has no job');
    this.#leave(next);
    if (rest.length > 0) {
      // Moves the caller to the end of the queue, behind all other waiting callers.
      this.#waiting.delete(caller);
      this.#waiting.set(caller, rest);
    }
    next.begin(this.#start(caller, next.endsAt));
  }

  #hasRoomFor(caller: CallerName): boolean {
    if (this.#running.size >= this.#limits.atOnce) return false;
    let own = 0;
    for (const turn of this.#running) if (turn.caller === caller) own += 1;
    return own < this.#limits.atOnceOfOne;
  }

  #start(caller: CallerName, endsAt: number): Turn {
    const turn = { caller, startedAt: performance.now(), endsAt };
    this.#running.add(turn);
    return turn;
  }

  #leave(waiting: Waiting): void {
    const line = this.#waiting.get(waiting.caller)?.filter((each) => each !== waiting) ?? [];
    if (line.length === 0) this.#waiting.delete(waiting.caller);
    else this.#waiting.set(waiting.caller, line);
    this.#waitingCount -= 1;
  }
}
