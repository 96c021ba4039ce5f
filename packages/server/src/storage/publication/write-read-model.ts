// The statements that put content into a read model or take it out. Delivery reads nothing else, so this is where a draft
// would leak. Whoever calls them announces the change.

import { sql } from 'kysely';
import type { Typeset } from '../../content/typeset.ts';
import { type BatchStatement, defineBatchStatement, defineInsertMany, type InsertMany, queryBatch } from '../batch.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { type Cells, defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface ReadModelRow {
  readonly contentNo: number;
  readonly siteNo: number;
  readonly typeNo: number;
  readonly authorNo: number | null;
  readonly translationGroup: string;
  readonly id: string;
  readonly language: string;
  readonly slug: string;
  readonly name: string;
  readonly uri: string;
  readonly publishedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly typeset: Typeset;
}

/** In the order of `buildContentCells`. */
export const CONTENT_COLUMNS = [
  'content_no',
  'site_no',
  'language',
  'type_no',
  'author_no',
  'translation_group',
  'id',
  'slug',
  'name',
  'uri',
  'name_key',
  'slug_key',
  'uri_key',
  'published_at',
  'created_at',
  'updated_at',
] as const;

interface ModelStatements {
  readonly contents: InsertMany;
  readonly bodies: InsertMany;
  readonly texts: InsertMany;
  readonly numbers: InsertMany;
  readonly tokens: InsertMany;
  readonly links: InsertMany;
  readonly updateBody: Statement;
  readonly deleteLinks: BatchStatement;
  readonly deletes: readonly BatchStatement[];
}

const STATEMENTS: Readonly<Record<ReadModel, ModelStatements>> = {
  published: defineModelStatements('published'),
  preview: defineModelStatements('preview'),
};

function defineModelStatements(model: ReadModel): ModelStatements {
  const insertInto = (name: string, columns: string) => defineInsertMany(`${model}_${name}`, columns.split(', '));
  const deleteFrom = (name: string) =>
    defineBatchStatement((list) => sql`delete from ${sql.table(`${model}_${name}`)} where content_no in (${list})`);
  const deleteLinks = deleteFrom('links');
  return {
    contents: defineInsertMany(`${model}_contents`, CONTENT_COLUMNS),
    bodies: insertInto('bodies', 'content_no, body'),
    texts: insertInto('texts', 'content_no, field_no, language, key, id, digest'),
    numbers: insertInto('numbers', 'content_no, field_no, language, key, id'),
    tokens: insertInto('tokens', 'field_no, token, language, content_no'),
    links: insertInto('links', 'site_no, target_id, content_no'),
    updateBody: defineStatement(
      () => sql`update ${sql.table(`${model}_bodies`)} set body = ${slot('body')}
        where content_no = ${slot('content')}`,
    ),
    deleteLinks,
    deletes: [...['contents', 'bodies', 'texts', 'numbers', 'tokens'].map(deleteFrom), deleteLinks],
  };
}

/** None of the content may stand in the model yet. */
export function* insertIntoReadModel(model: ReadModel, rows: readonly ReadModelRow[]): Procedure<void> {
  const { contents, bodies, texts, numbers, tokens, links } = STATEMENTS[model];
  yield* contents(rows.map(buildContentCells));
  yield* bodies(rows.map(({ contentNo, typeset }) => [contentNo, typeset.body]));
  yield* texts(
    rows.flatMap(({ contentNo, language, id, typeset }) =>
      typeset.texts.map(({ fieldNo, key, digest }) => [contentNo, fieldNo, language, key, id, digest]),
    ),
  );
  yield* numbers(
    rows.flatMap(({ contentNo, language, id, typeset }) =>
      typeset.numbers.map(({ fieldNo, key }) => [contentNo, fieldNo, language, key, id]),
    ),
  );
  yield* tokens(
    rows.flatMap(({ contentNo, language, typeset }) =>
      typeset.tokens.map(({ fieldNo, token }) => [fieldNo, token, language, contentNo]),
    ),
  );
  yield* links(rows.flatMap((row) => buildLinkCells(row, row.typeset.links)));
}

export function buildContentCells(row: ReadModelRow): Cells {
  const { typeset } = row;
  return [
    row.contentNo,
    row.siteNo,
    row.language,
    row.typeNo,
    row.authorNo,
    row.translationGroup,
    row.id,
    row.slug,
    row.name,
    row.uri,
    typeset.nameKey,
    typeset.slugKey,
    typeset.uriKey,
    row.publishedAt,
    row.createdAt,
    row.updatedAt,
  ];
}

function buildLinkCells(
  { contentNo, siteNo }: Pick<ReadModelRow, 'contentNo' | 'siteNo'>,
  links: readonly string[],
): readonly Cells[] {
  return links.map((target) => [siteNo, target, contentNo]);
}

/** For content that stands in the model and keeps its place in every order. */
export function* replaceBody(
  model: ReadModel,
  row: Pick<ReadModelRow, 'contentNo' | 'siteNo'>,
  { body, links }: Pick<Typeset, 'body' | 'links'>,
): Procedure<void> {
  const { updateBody, deleteLinks, links: insertLinks } = STATEMENTS[model];
  yield* query(updateBody, { content: row.contentNo, body });
  yield* queryBatch(deleteLinks, [row.contentNo]);
  yield* insertLinks(buildLinkCells(row, links));
}

export function* deleteFromReadModel(model: ReadModel, contentNos: readonly number[]): Procedure<void> {
  for (const statement of STATEMENTS[model].deletes) yield* queryBatch(statement, contentNos);
}
