// The contents of a copy's target database: nothing, other tables, or an interrupted copy and its progress. The progress tables exist
// until the copy is finished; its last transaction drops them. A service does not open a database that has them.

import { sql } from 'kysely';
import type { CopySource } from '../copied-tables.ts';
import { DatabaseUnusable } from '../engine.ts';
import { SCHEMA_VERSION } from '../migrations.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { checkRelease } from './check-server.ts';

export type TargetState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'unfinished'; readonly copy: UnfinishedCopy }
  /** A description of the contents, such as `3 tables (a, b, c)`. */
  | { readonly kind: 'taken'; readonly holds: string };

interface RightsRow {
  readonly schema: string | null;
  readonly may_create: number;
  readonly is_replica: number;
}

const selectRights = defineStatement(
  () => sql`select current_schema() as schema,
    case when has_schema_privilege(current_schema(), 'create') then 1 else 0 end as may_create,
    case when pg_is_in_recovery() then 1 else 0 end as is_replica`,
);
// Tables that belong to extensions are part of the server setup, so they are ignored.
const selectRelations = defineStatement(
  () => sql`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select 1 from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`,
);
const selectOurs = defineStatement(
  () => sql`select (select count(*) from sites where deletion is null) as sites, (select count(*) from contents) as contents,
    (select count(*) from users) as users`,
);

const SHOWN_NAMES = 5;

/** Rejects a server that is not suitable for a copy. */
export function* selectTargetState(): Procedure<TargetState> {
  yield* checkRelease();
  const [rights] = yield* query<RightsRow>(selectRights);
  if (rights?.is_replica === 1) throw new DatabaseUnusable('The server is a replica, which cannot be written to.');
  if (rights?.may_create !== 1) {
    const place = rights?.schema == null ? 'any schema in the database' : `the schema ${rights.schema}`;
    throw new DatabaseUnusable(`The user is not allowed to create tables in ${place}.`);
  }
  const names = (yield* query<{ name: string }>(selectRelations)).map(({ name }) => name);
  if (names.length === 0) return { kind: 'empty' };
  if (names.includes('unfinished_copy')) return { kind: 'unfinished', copy: yield* selectProgress() };
  return { kind: 'taken', holds: yield* describeHolding(names) };
}

function* describeHolding(names: readonly string[]): Procedure<string> {
  if (['schema_versions', 'sites', 'contents', 'users'].every((name) => names.includes(name))) {
    const [ours] = yield* query<{ sites: number; contents: number; users: number }>(selectOurs);
    if (ours !== undefined) {
      const { sites, contents, users } = ours;
      return `a Galley installation with ${count(sites, 'site')}, ${count(contents, 'content object')} and ${count(users, 'user')}`;
    }
  }
  const shown = names.length > SHOWN_NAMES ? [...names.slice(0, SHOWN_NAMES), '…'] : names;
  return `${count(names.length, 'table')} (${shown.join(', ')})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The rows of a table that were already copied, starting with the first one in key order. */
export interface CopiedRows {
  readonly rows: number;
  readonly digest: string;
}

interface UnfinishedCopy {
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

function* selectProgress(): Procedure<UnfinishedCopy> {
  const [copy] = yield* query<CopyRow>(selectCopy);
  if (copy === undefined) throw new Error('The unfinished copy has no record of its source');
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

/** Returns false if another process has continued the copy in the meantime. */
export function* moveProgress(table: string, before: number, { rows, digest }: CopiedRows): Procedure<boolean> {
  return (yield* query(writeRows, { table, rows, digest, before })).length === 1;
}

const dropTables = defineStatement(() => sql`drop table unfinished_copy, unfinished_copy_tables`);

export function* dropProgress(): Procedure<void> {
  yield* query(dropTables);
}
