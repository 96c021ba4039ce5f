import { expect, test } from 'vitest';
import { planRetry, RETRY_AFTER_MS } from './retry-plan.ts';

test('a call is retried after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, and never again after that', () => {
  const times = Array.from({ length: 8 }, (_, index) =>
    planRetry(index + 1, 1000, { retryAfterMs: RETRY_AFTER_MS, random: 0 }),
  );
  const seconds = [5, 30, 120, 600, 3600, 21_600, 86_400];
  expect(times).toEqual([...seconds.map((pause) => 1000 + pause * 1000), undefined]);
});

test('a pause can be up to a fifth longer than planned', () => {
  expect(planRetry(1, 0, { retryAfterMs: [1000], random: 1 })).toBe(1200);
});
