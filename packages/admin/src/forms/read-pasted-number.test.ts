import { expect, test } from 'vitest';
import { readPastedNumber } from './read-pasted-number.ts';

test.each([
  ['1,5', 1.5],
  ['-1,5', -1.5],
  ['1.5', 1.5],
  [' 12 ', 12],
  ['1.234,56', 1234.56],
  ['1,234.56', 1234.56],
  ['1 234,5', 1234.5],
  ['1’234.5', 1234.5],
  ['1,234,567', 1_234_567],
  ['1.234.567', 1_234_567],
  ['0,125', 0.125],
  ['1,2345', 1.2345],
  ['−4', -4],
  [',5', 0.5],
  ['1,234', 'unclear'],
  ['1,23,4', undefined],
  ['1.2.3', undefined],
  ['12 km', undefined],
  ['', undefined],
  ['-', undefined],
] as const)('reads %j as %j', (text, number) => {
  expect(readPastedNumber(text)).toBe(number);
});
