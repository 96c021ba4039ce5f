// The chunks of large files are memory outside of V8's heap. They die young, but V8 would let 64 MB of them pile up before it looks for
// garbage. Collecting only young objects takes a few milliseconds, so we ask for that more often.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of all files together. */
const COLLECTED_BYTES = 16 * 1024 ** 2;

let passed = 0;
let collect: ((options: { readonly type: 'minor' }) => void) | undefined;

export async function* freeChunks<Chunk extends Uint8Array>(
  source: AsyncIterable<Chunk>,
): AsyncGenerator<Chunk, void, void> {
  for await (const chunk of source) {
    yield chunk;
    passed += chunk.length;
    if (passed >= COLLECTED_BYTES) {
      passed = 0;
      collect ??= findCollector();
      collect({ type: 'minor' });
    }
  }
}

function findCollector(): NonNullable<typeof collect> {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
