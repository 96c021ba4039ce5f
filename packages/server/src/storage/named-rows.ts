// Rows that have a number and a name, such as authors and assets. A row can be inserted or updated, and rows can be read in name order, one
// page at a time.

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
  if (row === undefined) throw new Error('The insert returned no number');
  return { no: row.no, hasChanged: true };
}

export function isSame(row: SqlRow, values: SlotValues): boolean {
  return Object.entries(values).every(([name, value]) => row[name] === value);
}

/** A page starts after the row with this key and number. */
export interface NamePosition {
  readonly key: string;
  readonly no: number;
}

export const FIRST_POSITION: NamePosition = { key: '', no: 0 };

/** A pattern for `like … escape '\'` that matches text containing the key. */
export function buildContainsPattern(key: string): string {
  return `%${escapePattern(key)}%`;
}

/** A pattern that matches text starting with the given prefix. */
export function buildStartsPattern(text: string): string {
  return `${escapePattern(text)}%`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
