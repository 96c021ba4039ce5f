import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

const FIRST_TIME = Date.parse('0000-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

describe('a timestamp', () => {
  test.each([
    ['1970-01-01T00:00:00+00:00', 0],
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00-00:00', 0],
    ['2024-05-01T10:00:00+00:00', Date.UTC(2024, 4, 1, 10)],
    ['2024-05-01T10:00:00+02:00', Date.UTC(2024, 4, 1, 8)],
    ['2024-05-01T10:00:00-05:30', Date.UTC(2024, 4, 1, 15, 30)],
    ['2024-05-01T10:00:00.5+00:00', Date.UTC(2024, 4, 1, 10, 0, 0, 500)],
    ['2024-05-01T10:00:00.123456789Z', Date.UTC(2024, 4, 1, 10, 0, 0, 123)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    ['0000-01-01T00:00:00Z', FIRST_TIME],
    ['0050-06-01T00:00:00Z', Date.parse('0050-06-01T00:00:00Z')],
    ['9999-12-31T23:59:59.999Z', LAST_TIME],
  ])('%s is parsed as %i', (text, time) => {
    expect(parseTimestamp(text)).toBe(time);
  });
});

describe('a string that is not a timestamp', () => {
  test.each([
    '',
    'now',
    '2024-05-01',
    '2024-05-01T10:00:00',
    '2024-05-01 10:00:00+00:00',
    '2024-05-01T10:00+00:00',
    '2024-05-01T10:00:00+0000',
    '2024-05-01T10:00:00+00',
    '2024-05-01T10:00:00z',
    '2024-05-01T10:00:00.+00:00',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T25:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00+15:00',
    '2024-01-01T00:00:00+00:60',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    ' 2024-05-01T10:00:00Z',
    '2024-05-01T10:00:00Z\n',
    '２０２４-05-01T10:00:00Z',
  ])('is not parsed: %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe('a formatted time', () => {
  test('has an offset and no fraction', () => {
    expect(formatTimestamp(Date.UTC(2026, 2, 1, 8, 0, 0, 999))).toBe('2026-03-01T08:00:00+00:00');
  });

  test('parses back to the same second', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_TIME, max: LAST_TIME }), (time) => {
        expect(parseTimestamp(formatTimestamp(time))).toBe(Math.floor(time / 1000) * 1000);
      }),
    );
  });

  test('sorts as text in chronological order', () => {
    const seconds = fc.integer({ min: FIRST_TIME / 1000, max: Math.floor(LAST_TIME / 1000) });
    fc.assert(
      fc.property(seconds, seconds, (one, other) => {
        expect(formatTimestamp(one * 1000) < formatTimestamp(other * 1000)).toBe(one < other);
      }),
    );
  });

  test('parses to the same instant regardless of the UTC offset', () => {
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const times = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9998, 0, 1) });
    fc.assert(
      fc.property(times, minutes, (time, offset) => {
        const second = Math.floor(time / 1000) * 1000;
        const local = new Date(second + offset * 60_000).toISOString().slice(0, 19);
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const rest = String(Math.abs(offset) % 60).padStart(2, '0');
        expect(parseTimestamp(`${local}${offset < 0 ? '-' : '+'}${hours}:${rest}`)).toBe(second);
      }),
    );
  });
});
