import { expect, test } from 'vitest';
import { formatBytes } from './check.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [12_345, '12 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1_740_800, '1.7 MB'],
  [79e9, '79 GB'],
  [5e15, '5000 TB'],
])('formats %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
