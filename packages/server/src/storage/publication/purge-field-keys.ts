import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const PURGED_AT_ONCE = 2000;

const purges = ['published', 'preview']
  .flatMap((model) => ['texts', 'numbers', 'tokens'].map((kind) => `${model}_${kind}`))
  .map((table) =>
    defineStatement(
      () => sql`delete from ${sql.table(table)} where field_no = ${slot('field')} and content_no in
        (select content_no from ${sql.table(table)} where field_no = ${slot('field')} limit ${slot('limit')} + 0)
        returning content_no`,
    ),
  );

/**
 * Takes away some of what lists know of a field; false when nothing is left. Only lists that name the field would show it:
 * the same transaction deletes the field, which announces that.
 */
export function* purgeFieldKeys(fieldNo: number): Procedure<boolean> {
  for (const purge of purges) {
    if ((yield* query(purge, { field: fieldNo, limit: PURGED_AT_ONCE })).length > 0) return true;
  }
  return false;
}
