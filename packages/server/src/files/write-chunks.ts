// Writes chunks completely: a single system call may write fewer bytes than requested.

import type { FileHandle } from 'node:fs/promises';

/** @param start where the first chunk is written; by default after the previous write */
export async function writeChunks(handle: FileHandle, chunks: readonly Uint8Array[], start?: number): Promise<void> {
  let position = start;
  let rest = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest, position);
    if (position !== undefined) position += bytesWritten;
    rest = skipBytes(rest, bytesWritten);
  }
}

function skipBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let left = count;
  let index = 0;
  for (let chunk = chunks[0]; chunk !== undefined && left >= chunk.length; chunk = chunks[index]) {
    left -= chunk.length;
    index += 1;
  }
  const [first, ...others] = chunks.slice(index);
  return first === undefined ? [] : [first.subarray(left), ...others];
}
