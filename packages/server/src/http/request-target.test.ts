import { expect, test } from 'vitest';
import { readRawQuery } from './request-target.ts';

test.each([
  ['/a', ''],
  ['/a?', ''],
  ['/a?b=c&d[]=%20', 'b=c&d[]=%20'],
  ['/a?b?c', 'b?c'],
  ['/a?b#c', 'b'],
])('the raw query of %s is "%s"', (url, query) => {
  expect(readRawQuery(url)).toBe(query);
});
