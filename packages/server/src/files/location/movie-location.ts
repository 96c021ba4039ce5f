// Finds the recording location in MP4 and QuickTime videos. Phones write it as text into a separate box or into a list of named values.

import type { ByteSource } from '../byte-source.ts';
import { type Box, listBoxes } from './boxes.ts';
import { blank, type Edit, ZERO } from './edits.ts';

const LOCATION_BOXES = new Set(['\u00a9xyz', 'loci']);
const PARENTS = new Set(['moov', 'trak', 'udta']);
const MOST_NAMES_BYTES = 1024 * 1024;
/** A location takes up less than 100 bytes. */
const MOST_VALUE_BYTES = 64 * 1024;

export function findMovieLocation(source: ByteSource): readonly Edit[] {
  return searchBoxes(source, listBoxes(source, 0, source.size), 0);
}

function searchBoxes(source: ByteSource, boxes: readonly Box[], depth: number): readonly Edit[] {
  return boxes.flatMap((box) => {
    if (LOCATION_BOXES.has(box.type)) return freeBox(source, box);
    if (box.type === 'meta') return findNamedValues(source, box);
    return PARENTS.has(box.type) && depth < 4
      ? searchBoxes(source, listBoxes(source, box.start, box.end), depth + 1)
      : [];
  });
}

/** Players skip boxes of this type. */
function freeBox(source: ByteSource, box: Box): readonly Edit[] {
  return [{ offset: box.typeOffset, bytes: Buffer.from('free') }, eraseContents(source, box)];
}

function eraseContents(source: ByteSource, { start, end }: Box): Edit {
  const size = Math.min(end, source.size, start + MOST_VALUE_BYTES) - start;
  return { offset: start, bytes: blank(Math.max(0, size), ZERO) };
}

/** One box lists names; another has the values, each with the number of its name. Without names, a value's type is its name. */
function findNamedValues(source: ByteSource, meta: Box): readonly Edit[] {
  // In MP4, a version and flags precede the boxes; in QuickTime, they do not.
  const candidates = [listBoxes(source, meta.start, meta.end), listBoxes(source, meta.start + 4, meta.end)];
  const boxes = candidates.find((each) => each.some(({ type }) => type === 'ilst')) ?? [];
  const list = boxes.find(({ type }) => type === 'ilst');
  if (list === undefined) return [];
  const keys = boxes.find(({ type }) => type === 'keys');
  const numbers = keys === undefined ? new Set() : readLocationKeys(source, keys);
  return (
    listBoxes(source, list.start, list.end)
      .filter(({ type }) => LOCATION_BOXES.has(type) || numbers.has(Buffer.from(type, 'latin1').readUInt32BE()))
      .flatMap((item) => listBoxes(source, item.start, item.end))
      // A value begins with its type and language.
      .map((value) => eraseContents(source, { ...value, start: Math.min(value.start + 8, value.end) }))
  );
}

function readLocationKeys(source: ByteSource, keys: Box): ReadonlySet<number> {
  const bytes = source.read(keys.start + 8, Math.min(keys.end - keys.start - 8, MOST_NAMES_BYTES));
  const numbers = new Set<number>();
  let number = 1;
  for (let at = 0; at + 8 <= bytes.length; number += 1) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    if (/location/i.test(bytes.toString('latin1', at + 8, at + size))) numbers.add(number);
    at += size;
  }
  return numbers;
}
