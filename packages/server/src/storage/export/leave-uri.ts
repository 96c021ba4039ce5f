import { sql } from 'kysely';
import { selectRecord } from '../contents/content-records.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const clearUri = defineStatement(
  () =>
    sql`update content_versions set uri = null where content_no = ${slot('content')} and number = ${slot('number')}`,
);

/**
 * The uri that was written with the content is only what is shown of it now; with its next save the pattern of its type
 * decides again.
 */
export function* leaveUriToPattern(siteNo: number, id: string, which: 'published' | 'newest'): Procedure<void> {
  const record = yield* selectRecord(siteNo, id);
  const number = which === 'published' ? record?.publishedVersion : record?.newestVersion;
  if (record !== undefined && number) yield* query(clearUri, { content: record.no, number });
}
