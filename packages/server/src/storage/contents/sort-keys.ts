// All the keys that a content object can be sorted by. When an object with long keys leaves its place in the order, its
// keys are kept for a day, so that a walk that stands there goes on as if nothing had happened.

import { sql } from 'kysely';
import { type Audience, listModels, type ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, query, type SqlRow, type Statement, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';

type Key = string | number | null;

export interface SortKeys {
  readonly columns: Readonly<Record<string, Key>>;
  /** By the number of the field. */
  readonly fields: Readonly<Record<string, Key>>;
}

/** Cursors hold keys up to a total of about 600 bytes themselves, whatever the sort. */
const SHORT_KEYS_BYTES = 500;
const KEPT_MS = 86_400_000;
const FORGOTTEN_AT_ONCE = 200;

const columns = sql.raw('content_no, name_key, slug_key, uri_key, published_at, created_at, updated_at');

interface ModelStatements {
  readonly byNo: Statement;
  readonly byId: Statement;
  readonly values: Statement;
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
  };
}

const selectDeparted = defineStatement(
  () => sql`select keys from departed_keys
    where model = ${slot('model')} and site_no = ${slot('site')} and id = ${slot('id')}
    order by left_at desc limit 100`,
);
const insertDeparted = defineStatement(
  () => sql`insert into departed_keys (model, site_no, id, left_at, keys)
    values (${slot('model')}, ${slot('site')}, ${slot('id')}, ${slot('now')}, ${slot('keys')})`,
);
const selectDepartedWithField = defineStatement(
  () => sql`select id, left_at, keys from departed_keys
    where model = ${slot('model')} and site_no = ${slot('site')} and id >= ${slot('from')} and keys like ${slot('needle')}
    order by id limit ${slot('limit')} + 0`,
);
const updateDeparted = defineStatement(
  () => sql`update departed_keys set keys = ${slot('after')}
    where model = ${slot('model')} and site_no = ${slot('site')} and id = ${slot('id')} and left_at = ${slot('leftAt')}
      and keys = ${slot('before')}`,
);
const deleteExpired = defineStatement(() => sql`delete from departed_keys where left_at < ${slot('before')}`);

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
    const rows = yield* query<{ keys: string }>(selectDeparted, { model, site: siteNo, id });
    found.push(...rows.map((row) => parseStored<SortKeys>(row.keys)));
  }
  return found;
}

/** To be called before content is taken out of a read model. */
export function* keepDepartingKeys(model: ReadModel, contentNo: number, now: number): Procedure<void> {
  const [row] = yield* query<ColumnRow & { site_no: number; id: string }>(STATEMENTS[model].byNo, { no: contentNo });
  if (row === undefined) return;
  const { site_no: site, id, content_no: _, ...keyColumns } = row;
  const keys: SortKeys = { columns: keyColumns, fields: yield* selectFieldKeys(model, contentNo) };
  const text = JSON.stringify(keys);
  if (Buffer.byteLength(text) <= SHORT_KEYS_BYTES) return;
  yield* query(deleteExpired, { before: now - KEPT_MS });
  yield* query(insertDeparted, { model, site, id, now, keys: text });
}

interface DepartedRow {
  readonly id: string;
  readonly left_at: number;
  readonly keys: string;
}

/**
 * Takes a field that goes out of some of the keys that were kept.
 * @param from the id that the step begins with; empty for the beginning
 * @returns where the next step begins; null when nothing is left
 */
export function* forgetDepartedField(
  model: ReadModel,
  siteNo: number,
  fieldNo: number,
  from: string,
): Procedure<string | null> {
  // Inside of a text the quotes would be escaped, so that only the name of a member reads like this.
  const values = { model, site: siteNo, from, needle: `%"${fieldNo}":%`, limit: FORGOTTEN_AT_ONCE };
  const rows = yield* query<DepartedRow>(selectDepartedWithField, values);
  for (const { id, left_at: leftAt, keys: before } of rows) {
    const { columns: kept, fields } = parseStored<SortKeys>(before);
    const { [fieldNo]: _, ...others } = fields;
    const after = JSON.stringify({ columns: kept, fields: others });
    yield* query(updateDeparted, { model, site: siteNo, id, leftAt, before, after });
  }
  return rows.length < FORGOTTEN_AT_ONCE ? null : (rows.at(-1)?.id ?? null);
}

function* selectFieldKeys(model: ReadModel, contentNo: number): Procedure<Readonly<Record<string, Key>>> {
  const rows = yield* query<{ field_no: number; text: string | null; number: number | null }>(
    STATEMENTS[model].values,
    { no: contentNo },
  );
  return Object.fromEntries(rows.map((row) => [row.field_no, row.text ?? row.number]));
}
