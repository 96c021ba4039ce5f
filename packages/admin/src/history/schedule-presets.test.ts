import { expect, test } from 'vitest';
import { buildMorning, countDaysToMonday } from './schedule-presets.ts';

test('a morning is at nine, across the end of a month', () => {
  expect(buildMorning(new Date(2030, 0, 31, 23, 59), 1)).toBe('2030-02-01T09:00');
});

test.each([
  ['a Sunday', new Date(2030, 0, 6), 1],
  ['a Monday', new Date(2030, 0, 7), 7],
  ['a Saturday', new Date(2030, 0, 12), 2],
])('after %s the next Monday is as many days away as it is', (_day, now, days) => {
  expect(countDaysToMonday(now)).toBe(days);
});
