// Writes many rows at once: indexes that the work does not need are dropped first, and rebuilt after the rows are inserted. That costs far
// less than updating them for every row. Readers are not affected, because all of this is part of the transaction.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../statement.ts';

/** The memory limit for cached pages and for sorting. */
const ROOM = 'cache_size = -32000';

interface FilledConnection {
  run<Outcome>(procedure: Procedure<Outcome>): Outcome;
  execute(text: string): void;
  /** Returns the previous setting. */
  exchangeSetting(setting: string): string;
}

interface IndexRow {
  readonly name: string;
  readonly sql: string;
}

// Unique indexes are kept, because every row must satisfy their constraints.
const selectPlainIndexes = defineStatement(
  () => sql`select name, sql from sqlite_schema where type = 'index' and sql like 'create index %' order by rowid`,
);

function* selectIndexes(): Procedure<readonly IndexRow[]> {
  return yield* query<IndexRow>(selectPlainIndexes);
}

/** If the work fails, the indexes are missing, so the transaction must be rolled back. */
export async function fillWithoutIndexes<Outcome>(
  connection: FilledConnection,
  mayGo: (index: string) => boolean,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const indexes = connection.run(selectIndexes()).filter(({ name }) => mayGo(name));
  const cacheSize = connection.exchangeSetting(ROOM);
  try {
    for (const { name } of indexes) connection.execute(`drop index ${name}`);
    const outcome = await work();
    for (const index of indexes) connection.execute(index.sql);
    return outcome;
  } finally {
    connection.exchangeSetting(cacheSize);
  }
}
