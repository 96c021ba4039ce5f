import { afterEach, expect, test, vi } from 'vitest';
import { formatLocalTime, parseLocalTime } from './local-time.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['2026-03-01T08:00:00+00:00', '2026-07-31T23:59:07+00:00', '1999-12-31T00:30:00+00:00'])(
  'round-trips %s',
  (timestamp) => {
    expect(parseLocalTime(formatLocalTime(timestamp))).toBe(timestamp);
  },
);

test('shows the same local time for different UTC offsets', () => {
  expect(formatLocalTime('2026-03-01T10:00:00+02:00')).toBe(formatLocalTime('2026-03-01T08:00:00+00:00'));
});

test.each(['', 'soon'])('rejects %j', (text) => {
  expect(parseLocalTime(text)).toBeUndefined();
  expect(formatLocalTime(text)).toBe('');
});

test('handles the start and end of daylight saving time', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(formatLocalTime(parseLocalTime('2026-03-29T02:30') ?? '')).toBe('2026-03-29T03:30');
  expect(formatLocalTime('2026-10-25T00:30:00+00:00')).toBe('2026-10-25T02:30');
  expect(formatLocalTime('2026-10-25T01:30:00+00:00')).toBe('2026-10-25T02:30');
});
