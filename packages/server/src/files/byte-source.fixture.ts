// For tests: a file in memory.

import type { ByteSource } from './byte-source.ts';

export function openBufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(Math.max(offset, 0), Math.max(offset + length, 0)),
  };
}
