import { afterEach, describe, expect, test } from 'vitest';
import type { AccountTraffic } from './traffic-history.ts';
import { TrafficWatch } from './traffic-watch.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 8);

let opened: TrafficWatch[] = [];

afterEach(() => {
  for (const watch of opened) watch.close();
  opened = [];
});

function open() {
  const state = { now: START + 5_000 };
  const told: AccountTraffic[] = [];
  const watch = new TrafficWatch(
    () => state.now,
    (seen) => told.push(seen),
  );
  opened.push(watch);
  return { state, told, watch };
}

describe('a watch of the traffic', () => {
  test('tells nothing where there is nothing new', () => {
    const { told, watch } = open();
    watch.look();
    expect(told).toEqual([]);
  });

  test('tells each answer once, in the minute in which it is seen', () => {
    const { state, told, watch } = open();
    for (let count = 0; count < 2; count++) watch.count(1, false);
    watch.look();
    watch.look();
    state.now += MINUTE;
    for (const isHit of [true, false, false]) watch.count(1, isHit);
    watch.look();
    expect(told).toEqual([
      { accountNo: 1, startsAt: START, answers: 2, hits: 0 },
      { accountNo: 1, startsAt: START + MINUTE, answers: 3, hits: 1 },
    ]);
  });

  test('counts for each account by itself', () => {
    const { told, watch } = open();
    for (const accountNo of [1, 2, 1, 1, 2]) watch.count(accountNo, accountNo === 2);
    watch.look();
    expect(told).toEqual([
      { accountNo: 1, startsAt: START, answers: 3, hits: 0 },
      { accountNo: 2, startsAt: START, answers: 2, hits: 2 },
    ]);
  });
});
