// What content refers to, as far as its own site has it: a link or an asset of another site is as good as none.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { type Procedure, slot } from '../statement.ts';

export interface AuthorName {
  readonly no: number;
  readonly id: string;
  readonly name: string;
}

const selectContents = defineBatchStatement(
  (list) => sql`select c.id, t.handle from contents as c join content_types as t on t.no = c.type_no
    where c.site_no = ${slot('site')} and c.id in (${list})`,
);
const selectAssets = defineBatchStatement(
  (list) => sql`select id, mime_type from assets where site_no = ${slot('site')} and id in (${list})`,
);
const selectAuthors = defineBatchStatement((list) => sql`select no, id, name from authors where no in (${list})`);

/** The handle of each content's type, by its id. */
export function* selectTypesOfContents(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; handle: string }>(selectContents, ids, { site: siteNo });
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}

/** The media type of each asset, by its id. */
export function* selectMediaTypes(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; mime_type: string }>(selectAssets, ids, { site: siteNo });
  return new Map(rows.map(({ id, mime_type }) => [id, mime_type]));
}

export function* selectAuthorNames(numbers: readonly number[]): Procedure<ReadonlyMap<number, AuthorName>> {
  const rows = yield* queryBatch<AuthorName>(selectAuthors, [...new Set(numbers)]);
  return new Map(rows.map((row) => [row.no, row]));
}
