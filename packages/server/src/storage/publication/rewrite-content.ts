// Changes saved content and the read models in place, without creating a new version: the translation group, the slug during an import,
// the author, and deleted values.

import { sql } from 'kysely';
import { decodeBody, replaceAuthor } from '../../content/body.ts';
import type { Catalog } from '../../content/catalog.ts';
import type { FieldValues } from '../../content/field-value.ts';
import type { Seo } from '../../content/seo.ts';
import { typesetContent } from '../../content/typeset.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';
import { announce, type Change } from './announce.ts';
import { isBodyOf, joinBodies, type ReadModel } from './read-model.ts';
import { replaceBody } from './show-content.ts';

const selectPublishedGroup = defineStatement(
  () => sql`select o.id, o.type_no, o.language from published_contents as p
    join published_contents as o on o.site_no = p.site_no and o.translation_group = p.translation_group
    where p.content_no = ${slot('no')} order by o.content_no`,
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
  readonly id: string;
}

/** The content that readers see in the group of a content object, including the object itself. Empty if it is not published. */
export function* selectPublishedGroupOf({ no }: GroupedContent): Procedure<readonly PublishedRow[]> {
  return yield* query<PublishedRow>(selectPublishedGroup, { no });
}

/** Once all moves in a transaction have been made, they must be announced with `announceMove`. */
export function* moveToGroup({ no }: GroupedContent, group: string): Procedure<void> {
  yield* updateGroups(no, group);
}

/**
 * Readers see a difference only if the published members of the content's group change. They stay the same, for example, if a whole group
 * moves to a group that has none.
 * @param before the published members of the content's group before the first move
 */
export function* announceMove(content: GroupedContent, before: readonly PublishedRow[], now: number): Procedure<void> {
  const after = yield* selectPublishedGroupOf(content);
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id);
  const own = isSame ? [] : after.filter(({ id }) => id === content.id);
  yield* announce(content.siteNo, [{ kind: 'draft' }, ...own.map((row) => describeUpdates([row]))], now);
}

/** A published content object, in the form that the log needs. */
export interface PublishedRow {
  readonly id: string;
  readonly type_no: number;
  readonly language: string;
}

function describeUpdates(rows: readonly PublishedRow[]): Change {
  const entries = rows.map(({ id, type_no: typeNo, language }) => ({ kind: 'updated', id, typeNo, language }) as const);
  return { kind: 'published content', entries };
}

/**
 * Nothing is announced, because the name of a group is not visible.
 * @param contentNos all content that remains in the group
 */
export function* renameGroup(contentNos: readonly number[], name: string): Procedure<void> {
  for (const no of contentNos) yield* updateGroups(no, name);
}

function* updateGroups(no: number, group: string): Procedure<void> {
  for (const statement of [updateGroup, ...updateModelGroups]) yield* query(statement, { no, group });
}

/** Moves content to a temporary group with a unique name, until it is moved to its final group. */
export function* parkGroup({ no, id }: { readonly no: number; readonly id: string }): Procedure<void> {
  yield* query(updateGroup, { no, group: `/${id}` });
}

/** Replaces a content object's slug with a placeholder. The content must be rewritten and announced in the same transaction. */
export function* parkSlug(siteNo: number, id: string): Procedure<void> {
  for (const statement of updateSlugs) yield* query(statement, { site: siteNo, id, slug: `/${id}` });
}

const REPLACED_AT_ONCE = 100;

const selectContentsOfAuthor = defineStatement(
  () => sql`select distinct content_no from content_versions
    where author_no = ${slot('author')} and content_no > ${slot('after')}
    order by content_no limit ${slot('limit')} + 0`,
);
const updateAuthors = ['content_versions', 'published_contents', 'preview_contents'].map((table) =>
  defineBatchStatement(
    (list) => sql`update ${sql.table(table)} set author_no = ${slot('next')}
      where content_no in (${list}) and author_no = ${slot('author')}`,
  ),
);
const updateRecords = defineBatchStatement(
  (list) =>
    sql`update contents set author_no = ${slot('next')} where no in (${list}) and author_no = ${slot('author')}`,
);
// The content no longer matches the imported source.
const forgetSources = defineBatchStatement(
  (list) => sql`update contents set source_digest = null where no in (${list}) and source_digest is not null`,
);
const selectPublished = defineBatchStatement(
  (list) => sql`select id, type_no, language from published_contents where content_no in (${list}) order by content_no`,
);
const shownBodies = (['published', 'preview'] as const).map((model) => ({
  model,
  select: defineBatchStatement(
    (list) => sql`select content_no, body from ${sql.table(`${model}_bodies`)} where content_no in (${list})`,
  ),
  update: defineStatement(
    () => sql`update ${sql.table(`${model}_bodies`)} set body = ${slot('body')} where content_no = ${slot('content')}`,
  ),
}));

export interface AuthorReplacement {
  readonly siteNo: number;
  readonly authorNo: number;
  /** The replacement author; null for none. */
  readonly nextNo: number | null;
}

/**
 * Removes an author from all saved versions of a batch of content, or replaces the author with another one.
 * @param after 0 for the first batch
 * @returns the start of the next batch; null if there is no more content
 */
export function* replaceAuthorInContent(
  { siteNo, authorNo, nextNo }: AuthorReplacement,
  after: number,
  now: number,
): Procedure<number | null> {
  const limit = REPLACED_AT_ONCE;
  const rows = yield* query<{ content_no: number }>(selectContentsOfAuthor, { author: authorNo, after, limit });
  const numbers = rows.map((row) => row.content_no);
  const values = { author: authorNo, next: nextNo };
  for (const statement of [...updateAuthors, updateRecords]) yield* queryBatch(statement, numbers, values);
  yield* queryBatch(forgetSources, numbers);
  for (const { model, select, update } of shownBodies) {
    const found = yield* queryBatch<BodyRow>(select, numbers);
    const carrying = found.filter(({ body }) => decodeBody(body).authorNo === authorNo);
    for (const { content_no: content, body } of carrying) {
      yield* query(update, { content, body: replaceAuthor(body, nextNo) });
    }
    if (carrying.length === 0) continue;
    const changed = carrying.map((row) => row.content_no);
    const isPublic = model === 'published';
    const published = isPublic ? yield* queryBatch<PublishedRow>(selectPublished, changed) : [];
    yield* announce(siteNo, [isPublic ? describeUpdates(published) : { kind: 'draft' }], now);
  }
  return numbers.length < limit ? null : (numbers.at(-1) ?? null);
}

interface BodyRow {
  readonly content_no: number;
  readonly body: string;
}

interface ShownRow {
  readonly site_no: number;
  readonly type_no: number;
  readonly author_no: number | null;
  readonly id: string;
  readonly language: string;
  readonly slug: string;
  readonly name: string;
  readonly uri: string;
  readonly published_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly seo: string;
  readonly fields: string;
  /** The current body in the read model. */
  readonly body: string;
}

const selectShown = { published: defineShown('published'), preview: defineShown('preview') } as const;

function defineShown(model: ReadModel) {
  return defineStatement(
    () => sql`select m.site_no, m.type_no, m.author_no, m.id, m.language, m.slug, m.name, m.uri, m.published_at,
        m.created_at, m.updated_at, v.seo, v.fields, b.body
      from ${sql.table(`${model}_contents`)} as m
      join content_versions as v on v.content_no = m.content_no and v.number = ${slot('number')}
      ${joinBodies(model)} where m.content_no = ${slot('content')} and ${isBodyOf('m')}`,
  );
}

/**
 * Typesets a saved version again after values were removed from it. Everything else stays as it is in the read model, including the URL,
 * even if the type's pattern has changed since.
 * @param model the read model that may contain this version
 */
export function* typesetAgain(
  model: ReadModel,
  { contentNo, number }: { readonly contentNo: number; readonly number: number },
  catalog: Catalog,
  now: number,
): Procedure<void> {
  const [row] = yield* query<ShownRow>(selectShown[model], { content: contentNo, number });
  if (row === undefined) return;
  const type = catalog.typesByNo.get(row.type_no);
  if (type === undefined) throw new Error(`Content ${row.id} has a type that does not exist in its site`);
  const { id, language, slug: slugText, name, uri } = row;
  const state = {
    id,
    slug: slugText,
    name,
    uri,
    language,
    authorNo: row.author_no,
    seo: parseStored<Seo>(row.seo),
    fields: parseStored<FieldValues>(row.fields),
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  const typeset = typesetContent(state, type, catalog.typesByHandle);
  if (typeset.body === row.body) return;
  yield* replaceBody(model, { contentNo, siteNo: row.site_no }, typeset);
  yield* announce(row.site_no, [model === 'published' ? describeUpdates([row]) : { kind: 'draft' }], now);
}

const PURGED_AT_ONCE = 2000;

const purges = ['published', 'preview']
  .flatMap((model) => ['texts', 'numbers', 'tokens'].map((kind) => `${model}_${kind}`))
  .map((table) =>
    defineStatement(
      () => sql`delete from ${sql.table(table)} where field_no = ${slot('field')} and content_no in
        (select content_no from ${sql.table(table)} where field_no = ${slot('field')} limit ${slot('limit')} + 0)
        returning content_no`,
    ),
  );

/**
 * Deletes some of a field's keys. Returns false if none are left. This affects only lists that use the field. The same transaction deletes
 * the field and announces the deletion.
 */
export function* purgeFieldKeys(fieldNo: number): Procedure<boolean> {
  for (const purge of purges) {
    if ((yield* query(purge, { field: fieldNo, limit: PURGED_AT_ONCE })).length > 0) return true;
  }
  return false;
}
