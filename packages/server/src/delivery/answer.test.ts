import { describe, expect, test } from 'vitest';
import { chooseEncoding, findEncoding, KeptAnswer } from './answer.ts';

const ENCODINGS = ['br', 'zstd', 'gzip'] as const;

/** The body is not ASCII, so the uncompressed form is stored as bytes too. */
function keep(body: string): KeptAnswer {
  return new KeptAnswer({ body, isAscii: false, validator: 'v', link: undefined }, []);
}

test.each([undefined, ...ENCODINGS])('a cached response uses no more memory than its size (%s)', async (encoding) => {
  const { body } = await keep('ä short answer '.repeat(100)).form(encoding);
  // Node slices small buffers from a 64 KB pool, and each slice keeps the whole pool in memory.
  expect(Buffer.isBuffer(body) && body.buffer.byteLength).toBe(body.length);
});

test('a cached response reports a weight of at least its size in bytes', async () => {
  const answer = keep('ä short answer '.repeat(100));
  let bytes = 0;
  for (const encoding of ENCODINGS) {
    const { body } = await answer.form(encoding);
    bytes += Buffer.isBuffer(body) ? body.buffer.byteLength : 0;
  }
  expect(answer.weight).toBeGreaterThanOrEqual(bytes + answer.size);
});

describe('the encoding of a response', () => {
  test.each([
    ['', undefined],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['gzip, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['br;q=0.001', 'br'],
    ['br;q=0', undefined],
    ['br;q=0.0, gzip', 'gzip'],
    ['BR ; Q=0.5 , Gzip ; q=0.6', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *;q=0.5', 'zstd'],
    ['gzip, *;q=0', 'gzip'],
    ['identity', undefined],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0.9, gzip;q=0.8', undefined],
    ['identity;q=0.8, gzip;q=0.9', 'gzip'],
    ['deflate, compress, x-gzip', undefined],
    ['gzip;level=9;q=0.5, br;q=0.4', 'gzip'],
    ['br;q=many, gzip;q=0.1', 'gzip'],
    [',,;q=1,', undefined],
  ])('is one that the client accepts: for "%s", %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });

  test('is applied only if it makes the response smaller', () => {
    expect(findEncoding(undefined, 5000)).toBeUndefined();
    expect(findEncoding('gzip', 1023)).toBeUndefined();
    expect(findEncoding('gzip', 1024)).toBe('gzip');
    expect(findEncoding('gzip', 1024)).toBe('gzip');
    expect(findEncoding('deflate', 1024)).toBeUndefined();
    expect(findEncoding('deflate', 1024)).toBeUndefined();
  });
});
