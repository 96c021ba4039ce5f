// What readers asked for in each minute of the last hour, and how much of it was ready in the cache. It is made from counters
// that are kept anyway, looked at every few seconds: no request pays for it.

const MINUTE_MS = 60_000;
const MINUTES = 60;
const LOOK_EVERY_MS = 10_000;

/** Published answers, and those of them that came from the cache. */
export interface TrafficFigures {
  readonly answers: number;
  readonly hits: number;
}

export interface TrafficMinute extends TrafficFigures {
  readonly startsAt: number;
}

/** Between processes that share a port: each tells the others what it has seen. */
export interface TrafficExchange {
  readonly tell: (seen: TrafficMinute) => void;
  readonly listen: (take: (seen: TrafficMinute) => void) => void;
}

export interface TrafficSource {
  readonly now: () => number;
  /** Since the process began. */
  readonly read: () => TrafficFigures;
  readonly exchange?: TrafficExchange | undefined;
}

export class TrafficHistory {
  readonly #source: TrafficSource;
  readonly #timer: NodeJS.Timeout;
  /** A minute stands at the place of its number modulo 60, where it takes the place of the one an hour before. */
  readonly #ring: (TrafficMinute | undefined)[] = Array.from({ length: MINUTES });
  #seen: TrafficFigures;

  constructor(source: TrafficSource) {
    this.#source = source;
    this.#seen = source.read();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    source.exchange?.listen((seen) => this.#add(seen));
  }

  /** The last hour, the oldest minute first; the last one is under way. */
  readMinutes(): readonly TrafficMinute[] {
    this.#look();
    const current = findStart(this.#source.now());
    return Array.from({ length: MINUTES }, (_, index) => {
      const startsAt = current - (MINUTES - 1 - index) * MINUTE_MS;
      const kept = this.#ring[findPlace(startsAt)];
      return kept?.startsAt === startsAt ? kept : { startsAt, answers: 0, hits: 0 };
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { answers, hits } = this.#source.read();
    const more = { answers: answers - this.#seen.answers, hits: hits - this.#seen.hits };
    if (more.answers === 0) return;
    this.#seen = { answers, hits };
    const seen = { startsAt: findStart(this.#source.now()), ...more };
    this.#add(seen);
    this.#source.exchange?.tell(seen);
  }

  #add({ startsAt, answers, hits }: TrafficMinute): void {
    const place = findPlace(startsAt);
    const kept = this.#ring[place];
    if (kept !== undefined && kept.startsAt > startsAt) return;
    const before = kept?.startsAt === startsAt ? kept : { answers: 0, hits: 0 };
    this.#ring[place] = { startsAt, answers: before.answers + answers, hits: before.hits + hits };
  }
}

function findStart(time: number): number {
  return time - (time % MINUTE_MS);
}

function findPlace(startsAt: number): number {
  return (startsAt / MINUTE_MS) % MINUTES;
}
