// All rows of a table in the order of its key, some at a time, and their checksum.

import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Snapshot } from '../engine.ts';
import {
  type Cells,
  defineStatement,
  NOTHING_COMMON,
  type Procedure,
  query,
  queryCells,
  type SqlValue,
  type Statement,
  slot,
} from '../statement.ts';
import type { CopiedTable } from './copied-tables.ts';

const FIRST_ROWS_AT_ONCE = 100;
const MOST_ROWS_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 2 ** 19;

export function* selectColumns({ name }: CopiedTable): Procedure<readonly string[]> {
  const statement = defineStatement(() => sql`select * from ${sql.table(name)} limit 0`);
  return (yield { statement, values: {}, common: NOTHING_COMMON }).columns;
}

export function* countRows(table: CopiedTable): Procedure<number> {
  const { name, key, mayRepeat } = table;
  const rows = mayRepeat ? sql`(select distinct ${listColumns(key)} from ${sql.table(name)}) as rows` : sql.table(name);
  const [row] = yield* query<{ count: number }>(defineStatement(() => sql`select count(*) as count from ${rows}`));
  return row?.count ?? 0;
}

/**
 * Each portion takes about the same memory, however large the rows are.
 * @param mostOf how many rows the next portion may have, given how many were read before
 */
export async function* readRows(
  snapshot: Snapshot,
  table: CopiedTable,
  columns: readonly string[],
  mostOf: (before: number) => number = () => MOST_ROWS_AT_ONCE,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const first = defineRead(table, columns, sql``);
  const further = defineRead(
    table,
    columns,
    sql`where (${listColumns(table.key)}) > (${sql.join(table.key.map((column) => slot(column)))})`,
  );
  const places = table.key.map((column) => columns.indexOf(column));
  let last: Cells | undefined;
  let before = 0;
  let atOnce = FIRST_ROWS_AT_ONCE;
  for (;;) {
    const limit = Math.min(atOnce, mostOf(before));
    const values: Record<string, SqlValue> = { limit };
    for (const [index, column] of table.key.entries()) values[column] = last?.[places[index] ?? -1] ?? null;
    const rows = await snapshot.run(queryCells(last === undefined ? first : further, values));
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
    before += rows.length;
    atOnce = Math.max(1, Math.min(MOST_ROWS_AT_ONCE, Math.floor((CHARACTERS_AT_ONCE * rows.length) / measure(rows))));
  }
}

function defineRead({ name, key, mayRepeat }: CopiedTable, columns: readonly string[], where: RawBuilder<unknown>) {
  const all = mayRepeat ? sql`distinct ${listColumns(columns)}` : listColumns(columns);
  return defineStatement(
    () => sql`select ${all} from ${sql.table(name)} ${where} order by ${listColumns(key)} limit ${slot('limit')}`,
  ) satisfies Statement;
}

function listColumns(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function measure(rows: readonly Cells[]): number {
  let characters = 1;
  for (const cells of rows) for (const cell of cells) characters += typeof cell === 'string' ? cell.length : 8;
  return characters;
}

/**
 * A checksum of a table's rows in their order. It is computed from the JSON of what Node reads, so that the same rows have the same
 * checksum on every engine, however the engine stores numbers and texts.
 */
export class TableDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(table: string, columns: readonly string[]) {
    this.#hash.update(`${JSON.stringify([table, columns])}\n`);
  }

  /** How many rows were added. */
  get rows(): number {
    return this.#rows;
  }

  /** The checksum of the rows so far; more may be added. */
  get text(): string {
    return this.#hash.copy().digest('hex');
  }

  add(rows: readonly Cells[]): void {
    for (const cells of rows) this.#hash.update(`${JSON.stringify(cells)}\n`);
    this.#rows += rows.length;
  }
}
