import { describe, expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

const ETAG = '"v1"';

describe('a range', () => {
  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, 99],
    ['bytes=-10', 90, 99],
    ['bytes=-1000', 0, 99],
    ['bytes=99-99', 99, 99],
    ['bytes=50-1000', 50, 99],
    ['BYTES= 0-9 ', 0, 9],
  ])('%s covers bytes %i to %i of 100', (text, start, end) => {
    expect(parseRange(text, undefined, ETAG, 100)).toEqual({ start, end });
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s is past the end of a 100-byte file', (text) => {
    expect(parseRange(text, undefined, ETAG, 100)).toBe('unsatisfiable');
  });

  test.each([
    undefined,
    'bytes=9-0',
    'bytes=-',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'items=0-9',
    'bytes=0x1-2',
    'bytes=1.5-2',
    `bytes=0-${'9'.repeat(30)}`,
  ])('%s means the whole file', (text) => {
    expect(parseRange(text, undefined, ETAG, 100)).toBeNull();
  });

  test('applies only to the version that If-Range names', () => {
    expect(parseRange('bytes=0-9', ETAG, ETAG, 100)).toEqual({ start: 0, end: 9 });
    for (const other of ['"v2"', 'W/"v1"', 'Tue, 17 Nov 2026 10:00:00 GMT']) {
      expect(parseRange('bytes=0-9', other, ETAG, 100)).toBeNull();
    }
  });

  test('is always past the end of an empty file', () => {
    for (const text of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
      expect(parseRange(text, undefined, ETAG, 0)).toBe('unsatisfiable');
    }
  });
});
