// Sees the traffic of this process in counters that are kept anyway, by looking at them every few seconds: no request pays
// for it.

import { findMinuteStart, type TrafficFigures, type TrafficMinute } from './traffic-history.ts';

const LOOK_EVERY_MS = 10_000;

export interface TrafficSource {
  readonly now: () => number;
  /** Since the process began. */
  readonly read: () => TrafficFigures;
  /** Told what is new, each answer once. */
  readonly tell: (seen: TrafficMinute) => void;
}

export class TrafficWatch {
  readonly #source: TrafficSource;
  readonly #timer: NodeJS.Timeout;
  #seen: TrafficFigures;

  constructor(source: TrafficSource) {
    this.#source = source;
    this.#seen = source.read();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** What is new belongs to the minute under way. */
  look(): void {
    const { now, read, tell } = this.#source;
    const { answers, hits } = read();
    const more = { answers: answers - this.#seen.answers, hits: hits - this.#seen.hits };
    if (more.answers === 0) return;
    this.#seen = { answers, hits };
    tell({ startsAt: findMinuteStart(now()), ...more });
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
