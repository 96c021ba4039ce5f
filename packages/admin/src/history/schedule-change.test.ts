import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildScheduleChange, readSchedule } from './schedule-change.ts';

beforeAll(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});

afterAll(() => {
  vi.unstubAllEnvs();
});

/** The second 02:30 of the night in which the clocks go back. */
const REPEATED = '2026-10-25T01:30:00+00:00';

test('a time in the repeated hour stays where it is while the other one is changed', () => {
  const content = { publish_at: REPEATED, unpublish_at: null };
  const initial = readSchedule(content);
  expect(initial.publish_at).toBe('2026-10-25T02:30');
  expect(buildScheduleChange(content, { ...initial, unpublish_at: '2026-10-26T09:00' }, initial)).toEqual({
    times: { unpublish_at: '2026-10-26T08:00:00+00:00' },
    cancelled: undefined,
    isCancelledFirst: false,
  });
});

test('what is cleared is cancelled after what is set, so that a refused time costs nothing', () => {
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
])('what stands in the way of a new time is cancelled before it: %j', (content, values) => {
  expect(buildScheduleChange(content, values, readSchedule(content)).isCancelledFirst).toBe(true);
});

test('what was cancelled already is not cancelled again', () => {
  const initial = { publish_at: '2030-01-01T09:00', unpublish_at: '' };
  const change = buildScheduleChange(
    { publish_at: null, unpublish_at: null },
    { publish_at: '', unpublish_at: '2030-02-01T09:00' },
    initial,
  );
  expect(change.cancelled).toBeUndefined();
});

test('a time that somebody else has set meanwhile stays', () => {
  const nothing = { publish_at: '', unpublish_at: '' };
  const content = { publish_at: '2030-01-01T08:00:00+00:00', unpublish_at: null };
  expect(buildScheduleChange(content, { ...nothing, unpublish_at: '2030-02-01T09:00' }, nothing)).toMatchObject({
    times: { unpublish_at: '2030-02-01T08:00:00+00:00' },
    cancelled: undefined,
  });
});
