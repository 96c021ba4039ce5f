import { expect, test } from 'vitest';
import { buildAxis } from './axis.ts';

test.each([
  [
    [43_000, 12_000],
    [0, 10_000, 20_000, 30_000, 40_000, 50_000],
  ],
  [[7], [0, 2, 4, 6, 8]],
  [[0.5], [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
])('the linear axis of %j has round ticks from 0 to above the largest', (values, ticks) => {
  expect(buildAxis(values, 'linear').ticks).toEqual(ticks);
});

test('a linear axis places values in proportion', () => {
  const { place } = buildAxis([10_000], 'linear');
  expect([place(0), place(5000), place(10_000)]).toEqual([0, 0.5, 1]);
});

test('a logarithmic axis has the powers of ten, and gives each tenfold the same height', () => {
  const { ticks, place } = buildAxis([39, 43_000], 'log');
  expect(ticks).toEqual([10, 100, 1000, 10_000, 100_000]);
  expect([place(10), place(1000), place(100_000)]).toEqual([0, 0.5, 1]);
});

test('a logarithmic axis leaves a bar to its least value', () => {
  expect(buildAxis([10, 1000], 'log').place(10)).toBeGreaterThan(0);
});
