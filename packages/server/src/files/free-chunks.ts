// Chunks of large files use memory outside V8's heap. They are short-lived, but V8 would let 64 MB of them pile up before it collects
// garbage. Collecting only young objects takes a few milliseconds, so we request that more often.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The limit for all files together. */
const COLLECTED_BYTES = 8 * 1024 ** 2;

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
