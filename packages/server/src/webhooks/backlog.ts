// Keeps track of which webhooks have changes to catch up on, and how far behind the sender is.

import { decodePosition } from '../listing/change-position.ts';
import type { WebhookPlace } from '../storage/webhooks/outbox.ts';
import type { CallQueue } from './call-queue.ts';
import { CHANGES_AT_ONCE, type MadeCalls } from './make-calls.ts';

/** The maximum number of calls per webhook that have not been sent yet. Further changes stay in the change log until there is room. */
const MOST_UNTRIED = 1000;

/** The maximum number of waiting calls per webhook. Most of them wait for a retry, and must not hold up changes to other content. */
const MOST_WAITING = 5000;

/** How often to measure how long calls have been overdue. */
const MEASURE_EVERY_MS = 1000;

export class Backlog {
  readonly #queue: CallQueue;
  #lastEnds = 0;
  #isPublishing = false;
  /** The age of the oldest change found when the log was last read. */
  #changesLagMs = 0;
  #callsLagMs = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** When a webhook's next batch will be complete, keyed by the webhook's number. */
  #readyAt: ReadonlyMap<number, number> = new Map();

  constructor(queue: CallQueue) {
    this.#queue = queue;
  }

  /** Whether there were new changes at the last check. */
  get isPublishing(): boolean {
    return this.#isPublishing;
  }

  /** How far behind the sender is in creating calls or in sending them, whichever is greater. */
  get lagMs(): number {
    return Math.max(this.#changesLagMs, this.#callsLagMs);
  }

  /** When the next batch will be complete; infinite if there is none. */
  get nextTime(): number {
    return Math.min(...this.#readyAt.values());
  }

  /** @param places empty if another process sends the calls */
  look(places: readonly WebhookPlace[], at: number): void {
    const ends = places.reduce((sum, { last }) => sum + last, 0);
    this.#isPublishing = places.length > 0 && ends !== this.#lastEnds;
    this.#lastEnds = ends;
    if (Math.abs(at - this.#measuredAt) < MEASURE_EVERY_MS) return;
    this.#callsLagMs = this.#queue.measureLag(at);
    this.#measuredAt = at;
  }

  /**
   * The numbers of the webhooks that have changes to catch up on, if there is room for their calls. Those with the fewest waiting calls
   * come first, so that a webhook with many changes does not keep the others waiting.
   */
  list(places: readonly WebhookPlace[], at: number): readonly number[] {
    const behind = places.filter(({ no, position, last }) => {
      if ((this.#readyAt.get(no) ?? 0) > at) return false;
      const decoded = decodePosition(position);
      const isAtEnd = decoded?.mode === 'changes' && decoded.row === last && decoded.inside === null;
      return !isAtEnd && this.#hasRoom(no);
    });
    const compare = (a: WebhookPlace, b: WebhookPlace): number =>
      this.#queue.countOf(a.no) - this.#queue.countOf(b.no) || readRow(a) - readRow(b);
    return behind.toSorted(compare).map(({ no }) => no);
  }

  #hasRoom(webhookNo: number): boolean {
    const waiting = this.#queue.countOf(webhookNo);
    if (waiting <= MOST_UNTRIED - CHANGES_AT_ONCE) return true;
    if (waiting > MOST_WAITING - CHANGES_AT_ONCE) return false;
    return this.#queue.countUntried(webhookNo) <= MOST_UNTRIED - CHANGES_AT_ONCE;
  }

  note(made: MadeCalls, at: number): void {
    this.#changesLagMs = made.lagMs;
    this.#readyAt = new Map([...this.#readyAt, ...made.readyAt].filter(([, readyAt]) => readyAt > at));
  }

  /** Call this when the lease is lost. */
  clear(): void {
    this.#readyAt = new Map();
  }
}

function readRow({ position }: WebhookPlace): number {
  return decodePosition(position)?.row ?? 0;
}
