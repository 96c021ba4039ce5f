// Puts content into a read model, or takes it out. Delivery reads nothing else, so this is where a draft would leak.

import { sql } from 'kysely';
import type { Typeset } from '../../content/typeset.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

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

interface ModelStatements {
  readonly insertContent: Statement;
  readonly insertBody: Statement;
  readonly insertText: Statement;
  readonly insertNumber: Statement;
  readonly insertToken: Statement;
  readonly insertLink: Statement;
  readonly updateBody: Statement;
  readonly deleteLinks: Statement;
  readonly deletes: readonly Statement[];
}

const STATEMENTS: Readonly<Record<ReadModel, ModelStatements>> = {
  published: defineModelStatements('published'),
  preview: defineModelStatements('preview'),
};

function defineModelStatements(model: ReadModel): ModelStatements {
  const table = (name: string) => sql.table(`${model}_${name}`);
  const deleteFrom = (name: string) =>
    defineStatement(() => sql`delete from ${table(name)} where content_no = ${slot('content')}`);
  const deleteLinks = deleteFrom('links');
  return {
    insertContent: defineStatement(
      () => sql`insert into ${table('contents')} (content_no, site_no, language, type_no, author_no, translation_group, id,
          slug, name, uri, name_key, slug_key, uri_key, published_at, created_at, updated_at)
        values (${slot('content')}, ${slot('site')}, ${slot('language')}, ${slot('type')}, ${slot('author')},
          ${slot('group')}, ${slot('id')}, ${slot('slug')}, ${slot('name')}, ${slot('uri')}, ${slot('nameKey')},
          ${slot('slugKey')}, ${slot('uriKey')}, ${slot('publishedAt')}, ${slot('createdAt')}, ${slot('updatedAt')})`,
    ),
    insertBody: defineStatement(
      () => sql`insert into ${table('bodies')} (content_no, body) values (${slot('content')}, ${slot('body')})`,
    ),
    insertText: defineStatement(
      () => sql`insert into ${table('texts')} (content_no, field_no, language, key, id, digest)
        values (${slot('content')}, ${slot('field')}, ${slot('language')}, ${slot('key')}, ${slot('id')}, ${slot('digest')})`,
    ),
    insertNumber: defineStatement(
      () => sql`insert into ${table('numbers')} (content_no, field_no, language, key, id)
        values (${slot('content')}, ${slot('field')}, ${slot('language')}, ${slot('key')}, ${slot('id')})`,
    ),
    insertToken: defineStatement(
      () => sql`insert into ${table('tokens')} (field_no, token, content_no)
        values (${slot('field')}, ${slot('token')}, ${slot('content')})`,
    ),
    insertLink: defineStatement(
      () => sql`insert into ${table('links')} (site_no, target_id, content_no)
        values (${slot('site')}, ${slot('target')}, ${slot('content')})`,
    ),
    updateBody: defineStatement(
      () => sql`update ${table('bodies')} set body = ${slot('body')} where content_no = ${slot('content')}`,
    ),
    deleteLinks,
    deletes: [...['contents', 'bodies', 'texts', 'numbers', 'tokens'].map(deleteFrom), deleteLinks],
  };
}

/** The content must not stand in the model yet. */
export function* insertIntoReadModel(model: ReadModel, row: ReadModelRow): Procedure<void> {
  const { insertContent, insertBody, insertText, insertNumber, insertToken } = STATEMENTS[model];
  const { typeset, id, language } = row;
  const content = row.contentNo;
  yield* query(insertContent, {
    content,
    site: row.siteNo,
    language,
    type: row.typeNo,
    author: row.authorNo,
    group: row.translationGroup,
    id,
    slug: row.slug,
    name: row.name,
    uri: row.uri,
    nameKey: typeset.nameKey,
    slugKey: typeset.slugKey,
    uriKey: typeset.uriKey,
    publishedAt: row.publishedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  });
  yield* query(insertBody, { content, body: typeset.body });
  for (const { fieldNo, key, digest } of typeset.texts) {
    yield* query(insertText, { content, field: fieldNo, language, key, id, digest });
  }
  for (const { fieldNo, key } of typeset.numbers) {
    yield* query(insertNumber, { content, field: fieldNo, language, key, id });
  }
  for (const { fieldNo, token } of typeset.tokens) yield* query(insertToken, { field: fieldNo, token, content });
  yield* insertLinks(model, row, typeset.links);
}

function* insertLinks(
  model: ReadModel,
  { contentNo: content, siteNo: site }: Pick<ReadModelRow, 'contentNo' | 'siteNo'>,
  links: readonly string[],
): Procedure<void> {
  for (const target of links) yield* query(STATEMENTS[model].insertLink, { site, target, content });
}

/** For content that stands in the model and keeps its place in every order. */
export function* replaceBody(
  model: ReadModel,
  row: Pick<ReadModelRow, 'contentNo' | 'siteNo'>,
  { body, links }: Pick<Typeset, 'body' | 'links'>,
): Procedure<void> {
  const { updateBody, deleteLinks } = STATEMENTS[model];
  yield* query(updateBody, { content: row.contentNo, body });
  yield* query(deleteLinks, { content: row.contentNo });
  yield* insertLinks(model, row, links);
}

export function* deleteFromReadModel(model: ReadModel, contentNo: number): Procedure<void> {
  for (const statement of STATEMENTS[model].deletes) yield* query(statement, { content: contentNo });
}
