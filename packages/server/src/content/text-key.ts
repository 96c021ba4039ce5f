// The key that text sorts by: without regard to case and accents, compared byte by byte on every database engine.

/**
 * Keys are index entries and travel in cursors, so they are bounded: text is ordered by the first 400 bytes of its
 * normalised form, and equal beginnings by id.
 */
export const TEXT_KEY_BYTES = 400;

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const MARKS = /\p{M}/gu;

export function buildTextKey(text: string): string {
  // A key never needs more than this many characters, however long the text is; decomposing only makes it longer.
  const start = text.length > TEXT_KEY_BYTES * 4 ? text.slice(0, TEXT_KEY_BYTES * 4) : text;
  if (PLAIN_ASCII.test(start)) return start.slice(0, TEXT_KEY_BYTES).toLowerCase();
  return cutToBytes(start.normalize('NFKD').replace(MARKS, '').toLowerCase().toWellFormed());
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= TEXT_KEY_BYTES) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > TEXT_KEY_BYTES) break;
    end += character.length;
  }
  return text.slice(0, end);
}
