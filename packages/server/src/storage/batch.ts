// Queries over a set of values of any size: few statements are prepared, since sets are filled up to a power of two.

import { type RawBuilder, sql } from 'kysely';
import {
  defineStatement,
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

/** @param build gets the list that stands behind `in` */
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
