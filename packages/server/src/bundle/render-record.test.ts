import { expect, test } from 'vitest';
import { parseTimestamp } from '../content/timestamp.ts';
import { formatExactTime } from './render-record.ts';

test.each([
  [0, '1970-01-01T00:00:00+00:00'],
  [1, '1970-01-01T00:00:00.001+00:00'],
  [-1, '1969-12-31T23:59:59.999+00:00'],
  [1_700_000_000_450, '2023-11-14T22:13:20.450+00:00'],
  [Date.parse('0001-01-01T00:00:00.020Z'), '0001-01-01T00:00:00.020+00:00'],
])('%d is rendered as %s, which is parsed back to the same value', (time, text) => {
  expect(formatExactTime(time)).toBe(text);
  expect(parseTimestamp(text)).toBe(time);
});
