// Look-ups that tell whether what content refers to is there.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectAuthor = defineStatement(
  () => sql`select no from authors where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectAssetIds = defineBatchStatement(
  (list) => sql`select id from assets where site_no = ${slot('site')} and id in (${list})`,
);
const selectContentIds = defineBatchStatement((list) => sql`select id from contents where id in (${list})`);
const selectAnyContent = defineStatement(() => sql`select no from contents where type_no = ${slot('type')} limit 1`);

export function* selectAuthorNo(siteNo: number, id: string): Procedure<number | undefined> {
  return (yield* query<{ no: number }>(selectAuthor, { site: siteNo, id }))[0]?.no;
}

export function* findMissingAssets(siteNo: number, ids: readonly string[]): Procedure<readonly string[]> {
  const found = yield* queryBatch<{ id: string }>(selectAssetIds, ids, { site: siteNo });
  return without(ids, found);
}

/** Content of any site counts: a link to another site is kept, and never shown. */
export function* findMissingContents(ids: readonly string[]): Procedure<readonly string[]> {
  return without(ids, yield* queryBatch<{ id: string }>(selectContentIds, ids));
}

export function* hasContentOfType(typeNo: number): Procedure<boolean> {
  return (yield* query(selectAnyContent, { type: typeNo })).length > 0;
}

function without(ids: readonly string[], found: readonly { readonly id: string }[]): readonly string[] {
  const known = new Set(found.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}
