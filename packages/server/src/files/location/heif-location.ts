// Finds GPS data in HEIF and AVIF. Metadata is stored as items: one box lists their types, and another says where their bytes are.

import type { ByteSource } from '../byte-source.ts';
import { type Box, findBox, listBoxes } from './boxes.ts';
import type { Edit } from './edits.ts';
import { findExifLocation } from './exif-location.ts';
import { findXmpLocation } from './xmp-location.ts';

const MOST_ITEMS = 10_000;
const MOST_METADATA_BYTES = 1024 * 1024;

export function findHeifLocation(source: ByteSource): readonly Edit[] {
  const meta = findBox(source, 0, source.size, 'meta');
  if (meta === undefined) return [];
  // A version and flags precede the boxes.
  const boxes = listBoxes(source, meta.start + 4, meta.end);
  const kinds = readKinds(source, boxes);
  return readPlaces(source, boxes).flatMap(({ item, start, end }) => {
    if (kinds.get(item) === 'xmp') return findXmpLocation(source, start, end);
    return kinds.get(item) === 'exif' ? findItemLocation(source, start, end) : [];
  });
}

/** The first four bytes contain the distance to the start of the EXIF data. */
function findItemLocation(source: ByteSource, start: number, end: number): readonly Edit[] {
  const head = source.read(start, 4);
  return head.length < 4 ? [] : findExifLocation(source, start + 4 + head.readUInt32BE(), end);
}

function readKinds(source: ByteSource, boxes: readonly Box[]): ReadonlyMap<number, 'exif' | 'xmp'> {
  const kinds = new Map<number, 'exif' | 'xmp'>();
  const list = boxes.find(({ type }) => type === 'iinf');
  if (list === undefined) return kinds;
  const version = source.read(list.start, 1)[0] ?? 0;
  for (const entry of listBoxes(source, list.start + (version === 0 ? 6 : 8), list.end)) {
    const bytes = source.read(entry.start, 256);
    const isLong = bytes[0] === 3;
    const typeAt = isLong ? 10 : 8;
    if (bytes.length < typeAt + 4 || (bytes[0] ?? 0) < 2) continue;
    const item = isLong ? bytes.readUInt32BE(4) : bytes.readUInt16BE(4);
    const type = bytes.toString('latin1', typeAt, typeAt + 4);
    if (type === 'Exif') kinds.set(item, 'exif');
    if (type === 'mime' && bytes.includes('application/rdf+xml')) kinds.set(item, 'xmp');
  }
  return kinds;
}

interface Place {
  readonly item: number;
  readonly start: number;
  readonly end: number;
}

function readPlaces(source: ByteSource, boxes: readonly Box[]): readonly Place[] {
  const box = boxes.find(({ type }) => type === 'iloc');
  if (box === undefined) return [];
  const bytes = source.read(box.start, Math.min(box.end - box.start, MOST_METADATA_BYTES));
  const data = boxes.find(({ type }) => type === 'idat');
  let at = 0;

  function take(length: number): number {
    if (at + length > bytes.length) throw new RangeError('The list of items ends prematurely.');
    const value = length === 8 ? Number(bytes.readBigUInt64BE(at)) : length === 0 ? 0 : bytes.readUIntBE(at, length);
    at += length;
    return value;
  }

  const places: Place[] = [];
  try {
    const version = take(1);
    take(3);
    const sizes = take(2);
    const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
    const indexBytes = version === 0 ? 0 : sizes & 15;
    const count = Math.min(take(version < 2 ? 2 : 4), MOST_ITEMS);
    for (let index = 0; index < count; index += 1) {
      const item = take(version < 2 ? 2 : 4);
      const method = version === 0 ? 0 : take(2) & 15;
      take(2);
      const base = take(baseBytes);
      const extents = take(2);
      for (let extent = 0; extent < extents; extent += 1) {
        take(indexBytes);
        const from = base + take(offsetBytes) + (method === 1 ? (data?.start ?? 0) : 0);
        places.push({ item, start: from, end: Math.min(from + take(lengthBytes), source.size) });
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return places;
}
