// Statements for any number of values or rows. To keep the number of prepared statements small, lists of values are padded to a power of
// two, and rows are inserted in batches whose size is a power of two.

import { type RawBuilder, sql } from 'kysely';
import {
  type Cells,
  defineStatement,
  NOTHING_COMMON,
  type Procedure,
  query,
  type SlotValues,
  type SqlValue,
  type Statement,
  slot,
} from './statement.ts';

const LARGEST_BATCH = 256;
const ITEMS = Array.from({ length: LARGEST_BATCH }, (_, index) => `item${index}`);

export type BatchStatement = (size: number) => Statement;

/** @param build receives the list for `in (…)` */
export function defineBatchStatement(build: (list: RawBuilder<unknown>) => RawBuilder<unknown>): BatchStatement {
  const statements = new Map<number, Statement>();
  return (size) => {
    const known = statements.get(size);
    if (known !== undefined) return known;
    const slots = ITEMS.slice(0, size).map(slot);
    const statement = defineStatement(() => build(sql.join(slots)));
    statements.set(size, statement);
    return statement;
  };
}

export function* queryBatch<Row>(
  statement: BatchStatement,
  items: readonly SqlValue[],
  values: SlotValues = {},
): Procedure<readonly Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < items.length; start += LARGEST_BATCH) {
    const batch = items.slice(start, start + LARGEST_BATCH);
    const size = 2 ** Math.ceil(Math.log2(batch.length));
    const bound: Record<string, SqlValue> = { ...values };
    for (let index = 0; index < size; index++) bound[ITEMS[index] ?? ''] = batch[index] ?? batch[0] ?? null;
    rows.push(...(yield* query<Row>(statement(size), bound)));
  }
  return rows;
}

const MOST_ROWS_AT_ONCE = 64;

/** A row's cells are in the same order as the columns. */
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
