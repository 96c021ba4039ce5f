// Finds GPS data in XMP, which is XML text. Properties are overwritten with spaces, so the packet keeps its length and stays valid.

import type { ByteSource } from '../byte-source.ts';
import { blank, type Edit, SPACE } from './edits.ts';

/** No program writes this much before the GPS data. */
const MOST_PACKET_BYTES = 16 * 1024 * 1024;

/** The names that EXIF and drones use (`exif:GPSLatitude`, `drone-dji:GpsLatitude`), and those that the W3C defines (`geo:lat`). */
const NAME = '(?:[\\w.-]+:gps[\\w.-]*|geo:(?:lat|long|alt|lat_long))';
const ATTRIBUTE = new RegExp(`\\s${NAME}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'gi');
const START = new RegExp(`<(${NAME})(?=[\\s/>])`, 'gi');
const UTF_16 = /g\0p\0s\0|\0g\0p\0s/i;

export function findXmpLocation(source: ByteSource, start: number, end: number): readonly Edit[] {
  const packet = source.read(start, Math.min(end - start, MOST_PACKET_BYTES));
  // Each byte becomes one character, so offsets in the text are offsets in the packet.
  const text = packet.toString('latin1');
  const spans = UTF_16.test(text) ? [[0, text.length] as const] : [...findElements(text), ...findAttributes(text)];
  return spans.map(([from, to]) => ({ offset: start + from, bytes: blank(to - from, SPACE) }));
}

type Span = readonly [from: number, to: number];

/** Each search begins where the previous one ended, so the total time is proportional to the length. */
function* findElements(text: string): Generator<Span> {
  START.lastIndex = 0;
  for (let found = START.exec(text); found !== null; found = START.exec(text)) {
    const { index, 1: name = '' } = found;
    const tagEnd = findPast(text, '>', index);
    const isEmpty = text[tagEnd - 2] === '/';
    const end = isEmpty ? tagEnd : findPast(text, '>', findPast(text, `</${name}`, tagEnd) - 1);
    yield [index, end];
    START.lastIndex = end;
  }
}

/** An element without an end tag extends to the end of the packet. */
function findPast(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at + end.length;
}

function* findAttributes(text: string): Generator<Span> {
  for (const { index, 0: whole } of text.matchAll(ATTRIBUTE)) yield [index, index + whole.length];
}
