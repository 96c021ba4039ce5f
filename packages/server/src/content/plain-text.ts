// Text that every database engine and every JSON reader takes as it is, and how its length is counted.

export const PLAIN_TEXT_RULE = 'well-formed Unicode text without NUL characters';

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** True when the text has at most this many characters. A character is a Unicode code point, so an emoji is one. */
export function hasAtMostCharacters(text: string, most: number): boolean {
  return text.length <= most || countCharacters(text) <= most;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
