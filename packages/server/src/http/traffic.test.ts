import { describe, expect, test } from 'vitest';
import { TrafficHistory } from './traffic.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 8);

describe('traffic in the last hour', () => {
  test('covers sixty minutes, with the current one last', () => {
    const history = new TrafficHistory();
    history.add({ startsAt: START, answers: 7, hits: 5 });
    const minutes = history.listMinutes(START + 5_000);
    expect(minutes).toHaveLength(60);
    expect(minutes[0]).toEqual({ startsAt: START - 59 * MINUTE, answers: 0, hits: 0 });
    expect(minutes.at(-1)).toEqual({ startsAt: START, answers: 7, hits: 5 });
  });

  test('adds up all counts for one minute', () => {
    const history = new TrafficHistory();
    for (const answers of [2, 3]) history.add({ startsAt: START, answers, hits: 1 });
    expect(history.listMinutes(START).at(-1)).toEqual({ startsAt: START, answers: 5, hits: 2 });
  });

  test('drops counts that are over an hour old', () => {
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
