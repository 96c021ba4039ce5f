// How far a copy into the database has come. The tables are there as long as it is unfinished, and go with its last
// transaction: what holds them is no database for a service.

import { sql } from 'kysely';
import type { CopySource } from '../copy/copied-tables.ts';
import { SCHEMA_VERSION } from '../migrations.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** The first rows of a table, in the order of its key, that are there already. */
export interface CopiedRows {
  readonly rows: number;
  readonly digest: string;
}

export interface UnfinishedCopy {
  readonly source: CopySource;
  readonly schemaVersion: number;
  readonly tables: ReadonlyMap<string, CopiedRows>;
}

const createCopy = defineStatement(
  () => sql`create table unfinished_copy (
    source_path text not null, source_created_at bigint not null, schema_version bigint not null
  )`,
);
const createTables = defineStatement(
  () => sql`create table unfinished_copy_tables (
    table_name text primary key, row_count bigint not null, digest text not null
  )`,
);
const insertCopy = defineStatement(
  () => sql`insert into unfinished_copy (source_path, source_created_at, schema_version)
    values (${slot('path')}, ${slot('createdAt')}, ${slot('version')})`,
);

export function* createProgress({ path, createdAt }: CopySource): Procedure<void> {
  yield* query(createCopy);
  yield* query(createTables);
  yield* query(insertCopy, { path, createdAt, version: SCHEMA_VERSION });
}

const selectCopy = defineStatement(
  () => sql`select source_path, source_created_at, schema_version from unfinished_copy`,
);
const selectTables = defineStatement(() => sql`select table_name, row_count, digest from unfinished_copy_tables`);

interface CopyRow {
  readonly source_path: string;
  readonly source_created_at: number;
  readonly schema_version: number;
}

interface TableRow {
  readonly table_name: string;
  readonly row_count: number;
  readonly digest: string;
}

export function* selectProgress(): Procedure<UnfinishedCopy> {
  const [copy] = yield* query<CopyRow>(selectCopy);
  if (copy === undefined) throw new Error('An unfinished copy does not say of what');
  const tables = yield* query<TableRow>(selectTables);
  return {
    source: { path: copy.source_path, createdAt: copy.source_created_at },
    schemaVersion: copy.schema_version,
    tables: new Map(tables.map(({ table_name, row_count, digest }) => [table_name, { rows: row_count, digest }])),
  };
}

const writeRows = defineStatement(
  () => sql`insert into unfinished_copy_tables as known (table_name, row_count, digest)
    values (${slot('table')}, ${slot('rows')}, ${slot('digest')})
    on conflict (table_name) do update set row_count = excluded.row_count, digest = excluded.digest
      where known.row_count = ${slot('before')}
    returning row_count`,
);

/** False where another process has gone on with the copy meanwhile. */
export function* moveProgress(table: string, before: number, { rows, digest }: CopiedRows): Procedure<boolean> {
  return (yield* query(writeRows, { table, rows, digest, before })).length === 1;
}

const dropTables = defineStatement(() => sql`drop table unfinished_copy, unfinished_copy_tables`);

export function* dropProgress(): Procedure<void> {
  yield* query(dropTables);
}
