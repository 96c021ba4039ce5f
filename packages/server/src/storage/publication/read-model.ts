// The two read models, which this folder writes, and who sees which. A row of `…_contents` describes an object, and `…_bodies` has its
// body.

import { type RawBuilder, sql } from 'kysely';

/** The published read model alone, or the newest saved version of everything. */
export type Audience = 'public' | 'preview';

/** `preview` holds only content whose newest saved version is not the published one. */
export type ReadModel = 'published' | 'preview';

export function listModels(audience: Audience): readonly ReadModel[] {
  return audience === 'preview' ? ['published', 'preview'] : ['published'];
}

/** In a preview, a published row gives way to the newer version of the same content. */
export function isNotShadowed(alias: string): RawBuilder<unknown> {
  return sql`not exists (select 1 from preview_contents as s where s.content_no = ${sql.ref(`${alias}.content_no`)})`;
}

/**
 * The body of a row is looked up by the row's number once everything else is known of it, so what a list walks over is narrow. Needs
 * `isBodyOf` as a condition. SQLite keeps to the order of a cross join; a plain one it turns around as it sees fit.
 */
export function joinBodies(model: ReadModel): RawBuilder<unknown> {
  return sql`cross join ${sql.table(`${model}_bodies`)} as b`;
}

/** @param carrier the alias of what has the number of the object */
export function isBodyOf(carrier: string): RawBuilder<unknown> {
  return sql`b.content_no = ${sql.ref(`${carrier}.content_no`)}`;
}
