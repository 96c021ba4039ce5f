// The clock that is used while the demo magazine is created. It can be set to any time, relative to the time of the screenshots. With the
// real clock, which cannot be set, everything happens at the current time.

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Clock {
  readonly now: () => number;
  /** Converts a day and a UTC time to a timestamp. If `daysAgo` is negative, the day is in the future. */
  readonly find: (daysAgo: number, time: string) => number;
  readonly turnTo: (daysAgo: number, time: string) => void;
  readonly turnOn: (minutes: number) => void;
}

/** @param end the time of the screenshots. `turnTo` sets the clock relative to it */
export function createClock(end: number): Clock {
  let now = end;
  const find = findFrom(end);
  return {
    now: () => now,
    find,
    turnTo: (daysAgo, time) => {
      now = find(daysAgo, time);
    },
    turnOn: (minutes) => {
      now += minutes * 60_000;
    },
  };
}

export function openRealClock(): Clock {
  return { now: Date.now, find: findFrom(Date.now()), turnTo: () => {}, turnOn: () => {} };
}

function findFrom(end: number): Clock['find'] {
  const midnight = end - (end % DAY_MS);
  return (daysAgo, time) => Date.parse(`${new Date(midnight - daysAgo * DAY_MS).toISOString().slice(0, 10)}T${time}Z`);
}
