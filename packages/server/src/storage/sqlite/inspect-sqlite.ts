// Looks at a database file without changing it: no migration, no write-ahead log where there is none, no new file.

import { DatabaseUnusable } from '../engine.ts';
import type { FileInspection } from '../inspection.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { describeSqliteError, translateOpenError } from './sqlite-errors.ts';

/** @param path of a file that is there */
export function inspectSqlite(path: string): FileInspection {
  const connection = open(path);
  return {
    journalMode: String(connection.readPragma('journal_mode')[0]),
    read: (procedure) => connection.run(procedure),
    findDamage: () => findDamage(connection),
    countDeadReferences: () => connection.readPragma('foreign_key_check').length / 4,
    close: () => connection.close(),
  };
}

function open(path: string): SqliteConnection {
  try {
    const connection = new SqliteConnection(path, 'pragma query_only = 1', 'kept');
    connection.readPragma('schema_version');
    return connection;
  } catch (error) {
    const translated = translateOpenError(error, path);
    throw translated instanceof Error ? translated : new DatabaseUnusable(String(translated));
  }
}

function findDamage(connection: SqliteConnection): string | undefined {
  try {
    const [fault] = connection.readPragma('quick_check(1)');
    return fault === 'ok' ? undefined : String(fault);
  } catch (error) {
    return describeSqliteError(error);
  }
}
