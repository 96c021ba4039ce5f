import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';

const listTables = defineStatement(() =>
  process.env.TEST_ENGINE === 'postgres'
    ? sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`
    : sql`select name from sqlite_schema where type = 'table' order by name`,
);

/** The tables that contain the word in any row, ignoring case. */
export function findTablesWith(storage: Storage, word: string): Promise<readonly string[]> {
  function* search(): Procedure<readonly string[]> {
    const found: string[] = [];
    for (const { name } of yield* query<{ name: string }>(listTables)) {
      const rows = yield* query(defineStatement(() => sql`select * from ${sql.table(name)}`));
      if (JSON.stringify(rows).toLowerCase().includes(word.toLowerCase())) found.push(name);
    }
    return found;
  }
  return storage.read(search());
}
