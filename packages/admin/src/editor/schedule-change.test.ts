import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildMorning, buildScheduleChange, countDaysToMonday, readSchedule } from './schedule-change.ts';

beforeAll(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});

afterAll(() => {
  vi.unstubAllEnvs();
});

/** The second 02:30 on the night when the clocks go back. */
const REPEATED = '2026-10-25T01:30:00+00:00';

test('keeps a time in the hour that repeats when the clocks go back, even if the other time changes', () => {
  const content = { publish_at: REPEATED, unpublish_at: null };
  const initial = readSchedule(content);
  expect(initial.publish_at).toBe('2026-10-25T02:30');
  expect(buildScheduleChange(content, { ...initial, unpublish_at: '2026-10-26T09:00' }, initial)).toEqual({
    times: { unpublish_at: '2026-10-26T08:00:00+00:00' },
    cancelled: undefined,
    isCancelledFirst: false,
  });
});

test('sets the new time before it cancels the old one, so that nothing is lost if the new time is rejected', () => {
  const content = { publish_at: '2030-01-01T08:00:00+00:00', unpublish_at: null };
  const change = buildScheduleChange(
    content,
    { publish_at: '', unpublish_at: '2030-02-01T09:00' },
    readSchedule(content),
  );
  expect(change).toMatchObject({ cancelled: 'publish', isCancelledFirst: false });
});

test.each([
  [
    { publish_at: '2030-03-01T08:00:00+00:00', unpublish_at: null },
    { publish_at: '', unpublish_at: '2030-02-01T09:00' },
  ],
  [
    { publish_at: null, unpublish_at: '2030-02-01T08:00:00+00:00' },
    { publish_at: '2030-03-01T09:00', unpublish_at: '' },
  ],
])('first cancels a time that conflicts with the new one: %j', (content, values) => {
  expect(buildScheduleChange(content, values, readSchedule(content)).isCancelledFirst).toBe(true);
});

test('does not cancel a time twice', () => {
  const initial = { publish_at: '2030-01-01T09:00', unpublish_at: '' };
  const change = buildScheduleChange(
    { publish_at: null, unpublish_at: null },
    { publish_at: '', unpublish_at: '2030-02-01T09:00' },
    initial,
  );
  expect(change.cancelled).toBeUndefined();
});

test('keeps a time that somebody else has set in the meantime', () => {
  const nothing = { publish_at: '', unpublish_at: '' };
  const content = { publish_at: '2030-01-01T08:00:00+00:00', unpublish_at: null };
  expect(buildScheduleChange(content, { ...nothing, unpublish_at: '2030-02-01T09:00' }, nothing)).toMatchObject({
    times: { unpublish_at: '2030-02-01T08:00:00+00:00' },
    cancelled: undefined,
  });
});

test('suggests nine in the morning, even across the end of a month', () => {
  expect(buildMorning(new Date(2030, 0, 31, 23, 59), 1)).toBe('2030-02-01T09:00');
});

test.each([
  ['a Sunday', new Date(2030, 0, 6), 1],
  ['a Monday', new Date(2030, 0, 7), 7],
  ['a Saturday', new Date(2030, 0, 12), 2],
])('counts the days from %s to the next Monday', (_day, now, days) => {
  expect(countDaysToMonday(now)).toBe(days);
});
