// A separate thread prepares large imports. Only the speed may differ. The data written, the errors reported, and
// the data that remains if the thread itself fails must be the same.

import { randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { PreparedLines } from '../../src/bundle/prepared-lines.ts';
import { selectSites } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const MANY = 1100;
const FEW = 3;
const AUTHOR = { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada' };
const ASSET = { kind: 'asset', id: 'a_1', site: 's_small', name: 'Photo', url: '/photo.jpg' };

function listPosts(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => postRecord(`c_${index}`, { author: 'u_ada' }));
}

function strictType(): object {
  const fields = [{ handle: 'must', type: 'text', required: true }];
  return { kind: 'content_type', id: 't_strict', site: 's_small', handle: 'strict', name: 'Strict', fields };
}

describe('an invalid record after many others', () => {
  test.each<[string, readonly object[]]>([
    ['of an unknown type', [postRecord('c_x', { content_type: 'page' })]],
    ['in an unknown language', [postRecord('c_x', { language: 'it' })]],
    ['on an unknown site', [postRecord('c_x', { site: 's_other' })]],
    ['by an unknown author', [postRecord('c_x', { author: 'u_bob' })]],
    ['with an invalid value', [postRecord('c_x', { fields: { rank: { number: 'one' }, more: {} } })]],
    [
      'without a value that its new type requires',
      [strictType(), postRecord('c_x', { content_type: 'strict', fields: {} })],
    ],
    ['with an invalid SEO property', [postRecord('c_x', { seo: { titel: 'x' } })]],
    ['with an invalid property', [postRecord('c_x', { slug: 'a b' })]],
    ['with an impossible schedule', [postRecord('c_x', { status: 'archived', publish_at: '2026-02-01T00:00:00Z' })]],
    ['that already exists', [postRecord('c_1')]],
    ['that occurs twice', [postRecord('c_x'), postRecord('c_x')]],
    ['with the slug of another record', [postRecord('c_x', { slug: 'c-1' })]],
    ['with the slug of the record next to it', [postRecord('c_x'), postRecord('c_y', { slug: 'c-x' })]],
    ['with the slug of another record, to be published later', [postRecord('c_x', { slug: 'c-1', status: 'draft' })]],
    ['that links to nothing', [postRecord('c_x', { fields: { related: { content_links: ['c_gone'] } } })]],
    ['that translates itself', [postRecord('c_x', { translation_of: 'c_x' })]],
    ['of an unknown kind', [{ kind: 'page', id: 'x' }]],
    ['that is followed by another one', [postRecord('c_x', { name: ' ' }), postRecord('c_y', { author: 'u_bob' })]],
  ])('%s is rejected with the same message and its own line number', async (_, wrong) => {
    await using database = await openImportDatabase();
    const refuse = async (before: number) => {
      const said = await database.refuse(AUTHOR, ...listPosts(before), ...wrong, postRecord('c_last'));
      return said.split('\n').map((fault) => {
        // Line numbers in messages must also be correct after the first invalid record.
        const [line, ...words] = fault.replace(new RegExp(`on line ${before + 2}$`), 'on the first line').split(': ');
        return { line: Number(line) - before, words };
      });
    };
    expect(await refuse(MANY)).toEqual(await refuse(FEW));
  });

  test('is rejected with the same message and its own line number if it is not valid JSON', async () => {
    await using database = await openImportDatabase();
    const importBefore = (before: number) =>
      database.importText(
        `${toLines([AUTHOR, ...listPosts(before)])}{"kind":"content",\n${toLines([postRecord('c_last')])}`,
      );
    await expect(importBefore(MANY)).rejects.toMatchObject({ faults: [{ line: MANY + 2 }] });
    const refuse = (before: number) =>
      importBefore(before).catch((error: unknown) => String(error).replace(`line ${before + 2}`, 'its line'));
    expect(await refuse(MANY)).toBe(await refuse(FEW));
  });
});

describe('many objects', () => {
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
        title: { text: `Title ${index % 100}` },
        photos: { assets: ['a_1'] },
        ...(index % 6 === 0 ? { rank: { number: index } } : {}),
        ...(index % 9 === 0 ? { related: { content_links: [`c_${Math.floor(index / 2)}`] } } : {}),
      },
    });
  }

  test('are written exactly as if they were imported one by one', async () => {
    const type = typeRecord();
    const fields = [...type.fields, { handle: 'photos', type: 'assets' }];
    const catalog = [siteRecord(), { ...type, fields }, AUTHOR, ASSET];
    const posts = Array.from({ length: MANY }, (_, index) => buildPost(index));
    const dumpAfter = async (bundles: readonly (readonly object[])[]) => {
      await using folder = await makeFolder();
      const path = join(folder.path, 'galley.db');
      const storage = await openSqlite(path, 0);
      for (const [index, records] of bundles.entries()) {
        const file = join(folder.path, `${index}.ndjson`);
        await writeFile(file, toLines(records));
        await importBundle(storage, file, { now: 1000, newUuid: buildUuids(), onProgress: () => {} });
      }
      await storage.close();
      const { sites: _sites, installation_keys: _key, ...tables } = dumpDatabase(path);
      return tables;
    };
    const half = MANY / 2;
    const atOnce = await dumpAfter([[...catalog, ...posts]]);
    const inHalves = await dumpAfter([[...catalog, ...posts.slice(0, half)], posts.slice(half)]);
    expect(atOnce.contents).toHaveLength(MANY);
    expect(atOnce).toEqual(inHalves);
  });
});

function buildUuids(): () => string {
  let given = 0;
  return () => `019b76da-a800-7000-8000-${String(given++).padStart(12, '0')}`;
}

describe('a thread that fails', () => {
  async function importWith(program: string) {
    await using folder = await makeFolder();
    const file = join(folder.path, 'many.ndjson');
    await writeFile(file, toLines([siteRecord(), typeRecord(), AUTHOR, ...listPosts(MANY)]));
    const storage = await openSqlite(join(folder.path, 'galley.db'), 0);
    try {
      const attempt = importBundle(storage, file, {
        now: 0,
        newUuid: randomUUIDv7,
        onProgress: () => {},
        openThread: (task) => new PreparedLines(task, new URL(`data:text/javascript,${encodeURIComponent(program)}`)),
      });
      const outcome = await attempt.catch((error: unknown) => String(error));
      return { outcome, sites: await storage.read(selectSites()) };
    } finally {
      await storage.close();
    }
  }

  test('ends the import with its error, and nothing is imported', async () => {
    const outcome = await importWith(`throw new Error('out of paper')`);
    expect(outcome).toEqual({ outcome: 'Error: out of paper', sites: [] });
  });

  test('ends the import even if the failure is silent, and nothing is imported', async () => {
    const outcome = await importWith('process.exit(0)');
    const message = 'Error: The thread that prepares content exited before the end of the file';
    expect(outcome).toEqual({ outcome: message, sites: [] });
  });
});
