// What stands in a database that is to be filled: nothing, a copy that was broken off, or something of somebody's.

import { sql } from 'kysely';
import { DatabaseUnusable } from '../engine.ts';
import { defineStatement, type Procedure, query } from '../statement.ts';
import { checkRelease } from './check-server.ts';
import { selectProgress, type UnfinishedCopy } from './copy-progress.ts';

export type TargetState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'unfinished'; readonly copy: UnfinishedCopy }
  /** What is there, such as `3 tables (a, b, c)`. */
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
// What belongs to an extension came with the server, and is in nobody's way.
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

/** Refuses a server that can hold no copy, whatever is in it. */
export function* selectTargetState(): Procedure<TargetState> {
  yield* checkRelease();
  const [rights] = yield* query<RightsRow>(selectRights);
  if (rights?.is_replica === 1) throw new DatabaseUnusable('The server is a replica, which takes no writes.');
  if (rights?.may_create !== 1) {
    const place = rights?.schema == null ? 'any schema of the database' : `the schema ${rights.schema}`;
    throw new DatabaseUnusable(`The user may not create tables in ${place}.`);
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
      return `an installation of Galley with ${count(sites, 'site')}, ${count(contents, 'content object')} and ${count(users, 'user')}`;
    }
  }
  const shown = names.length > SHOWN_NAMES ? [...names.slice(0, SHOWN_NAMES), '…'] : names;
  return `${count(names.length, 'table')} (${shown.join(', ')})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
