// Deletes content for good: the record, every version, and all that lists, previews and cursors know of it. Nothing here
// looks at its status or at what links to it.

import { sql } from 'kysely';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { forgetDepartedContents } from '../publication/departed-keys.ts';
import { hideContents } from '../publication/show-content.ts';
import type { Procedure } from '../statement.ts';
import { type CountedRecord, takeFromCounts } from './content-counts.ts';

export interface DeletedContent extends CountedRecord {
  readonly no: number;
  readonly id: string;
}

/** What refers to a record goes before it. */
const deletes = [
  defineBatchStatement((list) => sql`delete from content_assets where content_no in (${list})`),
  defineBatchStatement((list) => sql`delete from content_versions where content_no in (${list})`),
  defineBatchStatement((list) => sql`delete from contents where no in (${list})`),
];

/** @param contents all of one site, as the database has them */
export function* deleteContents(contents: readonly DeletedContent[], now: number): Procedure<void> {
  const [first] = contents;
  if (first === undefined) return;
  const ids = contents.map(({ id }) => id);
  const numbers = contents.map(({ no }) => no);
  yield* hideContents(first.siteNo, numbers, now);
  yield* forgetDepartedContents(first.siteNo, ids);
  for (const statement of deletes) yield* queryBatch(statement, numbers);
  yield* takeFromCounts(contents);
}
