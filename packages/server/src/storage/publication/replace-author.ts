// Removes an author from all content, in every version that was ever saved, or replaces it with another.

import { sql } from 'kysely';
import { decodeBody, replaceAuthor } from '../../content/body.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { announce } from './announce.ts';

const REPLACED_AT_ONCE = 100;

const selectContents = defineStatement(
  () => sql`select distinct content_no from content_versions
    where author_no = ${slot('author')} and content_no > ${slot('after')}
    order by content_no limit ${slot('limit')} + 0`,
);
const updates = ['content_versions', 'published_contents', 'preview_contents'].map((table) =>
  defineBatchStatement(
    (list) => sql`update ${sql.table(table)} set author_no = ${slot('next')}
      where content_no in (${list}) and author_no = ${slot('author')}`,
  ),
);
const updateRecords = defineBatchStatement(
  (list) =>
    sql`update contents set author_no = ${slot('next')} where no in (${list}) and author_no = ${slot('author')}`,
);
// The content is no longer what an import brought.
const forgetSources = defineBatchStatement(
  (list) => sql`update contents set source_digest = null where no in (${list}) and source_digest is not null`,
);
const bodies = (['published', 'preview'] as const).map((model) => ({
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
  /** Null for none. */
  readonly nextNo: number | null;
}

/**
 * Works on a portion of the content.
 * @param after 0 for the first portion
 * @returns where the next portion begins; null when everything is done
 */
export function* replaceAuthorInContent(
  { siteNo, authorNo, nextNo }: AuthorReplacement,
  after: number,
  now: number,
): Procedure<number | null> {
  const limit = REPLACED_AT_ONCE;
  const rows = yield* query<{ content_no: number }>(selectContents, { author: authorNo, after, limit });
  const numbers = rows.map((row) => row.content_no);
  const values = { author: authorNo, next: nextNo };
  for (const statement of [...updates, updateRecords]) yield* queryBatch(statement, numbers, values);
  yield* queryBatch(forgetSources, numbers);
  for (const { model, select, update } of bodies) {
    const found = yield* queryBatch<BodyRow>(select, numbers);
    const carrying = found.filter(({ body }) => decodeBody(body).authorNo === authorNo);
    for (const { content_no: content, body } of carrying) {
      yield* query(update, { content, body: replaceAuthor(body, nextNo) });
    }
    if (carrying.length === 0) continue;
    yield* announce(siteNo, [{ kind: model === 'published' ? 'published content' : 'draft' }], now);
  }
  return numbers.length < limit ? null : (numbers.at(-1) ?? null);
}

interface BodyRow {
  readonly content_no: number;
  readonly body: string;
}
