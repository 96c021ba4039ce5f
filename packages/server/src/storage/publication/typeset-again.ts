// Sets a saved version in type again after values were taken out of it: what readers get holds nothing of them any more.
// The rest stays as it is shown, the address too, whatever has become of the pattern that made it.

import { sql } from 'kysely';
import type { Catalog } from '../../content/catalog.ts';
import type { FieldValues } from '../../content/field-value.ts';
import type { Seo } from '../../content/seo.ts';
import { typesetContent } from '../../content/typeset.ts';
import { isBodyOf, joinBodies } from '../lists/content-rows.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';
import { announce } from './dependencies.ts';
import { replaceBody } from './write-read-model.ts';

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
  /** As it is shown now. */
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

/** @param model which shows this version, if it shows the content at all */
export function* typesetAgain(
  model: ReadModel,
  { contentNo, number }: { readonly contentNo: number; readonly number: number },
  catalog: Catalog,
  now: number,
): Procedure<void> {
  const [row] = yield* query<ShownRow>(selectShown[model], { content: contentNo, number });
  if (row === undefined) return;
  const type = catalog.typesByNo.get(row.type_no);
  if (type === undefined) throw new Error(`Content ${row.id} has a type that its site does not have`);
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
  yield* announce(row.site_no, [{ kind: model === 'published' ? 'published content' : 'draft' }], now);
}
