// All the keys that a content object can be sorted by, as it stands in a read model and as it stood there before.

import { sql } from 'kysely';
import { type Audience, listModels, type ReadModel } from '../lists/list-plan.ts';
import {
  defineStatement,
  type Procedure,
  parseStored,
  query,
  type SqlRow,
  type Statement,
  slot,
} from '../statement.ts';

type Key = string | number | null;

export interface SortKeys {
  readonly columns: Readonly<Record<string, Key>>;
  /** By the number of the field. */
  readonly fields: Readonly<Record<string, Key>>;
}

const columns = sql.raw('content_no, name_key, slug_key, uri_key, published_at, created_at, updated_at');

interface ModelStatements {
  readonly byNo: Statement;
  readonly byId: Statement;
  readonly values: Statement;
  readonly departed: Statement;
}

const STATEMENTS: Readonly<Record<ReadModel, ModelStatements>> = {
  published: defineModelStatements('published'),
  preview: defineModelStatements('preview'),
};

function defineModelStatements(model: ReadModel): ModelStatements {
  const contents = sql.table(`${model}_contents`);
  return {
    byNo: defineStatement(() => sql`select site_no, id, ${columns} from ${contents} where content_no = ${slot('no')}`),
    byId: defineStatement(
      () => sql`select ${columns} from ${contents} where site_no = ${slot('site')} and id = ${slot('id')}`,
    ),
    values: defineStatement(
      () => sql`select field_no, key as text, null as number from ${sql.table(`${model}_texts`)}
          where content_no = ${slot('no')} and key is not null
        union all select field_no, null as text, key as number from ${sql.table(`${model}_numbers`)}
          where content_no = ${slot('no')} and key is not null`,
    ),
    departed: defineStatement(
      () => sql`select keys from ${sql.table(`${model}_departed_keys`)}
        where site_no = ${slot('site')} and id = ${slot('id')} order by left_at desc limit 100`,
    ),
  };
}

interface ColumnRow extends SqlRow {
  readonly content_no: number;
}

export function* selectStandingKeys(siteNo: number, id: string, audience: Audience): Procedure<readonly SortKeys[]> {
  const found: SortKeys[] = [];
  for (const model of listModels(audience)) {
    const [row] = yield* query<ColumnRow>(STATEMENTS[model].byId, { site: siteNo, id });
    if (row !== undefined) found.push({ columns: row, fields: yield* selectFieldKeys(model, row.content_no) });
  }
  return found;
}

/** What left the previews is not for the public: it may never have been published. */
export function* selectDepartedKeys(siteNo: number, id: string, audience: Audience): Procedure<readonly SortKeys[]> {
  const found: SortKeys[] = [];
  for (const model of listModels(audience)) {
    const rows = yield* query<{ keys: string }>(STATEMENTS[model].departed, { site: siteNo, id });
    found.push(...rows.map((row) => parseStored<SortKeys>(row.keys)));
  }
  return found;
}

/** Those of one object, with where it belongs; undefined where the model does not have it. */
export function* selectKeysOf(
  model: ReadModel,
  contentNo: number,
): Procedure<{ readonly siteNo: number; readonly id: string; readonly keys: SortKeys } | undefined> {
  const [row] = yield* query<ColumnRow & { site_no: number; id: string }>(STATEMENTS[model].byNo, { no: contentNo });
  if (row === undefined) return undefined;
  const { site_no: siteNo, id, content_no: _, ...keyColumns } = row;
  return { siteNo, id, keys: { columns: keyColumns, fields: yield* selectFieldKeys(model, contentNo) } };
}

function* selectFieldKeys(model: ReadModel, contentNo: number): Procedure<Readonly<Record<string, Key>>> {
  const rows = yield* query<{ field_no: number; text: string | null; number: number | null }>(
    STATEMENTS[model].values,
    { no: contentNo },
  );
  return Object.fromEntries(rows.map((row) => [row.field_no, row.text ?? row.number]));
}
