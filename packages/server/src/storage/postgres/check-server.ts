// Whether a server can hold our schema, and compare text as it needs.

import { sql } from 'kysely';
import { DatabaseUnusable } from '../engine.ts';
import { defineStatement, type Procedure, query } from '../statement.ts';

const OLDEST_VERSION = 15;

export interface ServerRow {
  /** Such as `18.4`. */
  readonly version: string;
  readonly encoding: string;
  /** 1 where something of ours is there. */
  readonly has_schema: number;
}

const selectRow = defineStatement(
  () => sql`select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    case when to_regclass('schema_versions') is null then 0 else 1 end as has_schema`,
);

export function* selectServer(): Procedure<ServerRow> {
  const [row] = yield* query<ServerRow>(selectRow);
  if (row === undefined) throw new Error('The server says nothing of itself');
  return row;
}

export function* checkServer(): Procedure<void> {
  const { version, encoding } = yield* selectServer();
  if (Number.parseInt(version, 10) < OLDEST_VERSION) {
    throw new DatabaseUnusable(`The server is PostgreSQL ${version}; Galley needs ${OLDEST_VERSION} or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseUnusable(`The database is encoded in ${encoding}; Galley needs one in UTF8.`);
  }
}
