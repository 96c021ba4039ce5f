import { sql } from 'kysely';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Puts a database into a state that the service itself never creates. */
export async function runSql(storage: Storage, text: string): Promise<void> {
  const statement = defineStatement(() => sql.raw(text));
  await storage.transaction((transaction) => transaction.run(query(statement)));
}
