// A separate thread prepares large imports. The errors reported must be the same as in small imports, and nothing may remain if the thread
// itself fails. The data written is compared in many-at-once.full.test.ts.

import { randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { PreparedLines } from '../../src/bundle/prepared-lines.ts';
import { selectSites } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const MANY = 1100;
const FEW = 3;
const AUTHOR = { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada' };

function listPosts(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => postRecord(`c_${index}`, { author: 'u_ada' }));
}

function strictType(): object {
  const fields = [{ handle: 'must', type: 'text', required: true }];
  return { kind: 'content_type', id: 't_strict', site: 's_small', handle: 'strict', name: 'Strict', fields };
}

describe('invalid records after many others', () => {
  test('are rejected with the same messages and their own line numbers', async () => {
    await using database = await openImportDatabase();
    const wrong: readonly object[] = [
      postRecord('c_type', { content_type: 'page' }),
      postRecord('c_language', { language: 'it' }),
      postRecord('c_site', { site: 's_other' }),
      postRecord('c_author', { author: 'u_bob' }),
      postRecord('c_value', { fields: { rank: { number: 'one' }, more: {} } }),
      strictType(),
      postRecord('c_required', { content_type: 'strict', fields: {} }),
      postRecord('c_seo', { seo: { titel: 'x' } }),
      postRecord('c_property', { slug: 'a b' }),
      postRecord('c_schedule', { status: 'archived', publish_at: '2026-02-01T00:00:00Z' }),
      postRecord('c_0'),
      postRecord('c_twice'),
      postRecord('c_twice'),
      postRecord('c_slug', { slug: 'c-1' }),
      postRecord('c_next'),
      postRecord('c_next_slug', { slug: 'c-next' }),
      postRecord('c_later', { slug: 'c-2', status: 'draft' }),
      postRecord('c_link', { fields: { related: { content_links: ['c_gone'] } } }),
      postRecord('c_itself', { translation_of: 'c_itself' }),
      { kind: 'page', id: 'x' },
      postRecord('c_name', { name: ' ' }),
      postRecord('c_last', { author: 'u_bob' }),
    ];
    const refuse = async (before: number) => {
      const said = await database.refuse(AUTHOR, ...listPosts(before), ...wrong);
      return said.split('\n').map((fault) => {
        // Line numbers in messages must also be correct after the first invalid record.
        const relative = (line: string): string => String(Number(line) - before);
        return fault.replace(/^\d+/, relative).replace(/(?<=on line )\d{2,}/, relative);
      });
    };
    const said = await refuse(MANY);
    expect(said).toHaveLength(20);
    expect(said).toEqual(await refuse(FEW));
  });

  test('are rejected with the same message and their own line number if they are not valid JSON', async () => {
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
