// Limits how much time sending takes away from everything else that the process does. Publishing comes first: while people are publishing,
// the sender works only a small part of the time, unless it falls far behind.

const LEAST_PAUSE_MS = 20;
const MOST_PAUSE_MS = 1000;
/** A pause is this many times as long as the work before it. */
const WHILE_PUBLISHING = 15;
const WHEN_LATE = 5;
const OTHERWISE = 1;
const LATE_MS = 10_000;
const VERY_LATE_MS = 60_000;

export class Pace {
  #spentMs = 0;

  spend(ms: number): void {
    this.#spentMs += ms;
  }

  /** How long to pause before working again. */
  pause({ isPublishing, lagMs }: { readonly isPublishing: boolean; readonly lagMs: number }): number {
    const factor = !isPublishing || lagMs > VERY_LATE_MS ? OTHERWISE : lagMs > LATE_MS ? WHEN_LATE : WHILE_PUBLISHING;
    const pauseMs = this.#spentMs * factor;
    this.#spentMs = 0;
    return Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, pauseMs));
  }
}
