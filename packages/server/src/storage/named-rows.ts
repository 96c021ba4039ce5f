// Rows that have a number and a name, such as authors and assets: writing one that may exist already, and reading them by name, a page
// at a time.

import { type Procedure, query, type SlotValues, type SqlRow, type Statement } from './statement.ts';

export interface Written {
  readonly no: number;
  readonly hasChanged: boolean;
}

export interface NumberedRow extends SqlRow {
  readonly no: number;
}

export function* insertNumbered(statement: Statement, values: SlotValues): Procedure<Written> {
  const [row] = yield* query<NumberedRow>(statement, values);
  if (row === undefined) throw new Error('An insert returned no number');
  return { no: row.no, hasChanged: true };
}

export function isSame(row: SqlRow, values: SlotValues): boolean {
  return Object.entries(values).every(([name, value]) => row[name] === value);
}

/** Where a page begins: after the row with this key and this number. */
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
