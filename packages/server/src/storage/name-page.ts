// Lists of things by their names, a page at a time.

/** Where a page begins: behind the row with this key and this number. */
export interface NamePosition {
  readonly key: string;
  readonly no: number;
}

export const FIRST_POSITION: NamePosition = { key: '', no: 0 };

/** A pattern for `like … escape '\'` that finds a key anywhere in another one. */
export function buildContainsPattern(key: string): string {
  return `%${escapePattern(key)}%`;
}

/** A pattern that finds a text at the beginning of another one. */
export function buildStartsPattern(text: string): string {
  return `${escapePattern(text)}%`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
