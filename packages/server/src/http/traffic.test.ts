import { afterEach, describe, expect, test } from 'vitest';
import { type AccountTraffic, TrafficHistory, TrafficWatch } from './traffic.ts';

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
  test('reports nothing if there is nothing new', () => {
    const { told, watch } = open();
    watch.look();
    expect(told).toEqual([]);
  });

  test('reports each answer once, in its minute', () => {
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

describe('the traffic of the last hour', () => {
  test('has sixty minutes, the current one last', () => {
    const history = new TrafficHistory();
    history.add({ startsAt: START, answers: 7, hits: 5 });
    const minutes = history.listMinutes(START + 5_000);
    expect(minutes).toHaveLength(60);
    expect(minutes[0]).toEqual({ startsAt: START - 59 * MINUTE, answers: 0, hits: 0 });
    expect(minutes.at(-1)).toEqual({ startsAt: START, answers: 7, hits: 5 });
  });

  test('adds up what is seen in one minute', () => {
    const history = new TrafficHistory();
    for (const answers of [2, 3]) history.add({ startsAt: START, answers, hits: 1 });
    expect(history.listMinutes(START).at(-1)).toEqual({ startsAt: START, answers: 5, hits: 2 });
  });

  test('forgets counts that are over an hour old', () => {
    const history = new TrafficHistory();
    history.add({ startsAt: START, answers: 1, hits: 0 });
    history.add({ startsAt: START + 59 * MINUTE, answers: 2, hits: 0 });
    const hour = history.listMinutes(START + 59 * MINUTE);
    expect([hour[0]?.answers, hour.at(-1)?.answers]).toEqual([1, 2]);
    history.add({ startsAt: START + 60 * MINUTE, answers: 4, hits: 0 });
    const later = history.listMinutes(START + 60 * MINUTE);
    expect(later.map(({ answers }) => answers).filter((answers) => answers > 0)).toEqual([2, 4]);
  });

  test('does not count reports that are an hour late as current', () => {
    const history = new TrafficHistory();
    history.add({ startsAt: START, answers: 3, hits: 0 });
    history.add({ startsAt: START - 60 * MINUTE, answers: 99, hits: 99 });
    expect(history.listMinutes(START).at(-1)).toEqual({ startsAt: START, answers: 3, hits: 0 });
  });
});
