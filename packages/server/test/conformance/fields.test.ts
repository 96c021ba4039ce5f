// The custom fields of a content object: each of the nine types, with and without a value, and nested blocks.

import type { ContentBody } from '@galley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessorOf, blocksOf, fieldOf, linkItemsOf } from './content-parts.ts';
import { ARTICLE_FIELDS, article, COVER, PAPER, RECORDS } from './fixture.ts';
import { contentOf, openReader, type Reader } from './reader.ts';
import { content, PLAIN } from './records.ts';

const ASSET_KEYS = [
  'id',
  'name',
  'description',
  'path',
  'url',
  'extension',
  'size',
  'mime_type',
  'is_image',
  'width',
  'height',
  'focal_point',
  'placeholder',
];
const NOT_UPLOADED = { focal_point: null, placeholder: null };
const HANDLES = ['headline', 'rank', 'featured', 'starts', 'tags', 'mood', 'gallery', 'body', 'related'];

let reader: Reader;

beforeAll(async () => {
  reader = await openReader(RECORDS);
});

afterAll(() => reader.close());

async function read(id: string): Promise<ContentBody> {
  return contentOf(await reader.get(id));
}

test('returns every field of the content type, in the defined order, each with exactly one accessor', async () => {
  const accessors = ['text', 'number', 'is_on', 'date', 'list', 'selected_option', 'assets', 'blocks', 'content_links'];
  for (const id of ['c_full', 'c_bare']) {
    const object = await read(id);
    expect(Object.keys(object.fields)).toEqual(HANDLES);
    for (const [index, handle] of HANDLES.entries()) {
      const members = ['id', 'name', 'handle', 'help_text', 'type', accessors[index]];
      expect(Object.keys(fieldOf(object, handle)), `${id} ${handle}`).toEqual(members);
    }
  }
});

test('returns the description of each field with its value', async () => {
  const full = await read('c_full');
  expect(fieldOf(full, 'headline')).toEqual({
    id: 'f_headline',
    name: 'Headline',
    handle: 'headline',
    help_text: 'One line.',
    type: 'text',
    text: 'Full\nstory',
  });
  expect(fieldOf(full, 'rank')).toMatchObject({ id: 'f_rank', help_text: null, type: 'number' });
});

test('returns a value for each of the nine field types', async () => {
  const full = await read('c_full');
  expect(accessorOf(full, 'headline')).toEqual({ text: 'Full\nstory' });
  expect(accessorOf(full, 'rank')).toEqual({ number: 7 });
  expect(accessorOf(full, 'featured')).toEqual({ is_on: true });
  expect(accessorOf(full, 'starts')).toEqual({ date: '2024-03-01T00:59:59+00:00' });
  expect(accessorOf(full, 'tags')).toEqual({
    list: [
      { sort: 1, text: 'sea' },
      { sort: 2, text: 'sky' },
    ],
  });
  expect(accessorOf(full, 'mood')).toEqual({ selected_option: { label: 'Wild', value: 'wild' } });
  expect(accessorOf(full, 'gallery')).toEqual({
    assets: [
      { sort: 1, asset: { ...PAPER, is_image: false, ...NOT_UPLOADED } },
      { sort: 2, asset: { ...COVER, is_image: true, ...NOT_UPLOADED } },
    ],
  });
  expect(blocksOf(full, 'body')).toHaveLength(2);
  expect(linkItemsOf(full, 'related')).toHaveLength(2);
});

test('returns null, false or an empty list for fields without a value', async () => {
  const bare = await read('c_bare');
  expect(HANDLES.map((handle) => accessorOf(bare, handle))).toEqual([
    { text: null },
    { number: null },
    { is_on: false },
    { date: null },
    { list: [] },
    { selected_option: null },
    { assets: [] },
    { blocks: [] },
    { content_links: [] },
  ]);
});

test('returns assets with all properties, in order', async () => {
  const field = fieldOf(await read('c_full'), 'gallery');
  const assets = field.type === 'assets' ? field.assets : [];
  for (const item of assets) {
    expect(Object.keys(item)).toEqual(['sort', 'asset']);
    expect(Object.keys(item.asset)).toEqual(ASSET_KEYS);
  }
});

test('returns integers up to 2^53 exactly, and fractions unchanged', async () => {
  const numbers = [2 ** 53 - 1, -(2 ** 53 - 1), 0, 0.1, -2.5, 1e21];
  const contents = numbers.map((number, index) => content({ id: `c_number_${index}`, fields: { rank: { number } } }));
  await reader.service.importRecords(contents);
  for (const [index, number] of numbers.entries()) {
    expect(accessorOf(await read(`c_number_${index}`), 'rank')).toEqual({ number });
  }
});

test('returns text exactly as it was saved, with any characters', async () => {
  const text = ' <b>"&\u0026’</b>\\n\n\t\u2028\u2029 é e\u0301 漢 😀 \u200f \u001f ]}",';
  await reader.service.importRecords([content({ id: 'c_odd', name: text.trim(), fields: { headline: { text } } })]);
  const odd = await read('c_odd');
  expect(odd.name).toBe(text.trim());
  expect(accessorOf(odd, 'headline')).toEqual({ text });
});

test('returns blocks with name, position, content type and all fields', async () => {
  const [opening, second] = blocksOf(await read('c_full'), 'body');
  expect(Object.keys(opening ?? {})).toEqual(['name', 'sort', 'content_type', 'fields']);
  expect(opening).toMatchObject({
    name: 'Opening',
    sort: 1,
    content_type: { id: 't_section', name: 'Section', handle: 'section', object_type: 'block' },
  });
  expect(Object.keys(opening?.fields ?? {})).toEqual(['title', 'pictures', 'parts', 'see_also']);
  expect(second).toMatchObject({ name: null, sort: 2 });
  expect(accessorOf(second ?? { fields: {} }, 'title')).toEqual({ text: null });
  expect(accessorOf(second ?? { fields: {} }, 'parts')).toEqual({ blocks: [] });
});

test('returns nested blocks up to four levels deep', async () => {
  let blocks = blocksOf(await read('c_full'), 'body').slice(0, 1);
  for (let level = 1; level <= 4; level++) {
    const [block] = blocks;
    if (block === undefined) throw new Error(`There is no block at level ${level}`);
    expect(accessorOf(block, 'title')).toEqual({ text: `Level ${level}` });
    blocks = [...blocksOf(block, 'parts')];
  }
  expect(blocks).toEqual([]);
});

test('rejects a fifth level of blocks on save', async () => {
  const nest = (level: number): object => ({
    content_type: 'section',
    fields: level === 5 ? {} : { parts: { blocks: [nest(level + 1)] } },
  });
  const record = content({ id: 'c_deep', content_type: 'article', fields: { body: { blocks: [nest(1)] } } });
  await expect(reader.service.importRecords([record])).rejects.toThrow(/at most 4 levels/);
});

test('returns a newly added field, without a value, in all content of its type', async () => {
  const subtitle = { handle: 'subtitle', name: 'Subtitle', type: 'text' };
  await reader.service.importRecords([article([subtitle, ...ARTICLE_FIELDS])]);
  try {
    for (const id of ['c_full', 'c_bare']) {
      const object = await read(id);
      expect(Object.keys(object.fields)).toEqual(['subtitle', ...HANDLES]);
      expect(accessorOf(object, 'subtitle')).toEqual({ text: null });
    }
    const link = linkItemsOf(await read('c_full'), 'related')[0]?.content_link;
    expect(link?.fields.subtitle).toMatchObject({ type: 'text', text: null });
  } finally {
    // An import never deletes fields. Fields that are missing from the bundle move to the end.
    await reader.service.importRecords([article(ARTICLE_FIELDS)]);
  }
  expect(Object.keys((await read('c_full')).fields)).toEqual([...HANDLES, 'subtitle']);
});

test('generates an id with the right prefix for fields that have no id', async () => {
  const object = await read('c_full');
  const { token } = await reader.service.createKey({ sites: [PLAIN] });
  const plain = contentOf(await reader.get('c_plain', { token, site: PLAIN }));
  expect(fieldOf(plain, 'summary').id).toMatch(/^f_[0-9a-f]{32}$/);
  expect(fieldOf(object, 'headline').id).toBe('f_headline');
});
