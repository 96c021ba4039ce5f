import { AuthoringRefusal, refuseFaults } from '../authoring/authoring-refusal.ts';
import { parseStrictJson } from '../content/strict-json.ts';

/** An object with as many values as it may have needs two thirds of them. Others wait while they are parsed and looked at. */
const MOST_PARTS = 60_000;

/** @returns undefined where there is none */
export function parseBody(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  // Its search is the processor's own.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (hasMoreParts(bytes, MOST_PARTS)) {
    throw refuseFaults([{ path: '', message: `must have at most ${MOST_PARTS} members and items in all` }]);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AuthoringRefusal('The body is not valid UTF-8.', { reason: 'malformed' });
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new AuthoringRefusal(`The body ${parsed.problem}.`, { reason: 'malformed' });
  return parsed.value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** Counted before anything is parsed; bytes that are no JSON may be counted wrongly. */
function hasMoreParts(bytes: Buffer, most: number): boolean {
  let parts = 0;
  for (let at = 0; at < bytes.length && parts <= most; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at);
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) parts += 1;
  }
  return parts > most;
}

/** @returns the place of the closing quote. */
function findStringEnd(bytes: Buffer, start: number): number {
  const quote = bytes.indexOf(QUOTE, start + 1);
  if (quote === -1) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
