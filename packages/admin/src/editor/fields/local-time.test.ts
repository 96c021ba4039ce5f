import { expect, test } from 'vitest';
import { formatLocalTime, parseLocalTime } from './local-time.ts';

test.each(['2026-03-01T08:00:00+00:00', '2026-07-31T23:59:07+00:00', '1999-12-31T00:30:00+00:00'])(
  'what is entered for %s is that moment again',
  (timestamp) => {
    expect(parseLocalTime(formatLocalTime(timestamp))).toBe(timestamp);
  },
);

test('a moment with another offset is the same moment', () => {
  expect(formatLocalTime('2026-03-01T10:00:00+02:00')).toBe(formatLocalTime('2026-03-01T08:00:00+00:00'));
});

test.each(['', 'soon'])('%j is no moment', (text) => {
  expect(parseLocalTime(text)).toBeUndefined();
  expect(formatLocalTime(text)).toBe('');
});
