// When an object with long sort keys leaves its place in the order, its keys are kept for a day, so that a walk that stands
// there goes on as if nothing had happened.

import { sql } from 'kysely';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { type SortKeys, selectKeysOf } from '../contents/sort-keys.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { defineStatement, type Procedure, parseStored, query, type Statement, slot } from '../statement.ts';

/** Cursors hold keys up to a total of about 600 bytes themselves, whatever the sort. */
const SHORT_KEYS_BYTES = 500;
const KEPT_MS = 86_400_000;
const FORGOTTEN_AT_ONCE = 200;

interface DepartedStatements {
  readonly insert: Statement;
  readonly selectWithField: Statement;
  readonly update: Statement;
  readonly deleteExpired: Statement;
  readonly deleteOfContents: BatchStatement;
  readonly deleteOfSite: Statement;
}

const STATEMENTS: Readonly<Record<ReadModel, DepartedStatements>> = {
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
    selectWithField: defineStatement(
      () => sql`select id, left_at, keys from ${table}
        where site_no = ${slot('site')} and id >= ${slot('from')} and keys like ${slot('needle')}
        order by id limit ${slot('limit')} + 0`,
    ),
    update: defineStatement(
      () => sql`update ${table} set keys = ${slot('after')} where site_no = ${slot('site')} and id = ${slot('id')}
        and left_at = ${slot('leftAt')} and keys = ${slot('before')}`,
    ),
    deleteExpired: defineStatement(() => sql`delete from ${table} where left_at < ${slot('before')}`),
    deleteOfContents: defineBatchStatement(
      (list) => sql`delete from ${table} where site_no = ${slot('site')} and id in (${list})`,
    ),
    deleteOfSite: defineStatement(() => sql`delete from ${table} where site_no = ${slot('site')}`),
  };
}

/** To be called before content is taken out of a read model. */
export function* keepDepartingKeys(model: ReadModel, contentNo: number, now: number): Procedure<void> {
  const standing = yield* selectKeysOf(model, contentNo);
  if (standing === undefined) return;
  const keys = JSON.stringify(standing.keys);
  if (Buffer.byteLength(keys) <= SHORT_KEYS_BYTES) return;
  const { deleteExpired, insert } = STATEMENTS[model];
  yield* query(deleteExpired, { before: now - KEPT_MS });
  yield* query(insert, { site: standing.siteNo, id: standing.id, now, keys });
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
  const { selectWithField, update } = STATEMENTS[model];
  // Inside of a text the quotes would be escaped, so that only the name of a member reads like this.
  const values = { site: siteNo, from, needle: `%"${fieldNo}":%`, limit: FORGOTTEN_AT_ONCE };
  const rows = yield* query<DepartedRow>(selectWithField, values);
  for (const { id, left_at: leftAt, keys: before } of rows) {
    const { columns: kept, fields } = parseStored<SortKeys>(before);
    const { [fieldNo]: _, ...others } = fields;
    const after = JSON.stringify({ columns: kept, fields: others });
    yield* query(update, { site: siteNo, id, leftAt, before, after });
  }
  return rows.length < FORGOTTEN_AT_ONCE ? null : (rows.at(-1)?.id ?? null);
}

/** Of content that is deleted for good. */
export function* forgetDepartedContents(siteNo: number, ids: readonly string[]): Procedure<void> {
  for (const { deleteOfContents } of Object.values(STATEMENTS))
    yield* queryBatch(deleteOfContents, ids, { site: siteNo });
}

export function* forgetDepartedOfSite(siteNo: number): Procedure<void> {
  for (const { deleteOfSite } of Object.values(STATEMENTS)) yield* query(deleteOfSite, { site: siteNo });
}
