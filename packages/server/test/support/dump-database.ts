import { DatabaseSync } from 'node:sqlite';

/** Every row of every table; used to detect changes. */
export function dumpDatabase(path: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), database.prepare(`select * from "${String(name)}"`).all()]),
    );
  } finally {
    database.close();
  }
}
