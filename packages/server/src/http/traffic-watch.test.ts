import { afterEach, describe, expect, test } from 'vitest';
import type { TrafficMinute } from './traffic-history.ts';
import { TrafficWatch } from './traffic-watch.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 8);

let opened: TrafficWatch[] = [];

afterEach(() => {
  for (const watch of opened) watch.close();
  opened = [];
});

function open() {
  const state = { now: START + 5_000, answers: 100, hits: 50 };
  const told: TrafficMinute[] = [];
  const watch = new TrafficWatch({
    now: () => state.now,
    read: () => ({ answers: state.answers, hits: state.hits }),
    tell: (seen) => told.push(seen),
  });
  opened.push(watch);
  return { state, told, watch };
}

describe('a watch of the traffic', () => {
  test('begins with what comes after its start', () => {
    const { state, told, watch } = open();
    watch.look();
    expect(told).toEqual([]);
    state.answers += 7;
    state.hits += 5;
    watch.look();
    expect(told).toEqual([{ startsAt: START, answers: 7, hits: 5 }]);
  });

  test('tells each answer once, in the minute in which it is seen', () => {
    const { state, told, watch } = open();
    state.answers += 2;
    watch.look();
    watch.look();
    state.now += MINUTE;
    state.answers += 3;
    state.hits += 1;
    watch.look();
    expect(told).toEqual([
      { startsAt: START, answers: 2, hits: 0 },
      { startsAt: START + MINUTE, answers: 3, hits: 1 },
    ]);
  });
});
