import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { SCHEMA_VERSION } from '../../src/storage/migrations.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { createPostgresDatabase, createSqliteDatabase } from '../support/test-database.ts';

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));

test.each([
  ['sqlite', createSqliteDatabase],
  ['postgres', createPostgresDatabase],
] as const)(
  'a new database is prepared exactly once on %s, even if many processes open it at the same time',
  async (_engine, create) => {
    const fresh = await create();
    const run = promisify(execFile);
    const command = [OTHER_PROCESS, JSON.stringify(fresh.url), 'open'];
    await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, command)));
    const prepared = await openStorage(fresh.url, Date.now());
    const rows = await prepared.read(query(defineStatement(() => sql`select version from schema_versions`)));
    expect(rows).toHaveLength(SCHEMA_VERSION);
    await prepared.close();
    await fresh.remove();
  },
);
