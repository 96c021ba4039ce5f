// On PostgreSQL, importing many objects at once has its own code. many-at-once.full.test.ts contains the same test for SQLite.

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { author, content, contentType, site } from '../conformance/records.ts';
import { importRecords } from '../storage/editor.ts';
import { createTestDatabase } from '../support/test-database.ts';

const MANY = 1100;
const CATALOG = [
  site('s_one'),
  author('u_ada', 'Ada', { site: 's_one' }),
  contentType('s_one', 'note', [
    { handle: 'line', type: 'text' },
    { handle: 'rank', type: 'number' },
    { handle: 'lit', type: 'boolean' },
    { handle: 'near', type: 'content_links' },
  ]),
];

/** All objects are alike, except that every hundredth one has a draft. */
function buildNote(index: number): object {
  return content({
    id: `c_${index}`,
    site: 's_one',
    author: 'u_ada',
    fields: {
      line: { text: `Größe ${index % 7}` },
      rank: { number: index / 4 },
      lit: { is_on: index % 2 === 0 },
      near: { content_links: [`c_${Math.floor(index / 2)}`] },
    },
    ...(index % 100 === 50 ? { draft: { name: 'newer' } } : {}),
  });
}

test('importing a very large number of objects results in the same rows as importing fewer at a time', async () => {
  const notes = Array.from({ length: MANY }, (_, index) => buildNote(index));
  const [storage, other] = [await openEmpty(), await openEmpty()];
  await importRecords(storage, [...CATALOG, ...notes]);
  await importRecords(other, [...CATALOG, ...notes.slice(0, MANY / 2)]);
  await importRecords(other, notes.slice(MANY / 2));
  const left = await readTables(storage);
  expect(left).toMatchObject({ published_bodies: { length: MANY }, preview_bodies: { length: MANY / 100 } });
  expect(left).toEqual(await readTables(other));
});

async function openEmpty(): Promise<Storage> {
  const database = await createTestDatabase('postgres');
  const storage = await openStorage(database.url, Date.now());
  onTestFinished(async () => {
    await storage.close();
    await database.remove();
  });
  return storage;
}

async function readTables(storage: Storage): Promise<object> {
  const tables = ['contents', 'content_counts', 'content_versions'];
  for (const name of ['contents', 'bodies', 'texts', 'numbers', 'tokens', 'links']) {
    tables.push(`published_${name}`, `preview_${name}`);
  }
  const dumped: Record<string, readonly string[]> = {};
  for (const table of tables) {
    const rows = await storage.read(query(defineStatement(() => sql`select * from ${sql.table(table)}`)));
    dumped[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return dumped;
}
