// Whether a server can hold our schema, and compare text as it needs.

import { sql } from 'kysely';
import { DatabaseUnusable } from '../engine.ts';
import { defineStatement, type Procedure, query } from '../statement.ts';

const OLDEST_VERSION = 15;

const selectServer = defineStatement(
  () => sql`select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
);

export function* checkServer(): Procedure<void> {
  const [row] = yield* query<{ version: string; encoding: string }>(selectServer);
  const version = Math.floor(Number(row?.version) / 10_000);
  if (version < OLDEST_VERSION) {
    throw new DatabaseUnusable(`The server is PostgreSQL ${version}; Galley needs ${OLDEST_VERSION} or newer.`);
  }
  if (row?.encoding !== 'UTF8') {
    throw new DatabaseUnusable(`The database is encoded in ${row?.encoding}; Galley needs one in UTF8.`);
  }
}
