import { expect, test } from 'vitest';
import { median, medianRatio } from './median.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('the ratio is not affected by a round in which the whole machine was slow', () => {
  expect(medianRatio([50, 5, 50], [100, 10, 100])).toBe(0.5);
});
