// The traffic on the dashboard: for each account, the number of published responses in each minute of the last hour, and how many of them
// came from the cache. Each process counts its own responses (`TrafficWatch`) and sends the counts every few seconds to
// one ledger for all processes.

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** The number of published responses, and how many of them came from the cache. */
export interface TrafficFigures {
  readonly answers: number;
  readonly hits: number;
}

export interface TrafficMinute extends TrafficFigures {
  readonly startsAt: number;
}

/** The counts for one account in one minute, by site. */
export interface AccountTraffic extends TrafficMinute {
  readonly accountNo: number;
}

/** The counts for all accounts, by account. */
export class TrafficHistories {
  readonly #byAccount = new Map<number, TrafficHistory>();

  add({ accountNo, ...minute }: AccountTraffic): void {
    const history = this.#byAccount.get(accountNo) ?? new TrafficHistory();
    history.add(minute);
    this.#byAccount.set(accountNo, history);
  }

  listMinutes(accountNo: number, now: number): readonly TrafficMinute[] {
    return (this.#byAccount.get(accountNo) ?? new TrafficHistory()).listMinutes(now);
  }
}

export class TrafficHistory {
  /** The index of a minute is its number modulo 60, so it replaces the minute from an hour earlier. */
  readonly #ring: (TrafficMinute | undefined)[] = Array.from({ length: MINUTES });

  add({ startsAt, answers, hits }: TrafficMinute): void {
    const place = findPlace(startsAt);
    const kept = this.#ring[place];
    if (kept !== undefined && kept.startsAt > startsAt) return;
    const before = kept?.startsAt === startsAt ? kept : { answers: 0, hits: 0 };
    this.#ring[place] = { startsAt, answers: before.answers + answers, hits: before.hits + hits };
  }

  /** The last hour, oldest minute first. The last minute is the current one. */
  listMinutes(now: number): readonly TrafficMinute[] {
    const current = findMinuteStart(now);
    return Array.from({ length: MINUTES }, (_, index) => {
      const startsAt = current - (MINUTES - 1 - index) * MINUTE_MS;
      const kept = this.#ring[findPlace(startsAt)];
      return kept?.startsAt === startsAt ? kept : { startsAt, answers: 0, hits: 0 };
    });
  }
}

export function findMinuteStart(time: number): number {
  return time - (time % MINUTE_MS);
}

function findPlace(startsAt: number): number {
  return (startsAt / MINUTE_MS) % MINUTES;
}

/** Collects the counts from all processes that share a port. */
export interface TrafficLedger {
  readonly add: (seen: AccountTraffic) => void;
  /** The account's traffic in the last hour, up to now. */
  readonly read: (accountNo: number) => Promise<readonly TrafficMinute[]>;
  /** @param look called before each read, to add the newest counts */
  readonly beforeRead: (look: () => void) => void;
}

export function createTrafficLedger(now: () => number): TrafficLedger {
  const histories = new TrafficHistories();
  const looks: (() => void)[] = [];
  return {
    add: (seen) => histories.add(seen),
    read: async (accountNo) => {
      for (const look of looks) look();
      return histories.listMinutes(accountNo, now());
    },
    beforeRead: (look) => looks.push(look),
  };
}
