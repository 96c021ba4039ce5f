// Many rows in one statement, whose text is the same however many they are: each column comes as one array.

import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { DatabaseUnusable } from '../engine.ts';
import { type Cells, defineStatement, type Procedure, query, slot } from '../statement.ts';
import { translatePostgresError } from './postgres-errors.ts';

const selectTypes = defineStatement(
  () => sql`select attname as column_name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass(${slot('table')}) and attnum > 0 and not attisdropped`,
);

/** The insert of rows with these columns into a table. */
export function* buildInsert(table: string, columns: readonly string[]): Procedure<string> {
  const rows = yield* query<{ column_name: string; type: string }>(selectTypes, { table });
  const types = new Map(rows.map(({ column_name, type }) => [column_name, type]));
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column) ?? 'text'}[]`);
  return `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')})
    select * from unnest(${arrays.join(', ')})`;
}

/** @param text of `buildInsert` */
export async function insertRows(client: PoolClient, text: string, rows: readonly Cells[]): Promise<void> {
  const width = rows[0]?.length ?? 0;
  const values = Array.from({ length: width }, (_, column) => rows.map((cells) => cells[column]));
  try {
    await client.query({ text, values });
  } catch (error) {
    throw translateValueError(translatePostgresError(error));
  }
}

/** What SQLite holds in a column that is meant for something else, PostgreSQL does not take. */
function translateValueError(error: unknown): unknown {
  const isValueError =
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
  if (!isValueError) return error;
  return new DatabaseUnusable(`PostgreSQL does not take a value: ${error.message}.`, { cause: error });
}
