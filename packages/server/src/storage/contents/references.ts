// Looks up the records that content refers to: its author, assets, linked content and type.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectAuthorById = defineStatement(
  () => sql`select no from authors where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectAssetIds = defineBatchStatement(
  (list) => sql`select id from assets where site_no = ${slot('site')} and id in (${list})`,
);
const selectContentIds = defineBatchStatement((list) => sql`select id from contents where id in (${list})`);
const selectContentIdsInSite = defineBatchStatement(
  (list) => sql`select id from contents where site_no = ${slot('site')} and id in (${list})`,
);
const selectAnyContent = defineStatement(() => sql`select no from contents where type_no = ${slot('type')} limit 1`);

export function* selectAuthorNo(siteNo: number, id: string): Procedure<number | undefined> {
  return (yield* query<{ no: number }>(selectAuthorById, { site: siteNo, id }))[0]?.no;
}

export function* findMissingAssets(siteNo: number, ids: readonly string[]): Procedure<readonly string[]> {
  const found = yield* queryBatch<{ id: string }>(selectAssetIds, ids, { site: siteNo });
  return without(ids, found);
}

/** Content in any site counts as existing: a link to another site is saved but never shown. */
export function* findMissingContents(ids: readonly string[]): Procedure<readonly string[]> {
  return without(ids, yield* queryBatch<{ id: string }>(selectContentIds, ids));
}

/** Content in other sites counts as missing. */
export function* findMissingInSite(siteNo: number, ids: readonly string[]): Procedure<readonly string[]> {
  return without(ids, yield* queryBatch<{ id: string }>(selectContentIdsInSite, ids, { site: siteNo }));
}

export function* hasContentOfType(typeNo: number): Procedure<boolean> {
  return (yield* query(selectAnyContent, { type: typeNo })).length > 0;
}

function without(ids: readonly string[], found: readonly { readonly id: string }[]): readonly string[] {
  const known = new Set(found.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

export interface AuthorName {
  readonly no: number;
  readonly id: string;
  readonly name: string;
}

const selectTypeHandles = defineBatchStatement(
  (list) => sql`select c.id, t.handle from contents as c join content_types as t on t.no = c.type_no
    where c.site_no = ${slot('site')} and c.id in (${list})`,
);
const selectMediaTypeRows = defineBatchStatement(
  (list) => sql`select id, mime_type from assets where site_no = ${slot('site')} and id in (${list})`,
);
const selectAuthorRows = defineBatchStatement((list) => sql`select no, id, name from authors where no in (${list})`);

// The following functions search only the content's own site. Content and assets in other sites are ignored.

/** Content type handles, keyed by content id. */
export function* selectTypesOfContents(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; handle: string }>(selectTypeHandles, ids, { site: siteNo });
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}

/** Media types, keyed by asset id. */
export function* selectMediaTypes(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; mime_type: string }>(selectMediaTypeRows, ids, { site: siteNo });
  return new Map(rows.map(({ id, mime_type }) => [id, mime_type]));
}

const selectUndescribedRows = defineBatchStatement(
  (list) => sql`select id, name from assets where site_no = ${slot('site')} and id in (${list})
    and mime_type like 'image/%' and (description is null or description = '')`,
);

/** The names of the images without a description, keyed by asset id. */
export function* selectUndescribedImages(
  siteNo: number,
  ids: readonly string[],
): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; name: string }>(selectUndescribedRows, ids, { site: siteNo });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function* selectAuthorNames(numbers: readonly number[]): Procedure<ReadonlyMap<number, AuthorName>> {
  const rows = yield* queryBatch<AuthorName>(selectAuthorRows, [...new Set(numbers)]);
  return new Map(rows.map((row) => [row.no, row]));
}
