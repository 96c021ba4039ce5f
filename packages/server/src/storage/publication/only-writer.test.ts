// Only the code in this folder may advance generations or write the data that readers see. That way, no caller can do one and forget the
// other. The exceptions are migrations and copies of whole databases. Each table that responses also depend on has one writer, which
// announces its changes to this folder.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', '..');
const EXEMPT = ['storage/publication/', 'storage/migrations/', 'storage/postgres/copy-target.ts'];

/** Tables that are not read models and whose names are known only at run time. */
const OTHER_TABLES = ['storage/batch.ts: table', 'storage/sites/write-site.ts: table'];

/** The tables that public responses depend on apart from the read models, and the only files that write to them. */
const ANNOUNCED = [
  'storage/sites/write-site.ts: sites',
  'storage/sites/authors.ts: authors',
  'storage/sites/assets.ts: assets',
  'storage/types/write-types.ts: content_types',
  'storage/types/write-types.ts: fields',
];

/** Statements that write to these tables, but set only columns that no response depends on. */
const UNSEEN = [
  'storage/sites/asset-folders.ts: update assets set folder, folder_key',
  'storage/sites/asset-settings.ts: update sites set keeps_location, upload_types, most_upload_mb, most_megapixels, image_access, requires_description',
];

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

/** The statement's first words and the columns that it sets. */
function describeUpdate(statement: string): string {
  const [start = '', assignments = ''] = statement.split(/(?<= set )/);
  const columns = assignments.split(/\s+where\s/)[0]?.matchAll(/(\w+) = /g) ?? [];
  return `${start}${[...columns].map(([, column]) => column).join(', ')}`;
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

test('only files that announce their changes write to the other tables that responses depend on', () => {
  const tables = new Set(ANNOUNCED.map((each) => each.split(': ')[1]));
  const files = others.map(({ path, text }) => {
    const unseen = [...text.matchAll(/update \w+ set [^`]*/g)].filter(([statement]) =>
      UNSEEN.includes(`${path}: ${describeUpdate(statement)}`),
    );
    return { path, text: unseen.reduce((rest, [statement]) => rest.replace(statement, ''), text) };
  });
  const found = files.flatMap(({ path, text }) =>
    listWritten(text)
      .map((table) => table.replaceAll(/['"`]/g, ''))
      .filter((table) => tables.has(table))
      .map((table) => `${path}: ${table}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(ANNOUNCED.toSorted());
  const announcing = others.filter(({ text }) => /(?<!function\* )\bannounce\(/.test(text)).map(({ path }) => path);
  expect(announcing).toEqual(expect.arrayContaining(ANNOUNCED.map((each) => each.split(': ')[0])));
});

test('the patterns in these tests detect writes', () => {
  const own = listSources().filter(({ path }) => path.startsWith('storage/publication/'));
  const written = own.flatMap(({ text }) => listWritten(text));
  expect(written.filter((table) => table.includes('model')).length).toBeGreaterThan(0);
  expect(listWritten('sql`update published_contents set name')).toEqual(['published_contents']);
  expect(listWritten("defineInsertMany('published_links', x)")).toEqual(["'published_links'"]);
  expect(describeUpdate('update assets set folder = x, folder_key = y\n  where no = 1')).toBe(
    'update assets set folder, folder_key',
  );
  expect(written).toEqual(expect.arrayContaining(['changes', "'changes'"]));
});
