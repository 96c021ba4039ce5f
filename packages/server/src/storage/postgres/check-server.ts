// Checks whether a server is suitable for our schema.

import { sql } from 'kysely';
import { DatabaseUnusable } from '../engine.ts';
import { defineStatement, type Procedure, query } from '../statement.ts';

const OLDEST_VERSION = 15;

export interface ServerRow {
  /** Such as `18.4`. */
  readonly version: string;
  readonly encoding: string;
  /** 1 if the database has Galley tables. */
  readonly has_schema: number;
  /** 1 if `galley migrate-to` has started to fill the database but has not finished. */
  readonly has_unfinished_copy: number;
}

const selectRow = defineStatement(
  () => sql`select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    case when to_regclass('schema_versions') is null then 0 else 1 end as has_schema,
    case when to_regclass('unfinished_copy') is null then 0 else 1 end as has_unfinished_copy`,
);

export function* selectServer(): Procedure<ServerRow> {
  const [row] = yield* query<ServerRow>(selectRow);
  if (row === undefined) throw new Error('The server did not return its version');
  return row;
}

/** Checks whether a service can use the database. */
export function* checkServer(): Procedure<void> {
  if ((yield* checkRelease()).has_unfinished_copy === 1) {
    throw new DatabaseUnusable(
      'The database contains an unfinished copy. Run galley migrate-to again to finish it, or use a different database.',
    );
  }
}

/** Checks whether the server and its encoding are supported. */
export function* checkRelease(): Procedure<ServerRow> {
  const server = yield* selectServer();
  const { version, encoding } = server;
  if (Number.parseInt(version, 10) < OLDEST_VERSION) {
    throw new DatabaseUnusable(`The server is PostgreSQL ${version}; Galley needs ${OLDEST_VERSION} or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseUnusable(`The database uses the ${encoding} encoding; Galley needs UTF8.`);
  }
  return server;
}
