// Changes to a file that only overwrite bytes and keep its length, so all offsets within the file stay valid.

export interface Edit {
  readonly offset: number;
  /** Several edits may share these bytes, so they must not be changed. */
  readonly bytes: Buffer;
}

export const ZERO = 0;
export const SPACE = 32;

const blanks = new Map<number, Buffer>();

/** One byte, repeated. Edits share the memory, because a hostile file can cause many edits at the same place. */
export function blank(length: number, byte: number): Buffer {
  let room = blanks.get(byte);
  if (room === undefined || room.length < length) {
    room = Buffer.alloc(2 ** Math.ceil(Math.log2(Math.max(length, 4096))), byte);
    blanks.set(byte, room);
  }
  return room.subarray(0, length);
}

/** Sorts edits and removes overlaps, which only damaged files cause; the first of two overlapping edits wins. */
export function arrangeEdits(edits: readonly Edit[]): readonly Edit[] {
  const arranged: Edit[] = [];
  let end = 0;
  for (const { offset, bytes } of edits.toSorted((one, other) => one.offset - other.offset)) {
    const start = Math.max(offset, end);
    const rest = bytes.subarray(start - offset);
    if (rest.length === 0) continue;
    arranged.push({ offset: start, bytes: rest });
    end = start + rest.length;
  }
  return arranged;
}

/** Writes the part of an edit that falls within `room`, whose first byte is at `position` in the file. */
export function overlay(room: Buffer, { offset, bytes }: Edit, position: number): void {
  const from = Math.max(offset, position);
  const to = Math.min(offset + bytes.length, position + room.length);
  if (from < to) room.set(bytes.subarray(from - offset, to - offset), from - position);
}
