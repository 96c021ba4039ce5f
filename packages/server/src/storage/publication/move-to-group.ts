// Moves content between translation groups, and frees the slugs and groups of content that is about to be rewritten.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { announce } from './announce.ts';

const selectPublishedGroup = defineStatement(
  () => sql`select translation_group from published_contents where content_no = ${slot('no')}`,
);
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

interface GroupedContent {
  readonly no: number;
  readonly siteNo: number;
}

export function* moveToGroup({ no, siteNo }: GroupedContent, group: string, now: number): Procedure<void> {
  const [published] = yield* query<{ translation_group: string }>(selectPublishedGroup, { no });
  yield* updateGroups(no, group);
  const isPublic = published !== undefined && published.translation_group !== group;
  yield* announce(siteNo, [{ kind: isPublic ? 'published content' : 'draft' }], now);
}

/**
 * Nothing is announced, since nobody sees the name of a group.
 * @param contentNos all content that stays in the group
 */
export function* renameGroup(contentNos: readonly number[], name: string): Procedure<void> {
  for (const no of contentNos) yield* updateGroups(no, name);
}

function* updateGroups(no: number, group: string): Procedure<void> {
  for (const statement of [updateGroup, ...updateModelGroups]) yield* query(statement, { no, group });
}

/** Puts content into a group of its own, with a name that nothing else can have, until it is moved to its group. */
export function* parkGroup({ no, id }: { readonly no: number; readonly id: string }): Procedure<void> {
  yield* query(updateGroup, { no, group: `/${id}` });
}

/**
 * Frees the slug of content that the same transaction rewrites and announces. The placeholder is not a valid slug.
 */
export function* parkSlug(siteNo: number, id: string): Procedure<void> {
  for (const statement of updateSlugs) yield* query(statement, { site: siteNo, id, slug: `/${id}` });
}
