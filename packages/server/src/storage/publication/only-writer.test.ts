// Only the code in this folder may advance generations or write the data that readers see. That way, no caller can do one and forget the
// other. The exceptions are migrations and copies of whole databases.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', '..');
const EXEMPT = ['storage/publication/', 'storage/migrations/', 'storage/postgres/copy-target.ts'];

/** Tables that are not read models and whose names are known only at run time. */
const OTHER_TABLES = ['storage/batch.ts: table', 'storage/sites/write-site.ts: table'];

const WRITE = /\b(?:insert into|update|delete from)\s+(\w+|\$\{[^}]*\}?)/g;
const INSERT_MANY = /defineInsertMany\(\s*([`'"][^`'"]*[`'"]|\w+)/g;
const MOVE = /\b(?:generation|preview_generation|catalog|shown_catalog) = /;

function listSources(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(SOURCE, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}

/** The tables that a file writes to, or the expressions for their names. */
function listWritten(text: string): readonly string[] {
  return [...text.matchAll(WRITE), ...text.matchAll(INSERT_MANY)].map(([, table = '']) => table);
}

const others = listSources().filter(({ path }) => EXEMPT.every((start) => !path.startsWith(start)));

test('no file outside this folder writes to a read model or to the change log', () => {
  const found = others.flatMap(({ path, text }) =>
    listWritten(text)
      .filter((table) => /published_|preview_(?!settings)|^'?changes|\$\{/.test(table))
      .map((table) => `${path}: ${table.replace(/^\$\{(?:sql\.table\()?|\)?\}?$/g, '')}`),
  );
  expect([...new Set(found)].filter((each) => !OTHER_TABLES.includes(each))).toEqual([]);
});

test('no file outside this folder advances a generation', () => {
  const found = others.filter(({ text }) =>
    [...text.matchAll(/update sites set[^`]*`/g)].some(([statement]) => MOVE.test(statement)),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('the patterns in these tests detect writes', () => {
  const own = listSources().filter(({ path }) => path.startsWith('storage/publication/'));
  const written = own.flatMap(({ text }) => listWritten(text));
  expect(written.filter((table) => table.includes('model')).length).toBeGreaterThan(0);
  expect(listWritten('sql`update published_contents set name')).toEqual(['published_contents']);
  expect(listWritten("defineInsertMany('published_links', x)")).toEqual(["'published_links'"]);
  expect(written).toEqual(expect.arrayContaining(['changes', "'changes'"]));
});
