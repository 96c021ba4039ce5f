// Statements that read many objects leave large bodies out. Those are read when it is known that all of them together may fit
// into an answer.

import { type RawBuilder, sql } from 'kysely';
import { MOST_ANSWER_BYTES } from '../../content/answer-limit.ts';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { type Procedure, type SqlValue, slot } from '../statement.ts';
import { isBodyOf, joinBodies } from './join-bodies.ts';
import { isNotShadowed } from './list-conditions.ts';
import type { Audience, ReadModel } from './list-plan.ts';

/** So many that the longest list of smaller bodies fits into an answer. */
const LARGE_BYTES = 256 * 1024;
/** Not all of what is stored is shown. */
export const MOST_BYTES_READ = 2 * MOST_ANSWER_BYTES;

/** Null where the body is large. Both engines know the length of a text without reading it. */
export const bodyUnlessLarge = sql`case when octet_length(b.body) <= ${sql.lit(LARGE_BYTES)} then b.body end as body`;

export const sumBodies = defineVisibleStatement(
  (model, isWanted) => sql`select coalesce(sum(octet_length(b.body)), 0) as bytes
    from ${sql.table(`${model}_contents`)} as p ${joinBodies(model)} where ${isWanted} and ${isBodyOf('p')}`,
);
const selectBodies = defineBodiesStatement(sql`b.body`);

export function defineBodiesStatement(body: RawBuilder<unknown>): Readonly<Record<Audience, BatchStatement>> {
  return defineVisibleStatement(
    (model, isWanted) => sql`select p.id, ${body}
      from ${sql.table(`${model}_contents`)} as p ${joinBodies(model)} where ${isWanted} and ${isBodyOf('p')}`,
  );
}

/** Of objects with certain ids that the audience may see. */
export function defineVisibleStatement(
  build: (model: ReadModel, isWanted: RawBuilder<unknown>) => RawBuilder<unknown>,
): Readonly<Record<Audience, BatchStatement>> {
  const select = (model: ReadModel, list: RawBuilder<unknown>): RawBuilder<unknown> =>
    build(model, sql`p.site_no = ${slot('site')} and p.id in (${list})`);
  return {
    public: defineBatchStatement((list) => select('published', list)),
    preview: defineBatchStatement(
      (list) => sql`${select('published', list)} and ${isNotShadowed('p')} union all ${select('preview', list)}`,
    ),
  };
}

/** The bodies by id; undefined where they are more than any answer may hold: then none is read. */
export function* selectLargeBodies(
  ids: readonly SqlValue[],
  siteNo: number,
  audience: Audience,
): Procedure<ReadonlyMap<string, string> | undefined> {
  const site = { site: siteNo };
  const sums = yield* queryBatch<{ readonly bytes: number }>(sumBodies[audience], ids, site);
  if (sums.reduce((sum, { bytes }) => sum + Number(bytes), 0) > MOST_BYTES_READ) return undefined;
  const rows = yield* queryBatch<{ readonly id: string; readonly body: string }>(selectBodies[audience], ids, site);
  return new Map(rows.map(({ id, body }) => [id, body]));
}
