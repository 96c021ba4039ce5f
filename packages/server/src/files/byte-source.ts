// Reads bytes at any offset without loading the whole file. Reads are synchronous: they are small, and the file is local.

import { fstatSync, readSync } from 'node:fs';

export interface ByteSource {
  readonly size: number;
  /** Returns fewer bytes at the end of the source, and none beyond it. */
  read(offset: number, length: number): Buffer;
}

/** The caller keeps the descriptor open while it is in use, and then closes it. */
export function openDescriptorSource(descriptor: number): ByteSource {
  const { size } = fstatSync(descriptor);
  return {
    size,
    read(offset, length) {
      const start = clamp(offset, size);
      const room = Buffer.alloc(clamp(offset + length, size) - start);
      let used = 0;
      while (used < room.length) {
        const count = readSync(descriptor, room, used, room.length - used, start + used);
        if (count === 0) break;
        used += count;
      }
      return room.subarray(0, used);
    },
  };
}

function clamp(position: number, size: number): number {
  return Math.min(Math.max(position, 0), size);
}
