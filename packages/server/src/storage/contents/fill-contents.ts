// Bringing very much content at once. What only lists are read by, of readers and of editors, is put off to the end.

import { sql } from 'kysely';
import type { Transaction } from '../engine.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** Below this, making all indexes again costs more than it saves. */
export const LEAST_CONTENTS = 1000;

/** What an import looks at while it writes is not among them. */
const LIST_INDEXES =
  /^(published|preview)_(contents|texts|numbers)_|^contents_(updated_at|created_at|name_key|author|type)$|^content_versions_author$/;

const selectBehind = defineStatement(
  () => sql`select no from contents order by no limit 1 offset ${slot('count')} + 0`,
);

/**
 * @param expected about how many content objects the work writes
 * @param work is told whether it fills the database, or adds to it
 */
export async function fillContents<Outcome>(
  transaction: Transaction,
  expected: number,
  work: (isFill: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const isFill = expected >= LEAST_CONTENTS && !(await transaction.run(hasMoreContents(expected)));
  return isFill
    ? transaction.fill(
        (index) => LIST_INDEXES.test(index),
        () => work(true),
      )
    : work(false);
}

function* hasMoreContents(count: number): Procedure<boolean> {
  return (yield* query(selectBehind, { count })).length > 0;
}
