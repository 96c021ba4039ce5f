// Look-ups that tell whether what content refers to is there, and the moves that an import needs to set it right.

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
const updateGroup = defineStatement(
  () => sql`update contents set translation_group = ${slot('group')} where no = ${slot('no')}`,
);
const updateModelGroups = (['published', 'preview'] as const).map((model) =>
  defineStatement(
    () => sql`update ${sql.table(`${model}_contents`)} set translation_group = ${slot('group')}
      where content_no = ${slot('no')}`,
  ),
);
const updateSlugs = (['contents', 'published_contents', 'preview_contents'] as const).map((table) =>
  defineStatement(
    () => sql`update ${sql.table(table)} set slug = ${slot('slug')}
      where site_no = ${slot('site')} and id = ${slot('id')}`,
  ),
);
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

export function* moveToGroup(contentNo: number, group: string): Procedure<void> {
  for (const statement of [updateGroup, ...updateModelGroups]) yield* query(statement, { no: contentNo, group });
}

/** Puts content into a group of its own, whose name nothing else can have, until it is moved to its place. */
export function* parkGroup({ no, id }: { readonly no: number; readonly id: string }): Procedure<void> {
  yield* query(updateGroup, { no, group: `/${id}` });
}

/** Takes the slug from content that the same transaction writes anew; what stands in its place is no valid slug. */
export function* parkSlug(siteNo: number, id: string): Procedure<void> {
  for (const statement of updateSlugs) yield* query(statement, { site: siteNo, id, slug: `/${id}` });
}

function without(ids: readonly string[], found: readonly { readonly id: string }[]): readonly string[] {
  const known = new Set(found.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}
