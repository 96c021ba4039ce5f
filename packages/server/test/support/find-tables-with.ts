import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';

const LIST_TABLES = {
  sqlite: defineStatement(() => sql`select name from sqlite_schema where type = 'table' order by name`),
  postgres: defineStatement(
    () => sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  ),
};

/** The tables that contain the word in any row, ignoring case. */
export async function findTablesWith(storage: Storage, word: string): Promise<readonly string[]> {
  const tables = Object.entries(await readTables(storage));
  return tables.flatMap(([name, rows]) => (rows.toLowerCase().includes(word.toLowerCase()) ? [name] : []));
}

/** The rows of every table, as text. */
export function readTables(storage: Storage): Promise<Readonly<Record<string, string>>> {
  function* read(): Procedure<Readonly<Record<string, string>>> {
    const tables: [name: string, rows: string][] = [];
    for (const { name } of yield* query<{ name: string }>(LIST_TABLES[storage.address.engine])) {
      const rows = yield* query(defineStatement(() => sql`select * from ${sql.table(name)}`));
      tables.push([name, JSON.stringify(rows)]);
    }
    return Object.fromEntries(tables);
  }
  return storage.read(read());
}
