// Many rows in few statements. Each takes as many rows as a power of two, so that few are ever prepared.

import { sql } from 'kysely';
import { type Cells, defineStatement, NOTHING_COMMON, type Procedure, type Statement, slot } from './statement.ts';

const MOST_ROWS_AT_ONCE = 64;

/** The cells of a row stand in the order of the columns. */
export type InsertMany = (rows: readonly Cells[]) => Procedure<void>;

export function defineInsertMany(table: string, columns: readonly string[]): InsertMany {
  const statements = new Map<number, Statement>();
  const findStatement = (size: number): Statement => {
    const known = statements.get(size) ?? defineInsert(table, columns, size);
    statements.set(size, known);
    return known;
  };
  return function* insertMany(rows) {
    let start = 0;
    while (start < rows.length) {
      const size = Math.min(MOST_ROWS_AT_ONCE, 2 ** Math.floor(Math.log2(rows.length - start)));
      const cells = rows.slice(start, start + size).flat();
      yield { statement: findStatement(size), values: NOTHING_COMMON, common: NOTHING_COMMON, cells };
      start += size;
    }
  };
}

function defineInsert(table: string, columns: readonly string[], size: number): Statement {
  const row = sql`(${sql.join(columns.map((column) => slot(column)))})`;
  const rows = Array.from({ length: size }, () => row);
  return defineStatement(
    () =>
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(rows)}`,
  );
}
