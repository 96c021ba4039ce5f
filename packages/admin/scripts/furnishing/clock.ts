// The time at the magazine, told as days before the day of the pictures. Where a real clock cannot be turned, all work is
// of this moment.

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Clock {
  readonly now: () => number;
  /** The moment in UTC; days that are negative are to come. */
  readonly find: (daysAgo: number, time: string) => number;
  readonly turnTo: (daysAgo: number, time: string) => void;
  readonly turnOn: (minutes: number) => void;
}

/** @param end the moment of the pictures, to which the clock can be turned back with `turnTo` */
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
