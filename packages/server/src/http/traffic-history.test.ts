import { afterEach, describe, expect, test } from 'vitest';
import { TrafficHistory, type TrafficMinute } from './traffic-history.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 8);

let opened: TrafficHistory[] = [];

afterEach(() => {
  for (const history of opened) history.close();
  opened = [];
});

function open() {
  const state = { now: START + 5_000, answers: 100, hits: 50 };
  const told: TrafficMinute[] = [];
  let take = (_: TrafficMinute): void => {};
  const history = new TrafficHistory({
    now: () => state.now,
    read: () => ({ answers: state.answers, hits: state.hits }),
    exchange: {
      tell: (seen) => told.push(seen),
      listen: (taker) => {
        take = taker;
      },
    },
  });
  opened.push(history);
  return { state, told, history, hear: (seen: TrafficMinute) => take(seen) };
}

describe('the traffic of the last hour', () => {
  test('is sixty minutes, the one under way last, and begins with what comes after the start', () => {
    const { state, history } = open();
    state.answers += 7;
    state.hits += 5;
    const minutes = history.readMinutes();
    expect(minutes).toHaveLength(60);
    expect(minutes[0]).toEqual({ startsAt: START - 59 * MINUTE, answers: 0, hits: 0 });
    expect(minutes.at(-1)).toEqual({ startsAt: START, answers: 7, hits: 5 });
  });

  test('counts each answer once, however often it is looked at', () => {
    const { state, history } = open();
    for (let second = 0; second < 3; second++) {
      state.answers += 2;
      history.readMinutes();
    }
    expect(history.readMinutes().at(-1)).toMatchObject({ answers: 6, hits: 0 });
  });

  test('moves on with the time and forgets what is over an hour old', () => {
    const { state, history } = open();
    state.answers += 1;
    history.readMinutes();
    state.now += 59 * MINUTE;
    state.answers += 2;
    const hour = history.readMinutes();
    expect([hour[0]?.answers, hour.at(-1)?.answers]).toEqual([1, 2]);
    state.now += MINUTE;
    state.answers += 4;
    const later = history.readMinutes();
    expect(later.map(({ answers }) => answers).filter((answers) => answers > 0)).toEqual([2, 4]);
  });

  test('takes in what other processes have seen, and tells them what it sees itself', () => {
    const { state, told, history, hear } = open();
    state.answers += 3;
    hear({ startsAt: START, answers: 10, hits: 9 });
    expect(history.readMinutes().at(-1)).toEqual({ startsAt: START, answers: 13, hits: 9 });
    expect(told).toEqual([{ startsAt: START, answers: 3, hits: 0 }]);
    hear({ startsAt: START - 60 * MINUTE, answers: 99, hits: 99 });
    expect(history.readMinutes().at(-1)?.answers).toBe(13);
  });
});
