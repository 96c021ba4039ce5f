// Decides what of content stands in the two read models. Rows that are the same are left alone, so publishing what is
// published already, or refilling content that looks as before, moves nothing.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, queryCells, type Statement, slot } from '../statement.ts';
import { keepDepartingKeys } from './departed-keys.ts';
import { announce } from './dependencies.ts';
import {
  buildContentCells,
  CONTENT_COLUMNS,
  deleteFromReadModel,
  insertIntoReadModel,
  type ReadModelRow,
} from './write-read-model.ts';

/** Null where the model is not to have the content. */
export type Shown = Readonly<Record<ReadModel, ReadModelRow | null>>;

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

/** Makes both read models what they are to be for content that they may have already. */
export function* showContent(content: ContentNumbers, shown: Shown, now: number): Procedure<void> {
  const isOther = yield* putIntoModel('published', content.no, shown.published, now);
  const isOtherPreview = yield* putIntoModel('preview', content.no, shown.preview, now);
  if (isOther || isOtherPreview) yield* announceContent(content.siteNo, isOther, now);
}

/** A draft that was saved, or null where there is none any more: what is published stays as it is. */
export function* showDraft(content: ContentNumbers, draft: ReadModelRow | null, now: number): Procedure<void> {
  if (yield* putIntoModel('preview', content.no, draft, now)) yield* announceContent(content.siteNo, false, now);
}

/** Content that neither model has yet, all of one site. */
export function* showNewContents(siteNo: number, contents: readonly Shown[], now: number): Procedure<void> {
  for (const model of MODELS) {
    const rows = contents.flatMap((shown) => shown[model] ?? []);
    if (rows.length === 0) continue;
    yield* insertIntoReadModel(model, rows);
    yield* announceContent(siteNo, model === 'published', now);
  }
}

/** Content that is deleted for good, all of one site. */
export function* hideContents(siteNo: number, contentNos: readonly number[], now: number): Procedure<void> {
  const published = yield* queryBatch(selectPublishedAmong, contentNos);
  for (const model of MODELS) yield* deleteFromReadModel(model, contentNos);
  yield* announceContent(siteNo, published.length > 0, now);
}

function announceContent(siteNo: number, isPublished: boolean, now: number): Procedure<void> {
  return announce(siteNo, [{ kind: isPublished ? 'published content' : 'draft' }], now);
}

/** Whether the model has become another one. */
function* putIntoModel(model: ReadModel, contentNo: number, row: ReadModelRow | null, now: number): Procedure<boolean> {
  const [standing] = yield* queryCells(selectStanding[model], { content: contentNo });
  if (standing === undefined && row === null) return false;
  const cells = row && [...buildContentCells(row), row.typeset.body];
  if (cells?.every((cell, index) => cell === standing?.[index])) return false;
  yield* keepDepartingKeys(model, contentNo, now);
  // Also where nothing seems to stand there: a damaged row must not keep content from being published.
  yield* deleteFromReadModel(model, [contentNo]);
  if (row !== null) yield* insertIntoReadModel(model, [row]);
  return true;
}
