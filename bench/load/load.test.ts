import { expect, test } from 'vitest';
import { findPercentile } from './load.ts';

test.each([
  [[1, 2, 3, 4], 50, 2],
  [[1, 2, 3, 4], 99, 4],
  [[1, 2, 3, 4], 0, 1],
  [[7], 50, 7],
])('for %j, percentile %d is %d', (values, percent, expected) => {
  expect(findPercentile(Float64Array.from(values), percent)).toBe(expected);
});

test('the 99th percentile of 100 values excludes the largest one', () => {
  expect(
    findPercentile(
      Float64Array.from({ length: 100 }, (_, index) => index + 1),
      99,
    ),
  ).toBe(99);
});
