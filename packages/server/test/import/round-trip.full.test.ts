// An export can be imported again. Imported into an empty database, it creates the same site, which exports to the same bytes.

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishById, unpublishById } from '../../src/authoring/command-work.ts';
import { exportBundle } from '../../src/bundle/export-bundle.ts';
import { openBundleFiles } from '../../src/bundle/take-bundle-files.ts';
import { locateInPackage } from '../../src/package-folder.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { changeDatabase } from '../support/change-database.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines } from '../support/small-site.ts';
import { exportText, importFile, importText } from './export-database.ts';

const TYPE = {
  kind: 'content_type',
  id: 't_post',
  site: 's_small',
  handle: 'post',
  name: 'Post',
  uri_pattern: '{language}/blog/{slug}',
  fields: [
    { handle: 'title', type: 'text', help_text: 'Shown first', format: 'markdown', max_length: 80 },
    { handle: 'secret', type: 'text', required: true, hidden: true },
    { handle: 'rank', type: 'number', min: -5, max: 5.5, integer: false },
    { handle: 'flag', type: 'boolean' },
    { handle: 'day', type: 'date' },
    { handle: 'tags', type: 'list', min_items: 0, max_items: 9 },
    { handle: 'colour', type: 'option', options: ['red', 'blue'].map((value) => ({ label: `The ${value}`, value })) },
    { handle: 'photos', type: 'assets', allowed_kinds: ['image/'] },
    { handle: 'parts', type: 'blocks', allowed_types: ['quote'] },
    { handle: 'related', type: 'content_links', allowed_types: ['post'] },
  ],
};
const BLOCK = {
  kind: 'content_type',
  id: 't_quote',
  site: 's_small',
  handle: 'quote',
  name: 'Quote',
  object_type: 'block',
  fields: [
    { handle: 'words', type: 'text' },
    { handle: 'tint', type: 'option', options: [{ label: 'Red', value: 'red' }] },
    { handle: 'sources', type: 'content_links' },
  ],
};
const AUTHOR = { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada', email: 'ada@small.example' };
const ASSET = { kind: 'asset', id: 'a_1', site: 's_small', name: 'Photo', url: 'https://small.example/1.jpg' };
const FIELDS = {
  title: { text: '' },
  secret: { text: 'kept' },
  rank: { number: 0.1 },
  flag: { is_on: false },
  day: { date: '2024-02-29T10:00:00+02:00' },
  tags: { list: ['', 'two'] },
  colour: { selected_option: 'red' },
  photos: { assets: ['a_1'] },
  parts: {
    blocks: [
      { content_type: 'quote', name: 'First', fields: { words: { text: 'x' }, tint: { selected_option: 'red' } } },
      { content_type: 'quote' },
    ],
  },
  related: { content_links: ['c_base'] },
};
const REMOVED = Object.fromEntries(Object.keys(FIELDS).map((handle) => [handle, null]));
const SEO = { title: 'T', robots: 'noindex', open_graph: { title: 'OG', image_width: 10, url: 'https://x.example' } };

async function openSource(...contents: readonly object[]) {
  const folder = await makeFolder();
  const path = join(folder.path, 'source.db');
  const storage = await openSqlite(path, Date.now());
  await importText(storage, folder.path, toLines([siteRecord(), TYPE, BLOCK, AUTHOR, ASSET, postRecord('c_base')]));
  if (contents.length > 0) await importText(storage, folder.path, toLines(contents));
  return {
    path,
    storage,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The data visible to readers and editors, without the database's row numbers. */
function readState(path: string): object {
  const tables = dumpDatabase(path);
  const ids = new Map((tables.contents ?? []).map((row) => [Object(row).no, Object(row).id]));
  const bodies = (table: string) =>
    (tables[table] ?? []).map((row) => {
      const { id, slug, uri, published_at, created_at, updated_at, name } = Object(row);
      return { id, slug, uri, published_at, created_at, updated_at, name };
    });
  const versions = (tables.content_versions ?? []).map((row) => {
    const { content_no, number, saved_at, uri, seo, fields, name, slug } = Object(row);
    return { id: ids.get(content_no), number, saved_at, uri, seo, fields, name, slug };
  });
  const records = (tables.contents ?? []).map((row) => {
    const { no, site_no, type_no, author_no, source_digest, newest_version, published_version, ...rest } = Object(row);
    return { ...rest, hasNewer: newest_version !== published_version };
  });
  const newest = versions.filter(({ id, number }) => {
    const record = (tables.contents ?? []).map(Object).find((each) => each.id === id);
    return number === record.newest_version || number === record.published_version;
  });
  const withoutNumber = newest.map(({ number, ...version }) => version);
  return {
    records: sort(records),
    versions: sort(withoutNumber),
    published: sort(bodies('published_contents')),
    preview: sort(bodies('preview_contents')),
  };
}

function sort(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Exports, imports into an empty database, and exports again. Returns the exported text. */
async function expectRoundTrip(source: Awaited<ReturnType<typeof openSource>>): Promise<string> {
  const text = await exportText(source.storage, 's_small');
  const copyPath = join(source.folder, 'copy.db');
  const copy = await openSqlite(copyPath, Date.now());
  try {
    await importText(copy, source.folder, text);
    expect(await exportText(copy, 's_small')).toBe(text);
    expect(readState(copyPath)).toEqual(readState(source.path));
  } finally {
    await copy.close();
  }
  return text;
}

function lineOf(text: string, id: string): Record<string, unknown> {
  const line = text.split('\n').find((each) => each.includes(`"id":"${id}"`));
  return JSON.parse(line ?? '{}');
}

/** Puts the files where the exported bundle expects them. */
async function copyExportedFiles(from: string, bundle: string, folder: string): Promise<void> {
  for (const [, path = '', name = ''] of bundle.matchAll(/"file":"(files\/\w+\/([^"]+))"/g)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await copyFile(join(from, name), join(folder, path));
  }
}

test('an export of the demo site can be imported into an empty database and exported again to the same bytes', async () => {
  await using folder = await makeFolder();
  const source = await openSqlite(join(folder.path, 'source.db'), Date.now());
  const copy = await openSqlite(join(folder.path, 'copy.db'), Date.now());
  try {
    await using files = openBundleFiles({ kind: 'folder', path: join(folder.path, 'assets') });
    const imported = await importFile(source, locateInPackage('demo/magazine.ndjson'), files);
    const text = await exportText(source, 's_demo');
    expect(text.split('\n')).toHaveLength(imported.changed + 1);
    await copyExportedFiles(locateInPackage('demo/files'), text, folder.path);
    const bundle = join(folder.path, 'again.ndjson');
    await writeFile(bundle, text);
    expect(await importFile(copy, bundle, files)).toEqual(imported);
    expect(await exportText(copy, 's_demo')).toBe(text);
  } finally {
    await source.close();
    await copy.close();
  }
});

describe.concurrent('exporting and importing', () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['all field types', { fields: FIELDS, seo: SEO, author: 'u_ada', uri: 'own/Path' }],
    ['content with only the required properties', {}],
    ['an empty URI', { uri: '' }],
    ['a time with milliseconds', { published_at: '2024-05-01T10:00:00.123Z', updated_at: '2024-05-01T10:00:00.007Z' }],
    ['times before 1970', { published_at: '1969-12-31T23:59:59.250Z', created_at: '0001-01-01T00:00:00Z' }],
    ['a draft without changes', { draft: {} }],
    [
      'a draft with values',
      { draft: { name: 'New', slug: 'new', uri: 'new', author: 'u_ada', seo: SEO, fields: FIELDS } },
    ],
    ['a draft saved later', { updated_at: '2024-01-01T00:00:00Z', draft: { updated_at: '2025-01-01T00:00:00Z' } }],
    [
      'a draft that removes everything',
      {
        ...{ fields: FIELDS, seo: SEO, author: 'u_ada', uri: 'own' },
        draft: {
          uri: null,
          author: null,
          seo: { title: null, robots: null, open_graph: { title: null } },
          fields: REMOVED,
        },
      },
    ],
    ['a draft that clears text', { fields: { title: { text: 'x' } }, draft: { fields: { title: { text: '' } } } }],
    ['a draft that adds empty text', { draft: { fields: { title: { text: '' } } } }],
    ['the draft status', { status: 'draft', fields: FIELDS }],
    ['unpublished content', { status: 'unpublished', fields: FIELDS, seo: SEO }],
    ['archived content', { status: 'archived', fields: FIELDS }],
    ['archived content whose slug other content uses', { status: 'archived', slug: 'c-base' }],
    ['a scheduled publish', { status: 'draft', publish_at: '2999-01-01T00:00:00.5Z' }],
    ['a scheduled unpublish', { unpublish_at: '2999-01-01T00:00:00Z' }],
    ['both schedules', { draft: {}, publish_at: '2998-01-01T00:00:00Z', unpublish_at: '2999-01-01T00:00:00Z' }],
    ['a translation', { language: 'fr', translation_of: 'c_base' }],
    ['content that links to itself', { fields: { related: { content_links: ['c_1', 'c_base'] } } }],
  ])('preserves %s', async (_, members) => {
    await using source = await openSource(postRecord('c_1', members));
    await expectRoundTrip(source);
  });

  test('preserves the times at which content was published and unpublished by hand, to the millisecond', async () => {
    await using source = await openSource(postRecord('c_1', { draft: { name: 'Changed' } }), postRecord('c_2'));
    const request = (contentId: string, now: number) => ({ contentId, siteId: 's_small', now });
    await publishById(source.storage, request('c_1', 1_700_000_000_123));
    await unpublishById(source.storage, request('c_2', 1_700_000_000_456));
    await unpublishById(source.storage, request('c_base', 1_700_000_000_457));
    await publishById(source.storage, request('c_base', 1_700_000_000_458));
    const text = await expectRoundTrip(source);
    expect(lineOf(text, 'c_base').published_at).toBe('2023-11-14T22:13:20.458+00:00');
  });
});

describe.concurrent('exporting and importing after later changes to the site', () => {
  test('preserves a link to content on another site that does not exist in the target database', async () => {
    await using source = await openSource();
    const other = { ...siteRecord('s_other') };
    const otherType = { ...TYPE, site: 's_other' };
    const foreign = { ...postRecord('c_far'), site: 's_other' };
    const fields = { related: { content_links: ['c_far', 'c_base'] } };
    const blocks = {
      parts: { blocks: [{ content_type: 'quote', fields: { sources: { content_links: ['c_far2'] } } }] },
    };
    await importText(
      source.storage,
      source.folder,
      toLines([
        ...[other, otherType, { ...BLOCK, site: 's_other' }, foreign, { ...postRecord('c_far2'), site: 's_other' }],
        postRecord('c_1', { fields, draft: { fields: blocks } }),
      ]),
    );
    const text = await exportText(source.storage, 's_small');
    expect(lineOf(text, 'c_1').absent).toEqual({ contents: ['c_far', 'c_far2'] });
    await expectSameExport(source.folder, text);
  });

  test('preserves an option that its field no longer has, including in a block', async () => {
    const blocks = { parts: { blocks: [{ content_type: 'quote', fields: { tint: { selected_option: 'red' } } }] } };
    await using source = await openSource(
      postRecord('c_1', { fields: { colour: { selected_option: 'blue' }, ...blocks } }),
    );
    const options = [{ label: 'Green', value: 'green' }];
    const withOptions = (record: typeof TYPE | typeof BLOCK) => ({
      ...record,
      fields: record.fields.map((field) => (field.type === 'option' ? { ...field, options } : field)),
    });
    await importText(source.storage, source.folder, toLines([withOptions(TYPE), withOptions(BLOCK)]));
    const text = await expectRoundTrip(source);
    expect(lineOf(text, 'c_1')).toMatchObject({
      fields: { colour: { selected_option: 'blue' } },
      absent: { options: ['blue', 'red'] },
    });
  });

  test('preserves a reference to a deleted asset', async () => {
    await using source = await openSource(postRecord('c_1', { fields: { photos: { assets: ['a_1'] } } }));
    changeDatabase(source.path, 'delete from assets');
    expect(lineOf(await expectRoundTrip(source), 'c_1').absent).toEqual({ assets: ['a_1'] });
  });

  test('preserves the published URI after the pattern of the content type has changed', async () => {
    await using source = await openSource(
      postRecord('c_1', { draft: { slug: 'newer' } }),
      postRecord('c_2', { status: 'unpublished' }),
      postRecord('c_3', { uri: 'of/its/own', draft: { uri: null } }),
    );
    await importText(source.storage, source.folder, toLines([{ ...TYPE, uri_pattern: 'news/{slug}' }]));
    const text = await expectRoundTrip(source);
    expect(lineOf(text, 'c_1')).toMatchObject({ shown_uri: 'blog/c-1', draft: { shown_uri: 'blog/newer' } });
    expect(lineOf(text, 'c_2')).toMatchObject({ shown_uri: 'blog/c-2' });
    expect(lineOf(text, 'c_3')).toMatchObject({ uri: 'of/its/own', draft: { uri: null, shown_uri: 'blog/c-3' } });
  });

  test('drops the values of deleted fields and block types', async () => {
    await using source = await openSource(postRecord('c_1', { fields: FIELDS, draft: { fields: { rank: null } } }));
    changeDatabase(
      source.path,
      "delete from fields where handle in ('tags', 'words', 'tint', 'sources'); delete from content_types where handle = 'quote'",
    );
    const text = await exportText(source.storage, 's_small');
    expect(Object.keys(Object(lineOf(text, 'c_1').fields))).toEqual(
      Object.keys(FIELDS).filter((handle) => handle !== 'tags' && handle !== 'parts'),
    );
    await expectSameExport(source.folder, text);
  });

  test('preserves translations of content that has left their group', async () => {
    await using source = await openSource(
      postRecord('c_1', { language: 'fr', translation_of: 'c_base' }),
      postRecord('c_2', { translation_of: null }),
    );
    changeDatabase(
      source.path,
      ['contents', 'published_contents']
        .map((table) => `update ${table} set translation_group = 'gone' where id in ('c_1', 'c_2')`)
        .join(';'),
    );
    const text = await exportText(source.storage, 's_small');
    expect([lineOf(text, 'c_1').translation_of, lineOf(text, 'c_2').translation_of]).toEqual([null, 'c_1']);
    await expectSameExport(source.folder, text);
  });
});

describe.concurrent('importing into the original database', () => {
  test('changes nothing, even if content was published by hand', async () => {
    await using source = await openSource(
      postRecord('c_1', { fields: FIELDS, draft: { fields: REMOVED } }),
      postRecord('c_2', { language: 'fr', translation_of: 'c_base' }),
    );
    await publishById(source.storage, { contentId: 'c_1', siteId: 's_small', now: 1_700_000_000_123 });
    const before = dumpDatabase(source.path);
    const { changed } = await importText(source.storage, source.folder, await exportText(source.storage, 's_small'));
    expect(changed).toBe(0);
    expect(dumpDatabase(source.path)).toEqual(before);
  });

  test('reverts changes made since the export', async () => {
    await using source = await openSource(postRecord('c_1', { draft: { name: 'Changed' } }));
    const text = await exportText(source.storage, 's_small');
    await publishById(source.storage, { contentId: 'c_1', siteId: 's_small', now: 1_700_000_000_123 });
    expect(await exportText(source.storage, 's_small')).not.toBe(text);
    expect((await importText(source.storage, source.folder, text)).changed).toBe(1);
    expect(await exportText(source.storage, 's_small')).toBe(text);
  });
});

test('an export is a consistent snapshot even while others are writing to the site', async () => {
  await using source = await openSource(...Array.from({ length: 30 }, (_, index) => postRecord(`c_${index}`)));
  const before = await exportText(source.storage, 's_small');
  const lines: string[] = [];
  await source.storage.snapshot(async (snapshot) => {
    const bundle = await exportBundle(snapshot, 's_small');
    for await (const line of bundle?.lines ?? []) {
      lines.push(line);
      const { id, kind } = JSON.parse(line);
      if (kind === 'content')
        await unpublishById(source.storage, { contentId: id, siteId: 's_small', now: Date.now() });
      if (kind === 'site') await importText(source.storage, source.folder, toLines([postRecord('c_new')]));
    }
  });
  expect(lines.join('')).toBe(before);
  const after = await exportText(source.storage, 's_small');
  expect(after.match(/"status":"published"/g)).toHaveLength(1);
  expect(after).toContain('c_new');
});

async function expectSameExport(folder: string, text: string): Promise<void> {
  const copy = await openSqlite(join(folder, 'copy.db'), Date.now());
  try {
    await importText(copy, folder, text);
    expect(await exportText(copy, 's_small')).toBe(text);
  } finally {
    await copy.close();
  }
}
