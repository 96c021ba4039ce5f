import { expect, test } from 'vitest';
import { KeptAnswer } from './answer.ts';

const ENCODINGS = ['br', 'zstd', 'gzip'] as const;

/** Not ASCII, so that the plain form is bytes as well. */
function keep(body: string): KeptAnswer {
  return new KeptAnswer({ body, isAscii: false, validator: 'v', link: undefined }, []);
}

test.each([undefined, ...ENCODINGS])('holds on to no more memory than its bytes (%s)', async (encoding) => {
  const { body } = await keep('ä short answer '.repeat(100)).form(encoding);
  // Node slices small buffers from one of 64 KB, and each slice keeps the whole in memory.
  expect(Buffer.isBuffer(body) && body.buffer.byteLength).toBe(body.length);
});

test('weighs at least what its bytes take', async () => {
  const answer = keep('ä short answer '.repeat(100));
  let bytes = 0;
  for (const encoding of ENCODINGS) {
    const { body } = await answer.form(encoding);
    bytes += Buffer.isBuffer(body) ? body.buffer.byteLength : 0;
  }
  expect(answer.weight).toBeGreaterThanOrEqual(bytes + answer.size);
});
