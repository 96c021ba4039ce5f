// The body of a row is looked up by the row's number, after all else is known of it: what a list walks over is narrow.

import { type RawBuilder, sql } from 'kysely';
import type { ReadModel } from './list-plan.ts';

/** To be met by `isBodyOf`. SQLite keeps to the order of a cross join; a plain one it turns around as it sees fit. */
export function joinBodies(model: ReadModel): RawBuilder<unknown> {
  return sql`cross join ${sql.table(`${model}_bodies`)} as b`;
}

/** @param carrier the alias of what has the number of the object */
export function isBodyOf(carrier: string): RawBuilder<unknown> {
  return sql`b.content_no = ${sql.ref(`${carrier}.content_no`)}`;
}
