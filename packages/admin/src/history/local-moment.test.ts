import { expect, test } from 'vitest';
import { buildMorning, countDaysToMonday, parseLocal, renderLocal } from './local-moment.ts';

test('a moment stays the same on its way into a field and back', () => {
  const local = renderLocal('2030-06-30T22:15:00+00:00');
  expect(local).toMatch(/^2030-0[67]-\d\dT\d\d:\d\d$/);
  expect(parseLocal(local)).toBe('2030-06-30T22:15:00+00:00');
});

test('an empty field is no moment', () => {
  expect([renderLocal(null), parseLocal(''), parseLocal('soon')]).toEqual(['', null, null]);
});

test('a morning is at nine, across the end of a month', () => {
  expect(buildMorning(new Date(2030, 0, 31, 23, 59), 1)).toBe('2030-02-01T09:00');
});

test.each([
  ['a Sunday', new Date(2030, 0, 6), 1],
  ['a Monday', new Date(2030, 0, 7), 7],
  ['a Saturday', new Date(2030, 0, 12), 2],
])('the next Monday after %s is %#', (_day, now, days) => {
  expect(countDaysToMonday(now)).toBe(days);
});
