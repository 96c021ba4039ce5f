import { expect, test } from 'vitest';
import { parseNumber } from './parse-number.ts';

test.each([
  ['', undefined],
  ['-', undefined],
  ['.', undefined],
  ['10.', 10],
  ['12.0', 12],
  ['007', 7],
  ['12345678901234', 12_345_678_901_234],
  [0, 0],
] as const)('%j is meant as %j', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});
