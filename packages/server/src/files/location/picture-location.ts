// Finds GPS data in JPEG, PNG and WebP. Each format keeps EXIF and XMP in a different place.

import { crc32 } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import { arrangeEdits, blank, type Edit, overlay, SPACE, ZERO } from './edits.ts';
import { findExifLocation } from './exif-location.ts';
import { findXmpLocation } from './xmp-location.ts';

const WINDOW_BYTES = 1024 * 1024;
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const GPS_NAME = /gps|geo:/i;
/** XMP data over 64 KB continues in these segments. */
const EXTENDED_XMP = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');

/**
 * Looks for metadata segments anywhere in the file, because cameras append further pictures with their own metadata. Pixels cannot look
 * like a segment: in pixel data, every 0xFF is followed by a zero.
 */
export function findJpegLocation(source: ByteSource): readonly Edit[] {
  const edits: Edit[] = [];
  const extensions: { readonly start: number; readonly length: number }[] = [];
  let extensionsEnd = 0;
  let lastText = '';
  let isLocated = false;
  for (const { name, at } of findAll(source, [EXIF, XMP, EXTENDED_XMP])) {
    const end = findSegmentEnd(source, at);
    if (end === undefined) continue;
    if (name === EXIF) edits.push(...findExifLocation(source, at, end));
    else if (name === XMP) edits.push(...findXmpLocation(source, at + XMP.length, end));
    else {
      // A 32-character digest, a length and an offset precede the text.
      const start = Math.max(at + EXTENDED_XMP.length + 40, extensionsEnd);
      const text = source.read(start, Math.max(0, end - start)).toString('latin1');
      extensions.push({ start, length: text.length });
      extensionsEnd = start + text.length;
      // A property's name may be split across two segments.
      isLocated ||= GPS_NAME.test(lastText + text);
      lastText = text.slice(-8);
    }
  }
  // A property may span several segments, so all of them are removed.
  if (isLocated) for (const { start, length } of extensions) edits.push({ offset: start, bytes: blank(length, SPACE) });
  return edits;
}

function* findAll(
  source: ByteSource,
  names: readonly Buffer[],
): Generator<{ readonly name: Buffer; readonly at: number }> {
  for (let offset = 0; offset < source.size; offset += WINDOW_BYTES) {
    for (const name of names) {
      const window = source.read(offset, WINDOW_BYTES + name.length - 1);
      for (let at = window.indexOf(name); at !== -1; at = window.indexOf(name, at + 1)) yield { name, at: offset + at };
    }
  }
}

/** The end of the segment whose contents begin at `at`; undefined if there is none. */
function findSegmentEnd(source: ByteSource, at: number): number | undefined {
  const head = source.read(at - 4, 4);
  if (at < 4 || head.length < 4 || head.readUInt16BE() !== 0xffe1) return undefined;
  return Math.min(at - 2 + head.readUInt16BE(2), source.size);
}

const MOST_CHUNK_BYTES = 16 * 1024 * 1024;
const RAW_PROFILE = /^Raw profile type (?:exif|app1|xmp)$/i;
/** Decoders ignore unknown chunks whose type begins with a lowercase letter. */
const IGNORED_CHUNK = Buffer.from('voId');

export function findPngLocation(source: ByteSource): readonly Edit[] {
  const edits: Edit[] = [];
  let at = 8;
  while (at + 12 <= source.size) {
    const head = source.read(at, 8);
    const length = head.readUInt32BE();
    const start = at + 8;
    edits.push(
      ...findChunkLocation(source, head.toString('latin1', 4, 8), start, Math.min(start + length, source.size)),
    );
    at = start + length + 4;
  }
  return edits;
}

function findChunkLocation(source: ByteSource, type: string, start: number, end: number): readonly Edit[] {
  if (type === 'eXIf') return withChecksum(source, start, end, findExifLocation(source, start, end));
  if (type !== 'iTXt' && type !== 'zTXt' && type !== 'tEXt') return [];
  const text = source.read(start, Math.min(end - start, 200)).toString('latin1');
  const [keyword = ''] = text.split('\0');
  const isXmp = keyword === 'XML:com.adobe.xmp';
  const isCompressed = type === 'zTXt' || (type === 'iTXt' && text.charCodeAt(keyword.length + 1) === 1);
  if (isXmp && !isCompressed) return withChecksum(source, start, end, findXmpLocation(source, start, end));
  // Metadata that is compressed or written as hex digits cannot be changed in place, so the whole chunk is removed.
  if (!isXmp && !RAW_PROFILE.test(keyword)) return [];
  const bytes = blank(end - start, ZERO);
  return withChecksum(source, start, end, [
    { offset: start - 4, bytes: IGNORED_CHUNK },
    { offset: start, bytes },
  ]);
}

/** Adds an edit for the checksum, which covers a chunk's type and contents. */
function withChecksum(source: ByteSource, start: number, end: number, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0 || end - start > MOST_CHUNK_BYTES) return edits;
  const chunk = Buffer.from(source.read(start - 4, end - start + 4));
  const arranged = arrangeEdits(edits);
  for (const edit of arranged) overlay(chunk, edit, start - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(chunk));
  return end + 4 > source.size ? arranged : [...arranged, { offset: end, bytes: checksum }];
}

export function findWebpLocation(source: ByteSource): readonly Edit[] {
  const edits: Edit[] = [];
  let at = 12;
  while (at + 8 <= source.size) {
    const head = source.read(at, 8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const end = Math.min(at + 8 + length, source.size);
    if (type === 'EXIF') edits.push(...findExifLocation(source, at + 8, end));
    if (type === 'XMP ') edits.push(...findXmpLocation(source, at + 8, end));
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2);
  }
  return edits;
}
