// The two read models. Only the code in this folder writes to them. A row of `…_contents` describes an object, and `…_bodies` contains its
// body.

import { type RawBuilder, sql } from 'kysely';

/** `preview` contains only content whose newest saved version is not the published one. */
export type ReadModel = 'published' | 'preview';

/** In a preview, a newer version of the same content hides the published row. */
export function isNotShadowed(alias: string): RawBuilder<unknown> {
  return sql`not exists (select 1 from preview_contents as s where s.content_no = ${sql.ref(`${alias}.content_no`)})`;
}

/**
 * Looks up a row's body by its number, after everything else, so a list scans only narrow rows. Requires `isBodyOf` as a condition.
 * SQLite keeps the order of a cross join, but may reorder a plain join.
 */
export function joinBodies(model: ReadModel): RawBuilder<unknown> {
  return sql`cross join ${sql.table(`${model}_bodies`)} as b`;
}

/** @param carrier the alias of the table that has the object's number */
export function isBodyOf(carrier: string): RawBuilder<unknown> {
  return sql`b.content_no = ${sql.ref(`${carrier}.content_no`)}`;
}
