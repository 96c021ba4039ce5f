// All keys that a content object can be sorted by, current and former. When an object with long sort keys changes its
// position in the order, its former keys are kept for a day, so a cursor that points to the old position still works.

import { sql } from 'kysely';
import {
  defineStatement,
  type Procedure,
  parseStored,
  query,
  type SqlRow,
  type Statement,
  slot,
} from '../statement.ts';
import type { ReadModel } from './read-model.ts';

type Key = string | number | null;

export interface SortKeys {
  readonly columns: Readonly<Record<string, Key>>;
  /** Keyed by the field's number. */
  readonly fields: Readonly<Record<string, Key>>;
}

const keyColumns = sql.raw('content_no, name_key, slug_key, uri_key, published_at, created_at, updated_at');

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
    byNo: defineStatement(
      () => sql`select site_no, id, ${keyColumns} from ${contents} where content_no = ${slot('no')}`,
    ),
    byId: defineStatement(
      () => sql`select ${keyColumns} from ${contents} where site_no = ${slot('site')} and id = ${slot('id')}`,
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

/** The object's current keys in the model, and those that it had there recently. */
export function* selectSortKeys(model: ReadModel, siteNo: number, id: string): Procedure<readonly SortKeys[]> {
  const { byId, departed } = STATEMENTS[model];
  const [row] = yield* query<ColumnRow>(byId, { site: siteNo, id });
  const current = row === undefined ? [] : [{ columns: row, fields: yield* selectFieldKeys(model, row.content_no) }];
  const former = yield* query<{ keys: string }>(departed, { site: siteNo, id });
  return [...current, ...former.map(({ keys }) => parseStored<SortKeys>(keys))];
}

/** The keys of one object, with its site and id; undefined if the model does not contain it. */
function* selectKeysOf(
  model: ReadModel,
  contentNo: number,
): Procedure<{ readonly siteNo: number; readonly id: string; readonly keys: SortKeys } | undefined> {
  const [row] = yield* query<ColumnRow & { site_no: number; id: string }>(STATEMENTS[model].byNo, { no: contentNo });
  if (row === undefined) return undefined;
  const { site_no: siteNo, id, content_no: _, ...columns } = row;
  return { siteNo, id, keys: { columns, fields: yield* selectFieldKeys(model, contentNo) } };
}

function* selectFieldKeys(model: ReadModel, contentNo: number): Procedure<Readonly<Record<string, Key>>> {
  const rows = yield* query<{ field_no: number; text: string | null; number: number | null }>(
    STATEMENTS[model].values,
    { no: contentNo },
  );
  return Object.fromEntries(rows.map((row) => [row.field_no, row.text ?? row.number]));
}

/** Cursors themselves can contain keys of up to about 600 bytes in total. */
const SHORT_KEYS_BYTES = 500;
const KEPT_MS = 86_400_000;

interface DepartedStatements {
  readonly insert: Statement;
  readonly deleteExpired: Statement;
}

const DEPARTED_STATEMENTS: Readonly<Record<ReadModel, DepartedStatements>> = {
  published: defineDepartedStatements('published'),
  preview: defineDepartedStatements('preview'),
};

function defineDepartedStatements(model: ReadModel): DepartedStatements {
  const table = sql.table(`${model}_departed_keys`);
  return {
    insert: defineStatement(
      () => sql`insert into ${table} (site_no, id, left_at, keys)
        values (${slot('site')}, ${slot('id')}, ${slot('now')}, ${slot('keys')})`,
    ),
    deleteExpired: defineStatement(() => sql`delete from ${table} where left_at < ${slot('before')}`),
  };
}

/** Call this before content is removed from a read model. */
export function* keepDepartingKeys(model: ReadModel, contentNo: number, now: number): Procedure<void> {
  const standing = yield* selectKeysOf(model, contentNo);
  if (standing === undefined) return;
  const keys = JSON.stringify(standing.keys);
  if (Buffer.byteLength(keys) <= SHORT_KEYS_BYTES) return;
  const { deleteExpired, insert } = DEPARTED_STATEMENTS[model];
  yield* query(deleteExpired, { before: now - KEPT_MS });
  yield* query(insert, { site: standing.siteNo, id: standing.id, now, keys });
}
