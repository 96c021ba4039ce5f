// The values that were saved under a content type, read and rewritten in small steps: a type may have any amount of
// content. `current` versions are those that stand in a read model or would: the newest and the published one.

import { sql } from 'kysely';
import type { FieldValues } from '../../content/field-value.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';

export interface SavedVersion {
  readonly contentNo: number;
  readonly number: number;
  readonly fields: FieldValues;
  /** The read model that shows this version, where one does. */
  readonly model: ReadModel | null;
}

interface SavedVersionRow {
  readonly content_no: number;
  readonly number: number;
  readonly fields: string;
  readonly model: ReadModel | null;
}

const MODELS = ['published', 'preview'] as const;
const VALUE_TABLES = MODELS.flatMap((model) => ['texts', 'numbers', 'tokens'].map((kind) => `${model}_${kind}`));
const PURGED_AT_ONCE = 2000;

const countOfType = defineStatement(() => sql`select count(*) as total from contents where type_no = ${slot('type')}`);
const selectContentNos = defineStatement(
  () => sql`select no from contents where type_no = ${slot('type')} and no > ${slot('after')}
    order by no limit ${slot('limit')} + 0`,
);
const model = sql`case when v.number = c.published_version then 'published'
  when v.number = c.newest_version and c.status <> 'archived' then 'preview' end as model`;
const selectVersions = {
  all: defineBatchStatement(
    (list) => sql`select v.content_no, v.number, v.fields, ${model}
      from content_versions as v join contents as c on c.no = v.content_no
      where v.content_no in (${list}) and v.fields like ${slot('needle')}`,
  ),
  current: defineBatchStatement(
    (list) => sql`select v.content_no, v.number, v.fields, ${model}
      from content_versions as v join contents as c on c.no = v.content_no
      where v.content_no in (${list}) and v.number in (c.newest_version, c.published_version)
        and v.fields like ${slot('needle')}`,
  ),
} as const;
const updateFields = defineStatement(
  () => sql`update content_versions set fields = ${slot('fields')}
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);
const forgetSource = defineStatement(
  () => sql`update contents set source_digest = null where no = ${slot('content')} and source_digest is not null`,
);
const linkStatements = {
  published: defineLinkStatements('published'),
  preview: defineLinkStatements('preview'),
} as const;
const purges = VALUE_TABLES.map((table) =>
  defineStatement(
    () => sql`delete from ${sql.table(table)} where field_no = ${slot('field')} and content_no in
      (select content_no from ${sql.table(table)} where field_no = ${slot('field')} limit ${slot('limit')} + 0)
      returning content_no`,
  ),
);

function defineLinkStatements(of: ReadModel) {
  const links = sql.table(`${of}_links`);
  return {
    delete: defineStatement(() => sql`delete from ${links} where content_no = ${slot('content')}`),
    insert: defineStatement(
      () => sql`insert into ${links} (site_no, target_id, content_no)
        select site_no, ${slot('target')}, no from contents where no = ${slot('content')}`,
    ),
  };
}

export function* countContentOfType(typeNo: number): Procedure<number> {
  return (yield* query<{ total: number }>(countOfType, { type: typeNo }))[0]?.total ?? 0;
}

/** The numbers of content of a type, of any status, from one number on. */
export function* selectContentNosOfType(typeNo: number, after: number, limit: number): Procedure<readonly number[]> {
  return (yield* query<{ no: number }>(selectContentNos, { type: typeNo, after, limit })).map(({ no }) => no);
}

/** @param text what the JSON of the values must hold, as it stands there; case and `_` match more than they say */
export function* selectSavedVersions(
  contentNos: readonly number[],
  which: keyof typeof selectVersions,
  text: string,
): Procedure<readonly SavedVersion[]> {
  const rows = yield* queryBatch<SavedVersionRow>(selectVersions[which], contentNos, { needle: `%${text}%` });
  return rows.map((row) => ({
    contentNo: row.content_no,
    number: row.number,
    fields: parseStored<FieldValues>(row.fields),
    model: row.model,
  }));
}

/** @param links of all that the new values link to */
export function* rewriteSavedVersion(
  { contentNo, number, model: shownBy }: SavedVersion,
  fields: FieldValues,
  links: readonly string[],
): Procedure<void> {
  yield* query(updateFields, { content: contentNo, number, fields: JSON.stringify(fields) });
  // What an import brought is not what is there any more.
  yield* query(forgetSource, { content: contentNo });
  if (shownBy === null) return;
  yield* query(linkStatements[shownBy].delete, { content: contentNo });
  for (const target of links) yield* query(linkStatements[shownBy].insert, { content: contentNo, target });
}

/** Takes away some of what lists know of a field; false when nothing is left. */
export function* purgeFieldKeys(fieldNo: number): Procedure<boolean> {
  for (const purge of purges) {
    if ((yield* query(purge, { field: fieldNo, limit: PURGED_AT_ONCE })).length > 0) return true;
  }
  return false;
}
