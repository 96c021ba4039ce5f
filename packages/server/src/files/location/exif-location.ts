// Finds GPS data in EXIF, which is a TIFF file without a picture. The GPS directory and its entry are removed; all other entries,
// such as the orientation, stay where they are.

import type { ByteSource } from '../byte-source.ts';
import { blank, type Edit, ZERO } from './edits.ts';
import { findXmpLocation } from './xmp-location.ts';

const GPS_DIRECTORY = 0x8825;
const XMP = 0x02bc;
/** Directories that a directory may refer to: further pictures, and EXIF. */
const CHILD_DIRECTORIES = new Set([0x014a, 0x8769]);
const ENTRY_BYTES = 12;
/** These limits are far above what cameras write. They bound the work that a hostile file can cause. */
const MOST_DIRECTORIES = 100;
const MOST_CHILDREN = 32;
const MOST_GPS_ENTRIES = 64;
const MOST_VALUE_BYTES = 4096;
const PREFIX = Buffer.from('Exif\0\0', 'latin1');

/** The size of one value, indexed by type number. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

interface Entry {
  readonly raw: Buffer;
  readonly tag: number;
  readonly count: number;
  /** The offset of the values. */
  readonly offset: number;
  readonly bytes: number;
}

/** The EXIF data is between `from` and `end`. Some programs write a prefix before it. */
export function findExifLocation(source: ByteSource, from: number, end: number): readonly Edit[] {
  // All offsets are counted from here.
  const start = source.read(from, PREFIX.length).equals(PREFIX) ? from + PREFIX.length : from;
  const header = source.read(start, 8);
  const order = header.toString('latin1', 0, 2);
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return [];
  const isLittle = order === 'II';
  const edits: Edit[] = [];
  const seen = new Set<number>();
  const waiting = [readU32(header, 4, isLittle)];

  /** Limits a length to the part within the EXIF data. */
  function limit(offset: number, length: number): number {
    return Math.max(0, Math.min(length, end - start - offset));
  }

  function read(offset: number, length: number): Buffer {
    return source.read(start + offset, limit(offset, length));
  }

  function readEntries(offset: number): { readonly entries: readonly Entry[]; readonly next: number } | undefined {
    const head = read(offset, 2);
    if (head.length < 2) return undefined;
    const count = isLittle ? head.readUInt16LE() : head.readUInt16BE();
    const table = read(offset + 2, count * ENTRY_BYTES + 4);
    const whole = Math.min(count, Math.floor(table.length / ENTRY_BYTES));
    const entries = Array.from({ length: whole }, (_, index) => readEntry(table, index, offset));
    const hasNext = table.length === count * ENTRY_BYTES + 4;
    return { entries, next: hasNext ? readU32(table, count * ENTRY_BYTES, isLittle) : 0 };
  }

  function readEntry(table: Buffer, index: number, directory: number): Entry {
    const raw = table.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const tag = isLittle ? raw.readUInt16LE() : raw.readUInt16BE();
    const type = isLittle ? raw.readUInt16LE(2) : raw.readUInt16BE(2);
    const count = readU32(raw, 4, isLittle);
    const bytes = (TYPE_BYTES[type] ?? 1) * count;
    const inPlace = directory + 2 + index * ENTRY_BYTES + 8;
    const offset = bytes <= 4 ? inPlace : readU32(raw, 8, isLittle);
    return { raw, tag, count, offset, bytes };
  }

  /** Reads the values as offsets of other directories. */
  function readTargets({ offset, count }: Entry): readonly number[] {
    const values = read(offset, Math.min(count, MOST_CHILDREN) * 4);
    return Array.from({ length: Math.floor(values.length / 4) }, (_, index) => readU32(values, index * 4, isLittle));
  }

  function erase(offset: number, length: number): void {
    const size = limit(offset, length);
    if (size > 0) edits.push({ offset: start + offset, bytes: blank(size, ZERO) });
  }

  function eraseGps(offset: number): void {
    // The first 8 bytes are the header.
    if (offset < 8 || seen.has(offset) || seen.size >= MOST_DIRECTORIES) return;
    seen.add(offset);
    const entries = readEntries(offset)?.entries.slice(0, MOST_GPS_ENTRIES) ?? [];
    for (const { offset: place, bytes } of entries) if (bytes > 4) erase(place, Math.min(bytes, MOST_VALUE_BYTES));
    if (entries.length > 0) erase(offset, 2 + entries.length * ENTRY_BYTES + 4);
  }

  /** Closes the gaps between the remaining entries. The freed space follows them. */
  function dropEntries(offset: number, entries: readonly Entry[], next: number): void {
    const kept = entries.filter(({ tag }) => tag !== GPS_DIRECTORY);
    const bytes = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4);
    if (isLittle) bytes.writeUInt16LE(kept.length);
    else bytes.writeUInt16BE(kept.length);
    for (const [index, { raw }] of kept.entries()) bytes.set(raw, 2 + index * ENTRY_BYTES);
    const tail = 2 + kept.length * ENTRY_BYTES;
    if (isLittle) bytes.writeUInt32LE(next, tail);
    else bytes.writeUInt32BE(next, tail);
    edits.push({ offset: start + offset, bytes: bytes.subarray(0, limit(offset, bytes.length)) });
  }

  while (waiting.length > 0 && seen.size < MOST_DIRECTORIES) {
    const offset = waiting.pop() ?? 0;
    if (offset < 8 || seen.has(offset)) continue;
    seen.add(offset);
    const directory = readEntries(offset);
    if (directory === undefined) continue;
    const { entries, next } = directory;
    waiting.push(next);
    for (const entry of entries) {
      if (CHILD_DIRECTORIES.has(entry.tag)) waiting.push(...readTargets(entry));
      if (entry.tag === XMP)
        edits.push(...findXmpLocation(source, start + entry.offset, start + entry.offset + entry.bytes));
      if (entry.tag === GPS_DIRECTORY) for (const target of readTargets(entry)) eraseGps(target);
    }
    if (entries.some(({ tag }) => tag === GPS_DIRECTORY)) dropEntries(offset, entries, next);
  }
  return edits;
}

function readU32(bytes: Buffer, offset: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
}
