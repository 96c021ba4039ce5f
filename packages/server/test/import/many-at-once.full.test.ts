// Importing many objects uses a separate thread, drops the list indexes and rebuilds them at the end. Only the speed may differ.

import { randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

const MANY = 1200;
const NOW = Date.UTC(2026, 0, 1);
const ID = '019b76da-a800-7000-8000-000000000000';

async function openDatabase() {
  const folder = await makeFolder();
  const path = join(folder.path, 'galley.db');
  const storage = await openSqlite(path, NOW);
  return {
    path,
    async importRecords(records: readonly object[]): Promise<number> {
      const file = join(folder.path, `${randomUUIDv7()}.ndjson`);
      await writeFile(file, toLines(records));
      let given = 0;
      const newUuid = () => ID.replace(/.$/, String(given++));
      return (await importBundle(storage, file, { now: NOW, newUuid, onProgress: () => {} })).changed;
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The schema and all data, except for the number of changes to each site. */
function describeDatabase(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const definitions = database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
    const integrity = database.prepare('pragma integrity_check').all();
    const { sites: _sites, installation_keys: _key, ...tables } = dumpDatabase(path);
    return { definitions, integrity, tables };
  } finally {
    database.close();
  }
}

/** Objects of every status, with and without optional properties. Some defaults are known only to the import itself. */
function buildPost(index: number): object {
  const status = ['published', 'published', 'draft', 'archived', 'unpublished', 'published', 'published'][index % 7];
  return postRecord(`c_${index}`, {
    status,
    author: index % 3 === 0 ? null : 'u_ada',
    published_at: index % 2 === 0 || status !== 'published' ? null : '2026-01-01T00:00:00+00:00',
    ...(index % 4 === 0 ? { created_at: '2025-01-01T00:00:00+00:00', updated_at: '2025-06-01T00:00:00+00:00' } : {}),
    ...(index % 5 === 0 ? { uri: `own/${index}`, seo: { title: `Größe ${index}` } } : {}),
    ...(index % 10 === 1 ? { language: 'fr' } : {}),
    ...(index % 50 === 7 ? { translation_of: `c_${index - 1}`, language: 'fr' } : {}),
    ...(index % 20 === 6 && status === 'published' ? { draft: { name: 'Newer' } } : {}),
    fields: {
      title: { text: `Title ${(index * 7919) % MANY}` },
      photos: { assets: ['a_1'] },
      ...(index % 6 === 0 ? { rank: { number: index % 10 } } : {}),
      ...(index % 9 === 0 ? { related: { content_links: [`c_${Math.floor(index / 2)}`] } } : {}),
    },
  });
}

const TYPE = typeRecord();
const CATALOG = [
  siteRecord(),
  { ...TYPE, fields: [...TYPE.fields, { handle: 'photos', type: 'assets' }] },
  { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada' },
  { kind: 'asset', id: 'a_1', site: 's_small', name: 'Photo', url: '/photo.jpg' },
];
const POSTS = Array.from({ length: MANY }, (_, index) => buildPost(index));

test('importing one file with many objects results in the same data as importing small files', async () => {
  await using many = await openDatabase();
  await using few = await openDatabase();
  expect(await many.importRecords([...CATALOG, ...POSTS])).toBe(MANY + CATALOG.length);
  await few.importRecords([...CATALOG, ...POSTS.slice(0, MANY / 2)]);
  await few.importRecords(POSTS.slice(MANY / 2));
  const left = describeDatabase(many.path);
  expect(left).toEqual(describeDatabase(few.path));
  expect(left.integrity).toEqual([{ integrity_check: 'ok' }]);
  expect(await many.importRecords([...CATALOG, ...POSTS])).toBe(0);
  expect(describeDatabase(many.path)).toEqual(left);
});

test('importing many objects adds to the few existing objects and changes some of them', async () => {
  await using database = await openDatabase();
  await database.importRecords([...CATALOG, ...POSTS.slice(0, 300)]);
  const empty = describeDatabase(database.path);
  const renamed = POSTS.slice(100).map((post, index) => (index < 50 ? { ...post, name: 'Renamed' } : post));
  expect(await database.importRecords(renamed)).toBe(50 + MANY - 300);
  const left = describeDatabase(database.path);
  expect(left.definitions).toEqual(empty.definitions);
  expect(left.integrity).toEqual([{ integrity_check: 'ok' }]);
  expect(left.tables.contents).toHaveLength(MANY);
});

test('importing many objects leaves nothing behind if the last one is rejected', async () => {
  await using database = await openDatabase();
  await database.importRecords([...CATALOG, ...POSTS.slice(0, 10)]);
  const before = describeDatabase(database.path);
  const attempt = database.importRecords([...POSTS, postRecord('c_last', { slug: 'c-0' })]);
  await expect(attempt).rejects.toThrow('field slug: c-0 is taken by c_0 (same type and language)');
  expect(describeDatabase(database.path)).toEqual(before);
  expect(await database.importRecords(POSTS)).toBe(MANY - 10);
});
