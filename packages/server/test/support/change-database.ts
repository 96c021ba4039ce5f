import { DatabaseSync } from 'node:sqlite';

/** Changes a database as another program could. */
export function changeDatabase(path: string, text: string): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec(text);
  } finally {
    database.close();
  }
}
