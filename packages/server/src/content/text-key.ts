// The sort key for text. It ignores case and accents, and every database engine compares it byte by byte.

/**
 * Keys are stored in indexes and cursors, so their length is limited: text is sorted by the first 400 bytes of its normalised form, and
 * by id if these are equal.
 */
export const TEXT_KEY_BYTES = 400;

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const MARKS = /\p{M}/gu;

export function buildTextKey(text: string): string {
  // A key never needs more characters than this, because decomposition never makes text shorter.
  const start = text.length > TEXT_KEY_BYTES * 4 ? text.slice(0, TEXT_KEY_BYTES * 4) : text;
  if (PLAIN_ASCII.test(start)) return start.slice(0, TEXT_KEY_BYTES).toLowerCase();
  return cutToBytes(foldText(start));
}

/** Text for searching: like a key, but of any length. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().toWellFormed();
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
