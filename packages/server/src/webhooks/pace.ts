// Limits how much time sending takes away from everything else that the process does. Publishing comes first: while people are publishing,
// the sender works only a small part of the time, on a few calls at a time, unless it falls far behind.

const LEAST_PAUSE_MS = 20;
const MOST_PAUSE_MS = 1000;
const LATE_MS = 10_000;
const VERY_LATE_MS = 60_000;

interface Speed {
  /** A pause is this many times as long as the work before it. */
  readonly pauseFactor: number;
  /** The number of calls created and sent between two pauses. Publishing may have to wait for all of them. */
  readonly calls: number;
}

const WHILE_PUBLISHING: Speed = { pauseFactor: 15, calls: 20 };
const WHEN_LATE: Speed = { pauseFactor: 5, calls: 40 };
const OTHERWISE: Speed = { pauseFactor: 1, calls: 200 };

export interface Situation {
  readonly isPublishing: boolean;
  /** How far behind the sender is in creating or sending calls. */
  readonly lagMs: number;
}

export function chooseSpeed({ isPublishing, lagMs }: Situation): Speed {
  if (!isPublishing || lagMs > VERY_LATE_MS) return OTHERWISE;
  return lagMs > LATE_MS ? WHEN_LATE : WHILE_PUBLISHING;
}

export class Pace {
  #spentMs = 0;

  spend(ms: number): void {
    this.#spentMs += ms;
  }

  /** How long to pause before working again. */
  pause(situation: Situation): number {
    const pauseMs = this.#spentMs * chooseSpeed(situation).pauseFactor;
    this.#spentMs = 0;
    return Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, pauseMs));
  }
}
