// Writing rows that may be there already: what is the same is left alone, and the writer is told so.

import { type Procedure, query, type SlotValues, type SqlRow, type Statement } from '../statement.ts';

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
