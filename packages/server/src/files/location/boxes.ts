// The structure of ISO media files (HEIF, AVIF, MP4, QuickTime): nested boxes, each with a four-character type.

import type { ByteSource } from '../byte-source.ts';

export interface Box {
  readonly type: string;
  /** The offset of the type. */
  readonly typeOffset: number;
  /** The contents. */
  readonly start: number;
  readonly end: number;
}

const MOST_BOXES = 10_000;

export function listBoxes(source: ByteSource, start: number, end: number): readonly Box[] {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= end && boxes.length < MOST_BOXES) {
    const head = source.read(at, 16);
    if (head.length < 8) break;
    const short = head.readUInt32BE(0);
    if (short === 1 && head.length < 16) break;
    // A size of 0 means the rest of the file; a size of 1 means that the real size follows.
    const size = short === 0 ? end - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    const headBytes = short === 1 ? 16 : 8;
    if (size < headBytes) break;
    boxes.push({
      type: head.toString('latin1', 4, 8),
      typeOffset: at + 4,
      start: at + headBytes,
      end: Math.min(at + size, end),
    });
    at += size;
  }
  return boxes;
}

export function findBox(source: ByteSource, start: number, end: number, type: string): Box | undefined {
  return listBoxes(source, start, end).find((box) => box.type === type);
}
