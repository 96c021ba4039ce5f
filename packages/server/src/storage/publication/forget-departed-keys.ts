// Removes former sort keys (sort-keys.ts) that must not be kept any longer: those of deleted fields, deleted content and deleted sites.

import { sql } from 'kysely';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, parseStored, query, type Statement, slot } from '../statement.ts';
import type { ReadModel } from './read-model.ts';
import type { SortKeys } from './sort-keys.ts';

interface ForgettingStatements {
  readonly selectWithField: Statement;
  readonly update: Statement;
  readonly deleteOfContents: BatchStatement;
  readonly deleteOfSite: Statement;
}

const STATEMENTS: Readonly<Record<ReadModel, ForgettingStatements>> = {
  published: defineForgettingStatements('published'),
  preview: defineForgettingStatements('preview'),
};

function defineForgettingStatements(model: ReadModel): ForgettingStatements {
  const table = sql.table(`${model}_departed_keys`);
  return {
    selectWithField: defineStatement(
      () => sql`select id, left_at, keys from ${table}
        where site_no = ${slot('site')} and id >= ${slot('from')} and keys like ${slot('needle')}
        order by id limit ${slot('limit')} + 0`,
    ),
    update: defineStatement(
      () => sql`update ${table} set keys = ${slot('after')} where site_no = ${slot('site')} and id = ${slot('id')}
        and left_at = ${slot('leftAt')} and keys = ${slot('before')}`,
    ),
    deleteOfContents: defineBatchStatement(
      (list) => sql`delete from ${table} where site_no = ${slot('site')} and id in (${list})`,
    ),
    deleteOfSite: defineStatement(() => sql`delete from ${table} where site_no = ${slot('site')}`),
  };
}

const FORGOTTEN_AT_ONCE = 200;

interface DepartedRow {
  readonly id: string;
  readonly left_at: number;
  readonly keys: string;
}

/**
 * Removes a deleted field from a batch of the former keys.
 * @param from the first id of the batch; empty for the first batch
 * @returns the start of the next batch; null at the end
 */
export function* forgetDepartedField(
  model: ReadModel,
  siteNo: number,
  fieldNo: number,
  from: string,
): Procedure<string | null> {
  const { selectWithField, update } = STATEMENTS[model];
  // Inside a string value the quotes would be escaped, so only a property name can match.
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

/** Call this for content that is being permanently deleted. */
export function* forgetDepartedContents(siteNo: number, ids: readonly string[]): Procedure<void> {
  for (const { deleteOfContents } of Object.values(STATEMENTS))
    yield* queryBatch(deleteOfContents, ids, { site: siteNo });
}

export function* forgetDepartedOfSite(siteNo: number): Procedure<void> {
  for (const { deleteOfSite } of Object.values(STATEMENTS)) yield* query(deleteOfSite, { site: siteNo });
}
