// Reads where the change logs of several sites end, with one query.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { Procedure } from '../statement.ts';

/** The ends of a site's log. Positions before `start` are no longer in it. */
export interface LogEnds {
  readonly start: number;
  readonly last: number;
}

const selectEnds = defineBatchStatement(
  (list) => sql`select s.id, s.changes_start as start,
      coalesce((select max(position) from changes where site_no = s.no), s.changes_start) as last
    from sites as s where s.id in (${list}) and s.deletion is null`,
);

interface EndsRow extends LogEnds {
  readonly id: string;
}

/** By site id. A site that does not exist, or is being deleted, is missing. */
export function* selectLogEnds(siteIds: readonly string[]): Procedure<ReadonlyMap<string, LogEnds>> {
  const rows = yield* queryBatch<EndsRow>(selectEnds, siteIds);
  return new Map(rows.map(({ id, start, last }) => [id, { start, last }]));
}
