// Decides which content is in the two read models, and writes it there. The delivery API reads nothing else, so a draft could become
// public only through a mistake here.
// Unchanged rows are not written, so publishing the same version again, or rebuilding identical content, does not advance a generation.

import { sql } from 'kysely';
import type { Typeset } from '../../content/typeset.ts';
import { type BatchStatement, defineBatchStatement, defineInsertMany, type InsertMany, queryBatch } from '../batch.ts';
import { type Cells, defineStatement, type Procedure, query, queryCells, type Statement, slot } from '../statement.ts';
import { announce } from './announce.ts';
import { appendChanges, type ContentEntry, listDeleted } from './change-log.ts';
import type { ReadModel } from './read-model.ts';
import { keepDepartingKeys } from './sort-keys.ts';

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

/** The columns are in the same order as the cells from `buildContentCells`. */
const CONTENT_COLUMNS = [
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

/** Null if the content does not belong in the model. */
type Shown = Readonly<Record<ReadModel, ReadModelRow | null>>;

interface ContentNumbers {
  readonly no: number;
  readonly siteNo: number;
}

const MODELS = ['published', 'preview'] as const;

const selectStanding: Readonly<Record<ReadModel, Statement>> = {
  published: defineStanding('published'),
  preview: defineStanding('preview'),
};
const selectPublishedAmong = defineBatchStatement(
  (list) => sql`select content_no from published_contents where content_no in (${list})`,
);

function defineStanding(model: ReadModel): Statement {
  const columns = CONTENT_COLUMNS.map((column) => sql.ref(`p.${column}`));
  return defineStatement(
    () => sql`select ${sql.join([...columns, sql.ref('b.body')])}
      from ${sql.table(`${model}_contents`)} as p left join ${sql.table(`${model}_bodies`)} as b
        on b.content_no = p.content_no where p.content_no = ${slot('content')}`,
  );
}

/** Updates both read models for content that they may already contain. */
export function* showContent(content: ContentNumbers, shown: Shown, now: number): Procedure<void> {
  const replaced = yield* putIntoModel('published', content.no, shown.published, now);
  const replacedPreview = yield* putIntoModel('preview', content.no, shown.preview, now);
  if (replaced !== undefined) {
    const entries = describeChange(replaced.standing, shown.published);
    yield* announce(content.siteNo, [{ kind: 'published content', entries }], now);
  } else if (replacedPreview !== undefined) {
    yield* announce(content.siteNo, [{ kind: 'draft' }], now);
  }
}

/** Updates the draft in the preview model, or removes it if `draft` is null. Published content does not change. */
export function* showDraft(content: ContentNumbers, draft: ReadModelRow | null, now: number): Procedure<void> {
  if ((yield* putIntoModel('preview', content.no, draft, now)) === undefined) return;
  yield* announce(content.siteNo, [{ kind: 'draft' }], now);
}

/** Adds content that is not in either model yet, all from one site. */
export function* showNewContents(siteNo: number, contents: readonly Shown[], now: number): Procedure<void> {
  for (const model of MODELS) {
    const rows = contents.flatMap((shown) => shown[model] ?? []);
    if (rows.length === 0) continue;
    yield* insertIntoReadModel(model, rows);
    const entries = model === 'published' ? rows.flatMap((row) => describeChange(undefined, row)) : null;
    yield* announce(siteNo, [entries === null ? { kind: 'draft' } : { kind: 'published content', entries }], now);
  }
}

/** Removes permanently deleted content, all from one site. Its records must still exist. */
export function* hideContents(siteNo: number, contentNos: readonly number[], now: number): Procedure<void> {
  const published = yield* queryBatch(selectPublishedAmong, contentNos);
  const deleted = yield* listDeleted(contentNos);
  for (const model of MODELS) yield* deleteFromReadModel(model, contentNos);
  yield* announce(siteNo, [published.length > 0 ? { kind: 'published content', entries: [] } : { kind: 'draft' }], now);
  // Deleting content that readers could once see might not change any response, but its old entries must not remain in the log.
  yield* appendChanges(siteNo, deleted, now);
}

/** The log entry for replacing a row of the published model. */
function describeChange(standing: Cells | undefined, row: ReadModelRow | null): readonly ContentEntry[] {
  if (row === null) {
    const before = (column: (typeof CONTENT_COLUMNS)[number]) => standing?.[CONTENT_COLUMNS.indexOf(column)];
    const [id, language] = [String(before('id')), String(before('language'))];
    return [{ kind: 'unpublished', id, typeNo: Number(before('type_no')), language }];
  }
  const { id, typeNo, language, uri } = row;
  if (standing === undefined) return [{ kind: 'published', id, typeNo, language }];
  const from = String(standing[CONTENT_COLUMNS.indexOf('uri')]);
  if (from === uri) return [{ kind: 'updated', id, typeNo, language }];
  return [{ kind: 'moved', id, typeNo, language, uris: { from, to: uri } }];
}

/** The model's previous row. */
interface Replaced {
  readonly standing: Cells | undefined;
}

/** Returns undefined if the model has not changed. */
function* putIntoModel(
  model: ReadModel,
  contentNo: number,
  row: ReadModelRow | null,
  now: number,
): Procedure<Replaced | undefined> {
  const [standing] = yield* queryCells(selectStanding[model], { content: contentNo });
  if (standing === undefined && row === null) return undefined;
  const cells = row && [...buildContentCells(row), row.typeset.body];
  if (cells?.every((cell, index) => cell === standing?.[index])) return undefined;
  yield* keepDepartingKeys(model, contentNo, now);
  // This runs even if there seems to be no row, because a damaged row must not prevent content from being published.
  yield* deleteFromReadModel(model, [contentNo]);
  if (row !== null) yield* insertIntoReadModel(model, [row]);
  return { standing };
}

/** The content must not be in the model yet. */
function* insertIntoReadModel(model: ReadModel, rows: readonly ReadModelRow[]): Procedure<void> {
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

function buildContentCells(row: ReadModelRow): Cells {
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

/** Replaces the body of content that is already in the model. The sort keys stay the same. */
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

function* deleteFromReadModel(model: ReadModel, contentNos: readonly number[]): Procedure<void> {
  for (const statement of STATEMENTS[model].deletes) yield* queryBatch(statement, contentNos);
}
