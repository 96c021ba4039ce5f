// Many rows at once: indexes that nothing looks at meanwhile are taken away, and sorted once when the rows are there,
// which costs far less than to keep them with every row. Readers see none of this: it is part of the transaction.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../statement.ts';

/** The same bound holds for the pages at hand and for what is sorted. */
const ROOM = 'cache_size = -32000';

interface FilledConnection {
  run<Outcome>(procedure: Procedure<Outcome>): Outcome;
  execute(text: string): void;
  /** Returns the setting that held before. */
  exchangeSetting(setting: string): string;
}

interface IndexRow {
  readonly name: string;
  readonly sql: string;
}

// Unique indexes stay: they hold a rule that every row has to meet.
const selectPlainIndexes = defineStatement(
  () => sql`select name, sql from sqlite_schema where type = 'index' and sql like 'create index %' order by rowid`,
);

function* selectIndexes(): Procedure<readonly IndexRow[]> {
  return yield* query<IndexRow>(selectPlainIndexes);
}

/** If the work fails, the indexes are gone: the transaction has to be rolled back. */
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
