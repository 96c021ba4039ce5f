// Marks and source maps: in previews, every value can be traced to its content and field. For published content, see
// `published-marks.test.ts`.

import type { ContentBody } from '@galley/wire';
import { vercelStegaDecodeAll } from '@vercel/stega';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeMarks, removeMarksDeep } from '../../src/content/marks.ts';
import { RECORDS } from './fixture.ts';
import { type CallOptions, contentOf, cursorListOf, openReader, type Reader } from './reader.ts';
import { content, contentType, PRESS } from './records.ts';

const BLOCK_TYPE = contentType(
  PRESS,
  'marked_box',
  [
    { handle: 'text', type: 'text', format: 'html' },
    { handle: 'inner', type: 'blocks' },
    { handle: 'size', type: 'number' },
  ],
  { object_type: 'block' },
);
const TYPE = contentType(PRESS, 'marked', [
  { handle: 'title', type: 'text' },
  { handle: 'notes', type: 'text', format: 'markdown' },
  { handle: 'link', type: 'text' },
  { handle: 'empty', type: 'text' },
  { handle: 'rank', type: 'number' },
  { handle: 'is_new', type: 'boolean' },
  { handle: 'day', type: 'date' },
  { handle: 'tags', type: 'list' },
  { handle: 'colour', type: 'option', options: [{ label: 'Red', value: 'red' }] },
  { handle: 'hero', type: 'assets' },
  { handle: 'body', type: 'blocks' },
  { handle: 'related', type: 'content_links' },
]);
const PICTURE = { kind: 'asset', id: 'a_marked', site: PRESS, name: 'Picture', url: 'https://x.example/a.png' };
const FULL = content({
  id: 'c_marked',
  content_type: 'marked',
  name: 'Marked "name"',
  seo: { description: 'About' },
  fields: {
    title: { text: 'Title' },
    notes: { text: 'Some **notes**\n' },
    link: { text: 'https://example.com/' },
    rank: { number: 3 },
    day: { date: '2024-05-01T10:00:00+00:00' },
    tags: { list: ['one', '/path', 'three'] },
    colour: { selected_option: 'red' },
    hero: { assets: ['a_plain_marked', 'a_marked'] },
    body: {
      blocks: [
        {
          content_type: 'marked_box',
          name: 'Box',
          fields: {
            text: { text: '<p>Outer</p>\n' },
            inner: { blocks: [{ content_type: 'marked_box', fields: { text: { text: '<p>In <b>ner</b></p>' } } }] },
            size: { number: 1 },
          },
        },
      ],
    },
    related: { content_links: ['c_marked_link', 'c_marked'] },
  },
});
const LINKED = content({
  id: 'c_marked_link',
  content_type: 'marked',
  name: 'Linked',
  language: 'fr',
  fields: { title: { text: 'Lié' }, hero: { assets: ['a_marked'] }, related: { content_links: ['c_marked'] } },
});

let reader: Reader;
let token: string;

beforeAll(async () => {
  reader = await openReader([
    ...RECORDS,
    BLOCK_TYPE,
    TYPE,
    { ...PICTURE, description: 'A picture' },
    { ...PICTURE, id: 'a_plain_marked' },
    LINKED,
    FULL,
  ]);
  token = (await reader.service.createKey({ sites: [PRESS], preview: true })).token;
});

afterAll(() => reader.close());

const PREVIEW = { 'x-service-preview': 'true' };
const MARKS = { 'x-service-source-map': 'true' };

function preview(headers: Readonly<Record<string, string>> = {}): CallOptions {
  return { token, headers: { ...PREVIEW, ...headers } };
}

interface FoundMark {
  readonly origin: string;
  readonly id: string;
  readonly path: string;
  readonly language: string;
  readonly asset?: string;
}

/** Every string with a mark, by its path in the object. */
function listMarks(value: unknown, path = ''): readonly (readonly [path: string, text: string, mark: FoundMark])[] {
  if (typeof value === 'string') {
    const [mark, ...others] = removeMarks(value) === value ? [] : (vercelStegaDecodeAll<FoundMark>(value) ?? []);
    expect(others).toEqual([]);
    return mark === undefined ? [] : [[path, value, mark]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    listMarks(member, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
}

function resolve(object: unknown, path: string): unknown {
  return path.split(/[.[\]]+/).reduce((value: unknown, name) => (name === '' ? value : Object(value)[name]), object);
}

test('names, text, list items and descriptions have marks, even in blocks and linked content', async () => {
  const marked = contentOf(await reader.get('c_marked', preview(MARKS)));
  const marks = listMarks(marked).map(([path, , { origin: _, ...mark }]) => [path, Object.values(mark).join(' ')]);
  const own = (path: string, source: string) => [path, `c_marked ${source} en`];
  const linked = (path: string, source: string) => [
    `fields.related.content_links[0].content_link.${path}`,
    `c_marked_link ${source} fr`,
  ];
  const self = (path: string, source: string) => own(`fields.related.content_links[1].content_link.${path}`, source);
  const fields = [
    ['fields.title.text', 'fields.title'],
    ['fields.notes.text', 'fields.notes'],
    ['fields.tags.list[0].text', 'fields.tags.list[0]'],
    ['fields.tags.list[2].text', 'fields.tags.list[2]'],
    ['fields.hero.assets[1].asset.description', 'fields.hero.assets[1]'],
    ['fields.body.blocks[0].fields.text.text', 'fields.body.blocks[0].fields.text'],
    [
      'fields.body.blocks[0].fields.inner.blocks[0].fields.text.text',
      'fields.body.blocks[0].fields.inner.blocks[0].fields.text',
    ],
  ] as const;
  const withAsset = ([path = '', mark = '']: readonly string[]) => [
    path,
    path.includes('.asset.') ? `${mark} a_marked` : mark,
  ];
  expect(marks).toEqual(
    [
      own('name', 'name'),
      ...fields.map(([path, source]) => own(path, source)),
      linked('name', 'name'),
      linked('fields.title.text', 'fields.title'),
      linked('fields.hero.assets[0].asset.description', 'fields.hero.assets[0]'),
      self('name', 'name'),
      ...fields.map(([path, source]) => self(path, source)),
    ].map(withAsset),
  );
});

test('block names have neither marks nor source map entries, because they cannot be edited in the panel', async () => {
  const marked = contentOf(await reader.get('c_marked', preview(MARKS)));
  expect(resolve(marked, 'fields.body.blocks[0].name')).toBe('Box');
  const paths = (marked.source_map ?? []).flatMap(({ path, field }) => [path, field]);
  expect(paths.filter((path) => /\]\.name$/.test(path))).toEqual([]);
});

test('marks are placed in the part of the text that pages display', async () => {
  const { fields } = contentOf(await reader.get('c_marked', preview(MARKS)));
  const notes = String(Object(fields.notes).text);
  expect(notes).toMatch(/^Some \*\*notes[\u200b-\u200d\ufeff]+\*\*\n$/);
  expect(String(Object(resolve(fields, 'body.blocks[0].fields.text')).text)).toMatch(
    /^<p>Outer[\u200b-\u200d\ufeff]+<\/p>\n$/,
  );
});

test('the source map is last, and lists all values without a mark', async () => {
  const marked = contentOf(await reader.get('c_marked', preview(MARKS)));
  expect(Object.keys(marked).at(-1)).toBe('source_map');
  const entries = (marked.source_map ?? []).map(
    ({ path, id, field, language }) => `${path} ${id} ${field} ${language}`,
  );
  const own = (...paths: readonly string[]) => paths.map((path) => `fields.${path} c_marked fields.${path} en`);
  const linked = (...paths: readonly string[]) =>
    paths.map((path) => `fields.related.content_links[0].content_link.fields.${path} c_marked_link fields.${path} fr`);
  const inner = 'body.blocks[0].fields.inner.blocks[0].fields';
  const unmarked = [
    ...['link', 'empty', 'rank', 'is_new', 'day', 'tags.list[1]', 'colour', 'hero.assets[0]', 'hero.assets[1]'],
    ...[`${inner}.inner`, `${inner}.size`, 'body.blocks[0].fields.size'],
  ];
  expect(entries).toEqual([
    ...own(...unmarked),
    ...linked('notes', 'link', 'empty', 'rank', 'is_new', 'day', 'tags', 'colour', 'hero.assets[0]', 'body'),
    ...unmarked.map((path) => `fields.related.content_links[1].content_link.fields.${path} c_marked fields.${path} en`),
  ]);
});

test('a list has marks and a source map in every object', async () => {
  const plain = cursorListOf(await reader.list('limit=100', preview()));
  const marked = cursorListOf(await reader.list('limit=100', preview(MARKS)));
  expect(marked.data.length).toBeGreaterThan(5);
  const withoutMap = marked.data.map(({ source_map, ...object }) => {
    expect(source_map).toBeInstanceOf(Array);
    return removeMarksDeep(object);
  });
  expect(JSON.stringify(withoutMap)).toBe(JSON.stringify(plain.data));
});

test('every mark and every source map entry names the field that the value comes from', async () => {
  const { data } = cursorListOf(await reader.list('limit=100', preview(MARKS)));
  const byId = new Map<string, ContentBody>();
  for (const object of cursorListOf(await reader.list('limit=100', preview())).data) byId.set(object.id, object);
  for (const id of ['c_marked_link']) byId.set(id, contentOf(await reader.get(id, preview())));
  let compared = 0;
  for (const object of data) {
    for (const [path, text, { origin, id, path: source }] of listMarks(object)) {
      expect(origin).toBe('galley');
      expect(path).not.toMatch(/^(?!name$|fields\.)/);
      const origins = byId.get(id);
      if (origins === undefined) continue;
      const value = resolve(origins, source);
      const saved = typeof value === 'string' ? value : (Object(value).text ?? Object(value).asset?.description);
      expect(removeMarks(text), `${object.id} ${path}`).toBe(saved);
      compared += 1;
    }
    for (const { path, id, field } of object.source_map ?? []) {
      const origins = byId.get(id);
      if (origins === undefined) continue;
      expect(resolve(removeMarksDeep(object), path), `${object.id} ${path}`).toEqual(resolve(origins, field));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(100);
});

test('only the values that pages display have marks', async () => {
  const { data } = cursorListOf(await reader.list('limit=100', preview(MARKS)));
  const allowed = /^(?:.*\.content_link\.)?name$|\.(?:text|asset\.description)$/;
  for (const object of data) {
    for (const [path] of listMarks(object)) {
      expect(path).toMatch(allowed);
      expect(path).not.toMatch(/seo|author|content_type|help_text/);
    }
  }
});

test('responses with marks have their own ETag and are not cached', async () => {
  const [plain, marked, again] = [
    await reader.get('c_marked', preview()),
    await reader.get('c_marked', preview(MARKS)),
    await reader.get('c_marked', preview(MARKS)),
  ];
  expect(marked.headers.etag).not.toBe(plain.headers.etag);
  expect(again.headers.etag).toBe(marked.headers.etag);
  expect(marked.headers['cache-control']).toContain('no-store');
  expect(marked.headers.vary).toContain('x-service-source-map');
  const etag = String(marked.headers.etag);
  expect((await reader.get('c_marked', preview({ ...MARKS, 'if-none-match': etag }))).status).toBe(304);
  expect((await reader.get('c_marked', preview({ 'if-none-match': etag }))).status).toBe(200);
});

test.each(['1', 'TRUE'])('the header may also be %s', async (value) => {
  const marked = contentOf(await reader.get('c_marked', preview({ 'x-service-source-map': value })));
  expect(marked.source_map).toBeDefined();
});

test('a response that is large only because of its marks is rendered on another thread', async () => {
  const list = Array.from({ length: 1000 }, (_, index) => `Item ${index}`);
  const fields = { tags: { list }, title: { text: 'Many' } };
  const ids = ['c_many_1', 'c_many_2', 'c_many_3'];
  await reader.service.importRecords(ids.map((id) => content({ id, content_type: 'marked', fields })));
  const plain = await reader.get('c_many_1', preview());
  const marked = await reader.get('c_many_1', preview(MARKS));
  expect(marked.text.length).toBeGreaterThan(300_000);
  const { source_map: _, ...object } = contentOf(marked);
  expect(JSON.stringify(removeMarksDeep(object))).toBe(plain.text);
  const { data } = cursorListOf(await reader.list('content_type=marked', preview(MARKS)));
  expect(listMarks(data).length).toBeGreaterThan(3000);
});
