import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { defineStatement, query } from '../statement.ts';
import { SqliteConnection } from './sqlite-connection.ts';

test('assigns each state its own stamp, even after replacing a connection that had too many statements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-connection-'));
  const path = join(folder, 'content.db');
  const connection = new SqliteConnection(path, 'pragma query_only = 1');
  const readStamp = (): number => {
    const stamp = connection.openSnapshot();
    connection.closeSnapshot();
    return stamp;
  };
  const before = readStamp();
  for (let no = 0; no <= 1000; no += 1) {
    expect(connection.openSnapshot()).toBe(before);
    connection.run(query(defineStatement(() => sql`select ${sql.lit(no)}`)));
    connection.closeSnapshot();
  }
  const writer = new DatabaseSync(path);
  writer.exec('create table anything (no integer)');
  writer.close();
  expect(readStamp()).not.toBe(before);
  expect(readStamp()).toBe(readStamp());
  connection.close();
  rmSync(folder, { recursive: true });
});
