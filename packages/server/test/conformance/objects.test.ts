// What a content object looks like, member by member.

import type { ContentBody, FieldBody } from '@galley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ARTICLE_FIELDS,
  article,
  at,
  author,
  COVER,
  content,
  contentType,
  FULL_SEO,
  PAPER,
  PLAIN,
  PRESS,
  RECORDS,
  site,
} from './fixture.ts';
import { contentOf, cursorListOf, openReader, type Reader } from './reader.ts';

const CONTENT_KEYS = [
  'id',
  'published_at',
  'slug',
  'name',
  'uri',
  'url',
  'language',
  'author',
  'content_type',
  'seo',
  'fields',
  'created_at',
  'updated_at',
];
const OPEN_GRAPH_KEYS = ['title', 'description', 'image_secure_url', 'image_width', 'image_height', 'image_alt', 'url'];
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
];
const HANDLES = ['headline', 'rank', 'featured', 'starts', 'tags', 'mood', 'gallery', 'body', 'related'];

let reader: Reader;

beforeAll(async () => {
  reader = await openReader(RECORDS);
});

afterAll(() => reader.close());

async function read(id: string): Promise<ContentBody> {
  return contentOf(await reader.get(id));
}

/** The value of a field, without what describes the field. */
function valueOf(object: { readonly fields: ContentBody['fields'] }, handle: string): unknown {
  const { id: _id, name: _name, handle: _handle, help_text: _help, type: _type, ...value } = fieldOf(object, handle);
  return value;
}

function fieldOf({ fields }: { readonly fields: ContentBody['fields'] }, handle: string): FieldBody {
  const field = fields[handle];
  if (field === undefined) throw new Error(`There is no field ${handle}`);
  return field;
}

function blocksOf(object: { readonly fields: ContentBody['fields'] }, handle: string) {
  const field = fieldOf(object, handle);
  return field.type === 'blocks' ? field.blocks : [];
}

function linksOf(object: { readonly fields: ContentBody['fields'] }, handle: string) {
  const field = fieldOf(object, handle);
  return field.type === 'content_links' ? field.content_links : [];
}

test('has exactly the promised members, in the promised order', async () => {
  const full = await read('c_full');
  expect(Object.keys(full)).toEqual(CONTENT_KEYS);
  expect(Object.keys(full.author ?? {})).toEqual(['id', 'name', 'email', 'profile_photo_url']);
  expect(Object.keys(full.content_type)).toEqual(['id', 'name', 'handle', 'object_type']);
  expect(Object.keys(full.seo)).toEqual(['title', 'description', 'robots', 'canonical_url', 'open_graph']);
  expect(Object.keys(full.seo.open_graph)).toEqual(OPEN_GRAPH_KEYS);
});

test('has the same members in a list, and the same values', async () => {
  const list = cursorListOf(await reader.list());
  for (const listed of list.data) {
    expect(Object.keys(listed)).toEqual(CONTENT_KEYS);
    expect(listed).toEqual(await read(listed.id));
  }
});

test('is not wrapped in an envelope when it is fetched by ID', async () => {
  const full = await read('c_full');
  expect(full).not.toHaveProperty('data');
  expect(full).toMatchObject({ id: 'c_full', slug: 'full', name: 'Full “quoted” \\ story', language: 'en' });
});

test('shows times as seconds with an offset of +00:00, whatever offset they were given in', async () => {
  const full = await read('c_full');
  expect(full.published_at).toBe('2024-01-20T12:00:00+00:00');
  expect(full.created_at).toBe('2024-01-03T12:00:00+00:00');
  expect(full.updated_at).toBe('2024-01-21T13:30:45+00:00');
  expect(valueOf(full, 'starts')).toEqual({ date: '2024-03-01T00:59:59+00:00' });
});

test('has a uri without a leading slash, by the pattern of its content type', async () => {
  expect((await read('c_full')).uri).toBe('articles/full');
  expect((await read('c_full_fr')).uri).toBe('fr/articles/complet');
  expect((await read('c_note_sea')).uri).toBe('notes/sea');
});

test('has a url that joins the address of the site and the uri', async () => {
  expect((await read('c_full')).url).toBe('https://press.example/articles/full');
  await reader.service.importRecords([content({ id: 'c_start', name: 'Start', uri: '' })]);
  expect(await read('c_start')).toMatchObject({ uri: '', url: 'https://press.example/' });
});

test('has a url of null where the site has no address', async () => {
  const { token } = await reader.service.createKey({ sites: [PLAIN] });
  const plain = contentOf(await reader.get('c_plain', { token, site: PLAIN }));
  expect(plain.uri).toBe('plain');
  expect(plain.url).toBe(null);
});

test('has an author with every member, or null', async () => {
  expect((await read('c_full')).author).toEqual({
    id: 'u_ada',
    name: 'Ada',
    email: 'ada@press.example',
    profile_photo_url: 'https://cdn.example/ada.jpg',
  });
  expect((await read('c_linked')).author).toEqual({ id: 'u_bo', name: 'Bo', email: null, profile_photo_url: null });
  expect((await read('c_bare')).author).toBe(null);
});

test('names its content type with handle, id and kind', async () => {
  expect((await read('c_full')).content_type).toEqual({
    id: 't_article',
    name: 'Article',
    handle: 'article',
    object_type: 'page',
  });
  expect((await read('c_note_sea')).content_type.object_type).toBe('entry');
});

test('shows every member of its seo', async () => {
  expect((await read('c_full')).seo).toEqual(FULL_SEO);
});

test('shows null for members of its seo that are not set, and its name for the title', async () => {
  const unset = Object.fromEntries(OPEN_GRAPH_KEYS.map((key) => [key, null]));
  expect((await read('c_bare')).seo).toEqual({
    title: 'Bare',
    description: null,
    robots: null,
    canonical_url: null,
    open_graph: unset,
  });
});

test('has every field of its type, in the order of the type, each with exactly one accessor', async () => {
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

test('describes each field beside its value', async () => {
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

test('shows the value of each of the nine types of field', async () => {
  const full = await read('c_full');
  expect(valueOf(full, 'headline')).toEqual({ text: 'Full\nstory' });
  expect(valueOf(full, 'rank')).toEqual({ number: 7 });
  expect(valueOf(full, 'featured')).toEqual({ is_on: true });
  expect(valueOf(full, 'starts')).toEqual({ date: '2024-03-01T00:59:59+00:00' });
  expect(valueOf(full, 'tags')).toEqual({
    list: [
      { sort: 1, text: 'sea' },
      { sort: 2, text: 'sky' },
    ],
  });
  expect(valueOf(full, 'mood')).toEqual({ selected_option: { label: 'Wild', value: 'wild' } });
  expect(valueOf(full, 'gallery')).toEqual({
    assets: [
      { sort: 1, asset: { ...PAPER, is_image: false } },
      { sort: 2, asset: { ...COVER, is_image: true } },
    ],
  });
  expect(blocksOf(full, 'body')).toHaveLength(2);
  expect(linksOf(full, 'related')).toHaveLength(2);
});

test('shows null, false or an empty list for each type of field without a value', async () => {
  const bare = await read('c_bare');
  expect(HANDLES.map((handle) => valueOf(bare, handle))).toEqual([
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

test('shows assets with every member, in order', async () => {
  const field = fieldOf(await read('c_full'), 'gallery');
  const assets = field.type === 'assets' ? field.assets : [];
  for (const item of assets) {
    expect(Object.keys(item)).toEqual(['sort', 'asset']);
    expect(Object.keys(item.asset)).toEqual(ASSET_KEYS);
  }
});

test('shows integers exactly up to 2^53, and fractions as they are', async () => {
  const numbers = [2 ** 53 - 1, -(2 ** 53 - 1), 0, 0.1, -2.5, 1e21];
  const contents = numbers.map((number, index) => content({ id: `c_number_${index}`, fields: { rank: { number } } }));
  await reader.service.importRecords(contents);
  for (const [index, number] of numbers.entries()) {
    expect(valueOf(await read(`c_number_${index}`), 'rank')).toEqual({ number });
  }
});

test('shows text exactly as it was given, whatever its characters', async () => {
  const text = ' <b>"&\u0026’</b>\\n\n\t\u2028\u2029 é e\u0301 漢 😀 \u200f \u001f ]}",';
  await reader.service.importRecords([content({ id: 'c_odd', name: text.trim(), fields: { headline: { text } } })]);
  const odd = await read('c_odd');
  expect(odd.name).toBe(text.trim());
  expect(valueOf(odd, 'headline')).toEqual({ text });
});

test('shows blocks with name, place, content type and all their fields', async () => {
  const [opening, second] = blocksOf(await read('c_full'), 'body');
  expect(Object.keys(opening ?? {})).toEqual(['name', 'sort', 'content_type', 'fields']);
  expect(opening).toMatchObject({
    name: 'Opening',
    sort: 1,
    content_type: { id: 't_section', name: 'Section', handle: 'section', object_type: 'block' },
  });
  expect(Object.keys(opening?.fields ?? {})).toEqual(['title', 'pictures', 'parts', 'see_also']);
  expect(second).toMatchObject({ name: null, sort: 2 });
  expect(valueOf(second ?? { fields: {} }, 'title')).toEqual({ text: null });
  expect(valueOf(second ?? { fields: {} }, 'parts')).toEqual({ blocks: [] });
});

test('shows blocks inside blocks to four levels', async () => {
  let blocks = blocksOf(await read('c_full'), 'body').slice(0, 1);
  for (let level = 1; level <= 4; level++) {
    const [block] = blocks;
    if (block === undefined) throw new Error(`There is no block at level ${level}`);
    expect(valueOf(block, 'title')).toEqual({ text: `Level ${level}` });
    blocks = [...blocksOf(block, 'parts')];
  }
  expect(blocks).toEqual([]);
});

test('refuses blocks on a fifth level when they are saved', async () => {
  const nest = (level: number): object => ({
    content_type: 'section',
    fields: level === 5 ? {} : { parts: { blocks: [nest(level + 1)] } },
  });
  const record = content({ id: 'c_deep', content_type: 'article', fields: { body: { blocks: [nest(1)] } } });
  await expect(reader.service.importRecords([record])).rejects.toThrow(/at most 4 levels/);
});

test('shows linked content with its promised members, in the promised order', async () => {
  const [first] = linksOf(await read('c_full'), 'related');
  expect(Object.keys(first ?? {})).toEqual(['sort', 'content_link']);
  expect(Object.keys(first?.content_link ?? {})).toEqual(['id', 'published_at', 'name', 'slug', 'uri', 'url', 'fields']);
  expect(first?.content_link).toMatchObject({
    id: 'c_linked',
    published_at: at(18),
    name: 'Linked',
    slug: 'linked',
    uri: 'articles/linked',
    url: 'https://press.example/articles/linked',
  });
});

test('shows the fields of linked content whole, with assets and blocks', async () => {
  const link = linksOf(await read('c_full'), 'related')[0]?.content_link;
  if (link === undefined) throw new Error('There is no link');
  const linked = await read('c_linked');
  for (const handle of HANDLES) {
    if (handle === 'related' || handle === 'body') continue;
    expect(link.fields[handle], handle).toEqual(linked.fields[handle]);
  }
  expect(link.fields.body).toMatchObject({
    blocks: [
      {
        name: 'Inside',
        sort: 1,
        fields: {
          title: { text: 'Of linked content' },
          pictures: { assets: [{ sort: 1, asset: { id: 'a_paper' } }] },
        },
      },
    ],
  });
});

test('lists the links of linked content as plain ids, in its blocks too', async () => {
  const link = linksOf(await read('c_full'), 'related')[0]?.content_link;
  expect(link?.fields.related).toMatchObject({ type: 'content_links', content_links: ['c_full', 'c_bare', 'c_pending'] });
  expect(link?.fields.body).toMatchObject({ blocks: [{ fields: { see_also: { content_links: ['c_full'] } } }] });
});

test('leaves out links to content that is not published, and closes the gaps', async () => {
  const places = linksOf(await read('c_full'), 'related').map(({ sort, content_link }) => [sort, content_link.id]);
  expect(places).toEqual([
    [1, 'c_linked'],
    [2, 'c_bare'],
  ]);
});

test('leaves out invisible links at every depth: in blocks, in nested blocks and in linked content', async () => {
  const [opening] = blocksOf(await read('c_full'), 'body');
  if (opening === undefined) throw new Error('There is no block');
  expect(linksOf(opening, 'see_also').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
  let deepest = opening;
  for (let level = 2; level <= 4; level++) deepest = blocksOf(deepest, 'parts')[0] ?? deepest;
  expect(linksOf(deepest, 'see_also').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
  const { text } = await reader.get('c_full');
  for (const hidden of ['c_draft', 'c_gone', 'c_archived']) expect(text).not.toContain(hidden);
});

test('leaves out links to content of another site', async () => {
  const record = content({ id: 'c_abroad', fields: { mentions: { content_links: ['c_plain', 'c_bare'] } } });
  await reader.service.importRecords([record]);
  const reply = await reader.get('c_abroad');
  expect(linksOf(contentOf(reply), 'mentions').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
  expect(reply.text).not.toContain('c_plain');
});

test('shows a link again when its content is published, and drops it when it is withdrawn', async () => {
  const related = async () => linksOf(await read('c_full'), 'related').map(({ content_link }) => content_link.id);
  await reader.service.publish(PRESS, 'c_gone');
  expect(await related()).toEqual(['c_linked', 'c_gone', 'c_bare']);
  await reader.service.unpublish(PRESS, 'c_gone');
  expect(await related()).toEqual(['c_linked', 'c_bare']);
});

test('shows a renamed author at once in all content', async () => {
  await reader.service.importRecords([author('u_new', 'Old name'), content({ id: 'c_signed', author: 'u_new' })]);
  expect((await read('c_signed')).author?.name).toBe('Old name');
  await reader.service.importRecords([author('u_new', 'New name', { email: 'new@press.example' })]);
  expect((await read('c_signed')).author).toMatchObject({ name: 'New name', email: 'new@press.example' });
  const list = cursorListOf(await reader.list('author=u_ada&author=u_new&match=any&limit=100'));
  expect(list.data.find(({ id }) => id === 'c_signed')?.author?.name).toBe('New name');
});

test('shows a renamed content type, field and option at once in all content, blocks and links', async () => {
  const type = (word: string) =>
    contentType(
      PRESS,
      'renamed',
      [
        { handle: 'pick', name: `Pick ${word}`, help_text: word, type: 'option', options: [{ label: word, value: 'a' }] },
        { handle: 'inner', name: `Inner ${word}`, type: 'blocks' },
        { handle: 'others', type: 'content_links' },
      ],
      { name: `Type ${word}` },
    );
  const block = (word: string) =>
    contentType(PRESS, 'part', [{ handle: 'line', name: `Line ${word}`, type: 'text' }], {
      name: `Part ${word}`,
      object_type: 'block',
    });
  const fields = {
    pick: { selected_option: 'a' },
    inner: { blocks: [{ content_type: 'part', fields: { line: { text: 'x' } } }] },
  };
  await reader.service.importRecords([
    type('before'),
    block('before'),
    content({ id: 'c_renamed', content_type: 'renamed', fields }),
    content({ id: 'c_to_it', content_type: 'renamed', fields: { others: { content_links: ['c_renamed'] } } }),
  ]);
  expect((await reader.get('c_to_it')).text).toContain('before');
  await reader.service.importRecords([type('after'), block('after')]);
  const renamed = await read('c_renamed');
  expect(renamed.content_type.name).toBe('Type after');
  expect(fieldOf(renamed, 'pick')).toMatchObject({
    name: 'Pick after',
    help_text: 'after',
    selected_option: { label: 'after', value: 'a' },
  });
  expect(fieldOf(renamed, 'inner')).toMatchObject({
    name: 'Inner after',
    blocks: [{ content_type: { name: 'Part after' }, fields: { line: { name: 'Line after' } } }],
  });
  expect((await reader.get('c_to_it')).text).not.toContain('before');
});

test('shows a changed asset and a changed address of the site at once', async () => {
  const { service } = reader;
  await service.importRecords([
    site('s_moving', { url: 'https://old.example' }),
    contentType('s_moving', 'shot', [{ handle: 'file', type: 'assets' }]),
    { kind: 'asset', site: 's_moving', ...COVER },
    content({ id: 'c_shot', site: 's_moving', content_type: 'shot', fields: { file: { assets: ['a_cover'] } } }),
  ]);
  const { token } = await service.createKey({ sites: ['s_moving'] });
  const readShot = async () => contentOf(await reader.get('c_shot', { token, site: 's_moving' }));
  expect(await readShot()).toMatchObject({ url: 'https://old.example/shot' });
  await service.importRecords([
    site('s_moving', { url: 'https://new.example' }),
    { kind: 'asset', site: 's_moving', ...COVER, name: 'Retouched', width: 1 },
  ]);
  const shot = await readShot();
  expect(shot.url).toBe('https://new.example/shot');
  expect(fieldOf(shot, 'file')).toMatchObject({ assets: [{ asset: { name: 'Retouched', width: 1 } }] });
});

test('shows a field that was added to a type in all its content, without a value', async () => {
  const subtitle = { handle: 'subtitle', name: 'Subtitle', type: 'text' };
  await reader.service.importRecords([article([subtitle, ...ARTICLE_FIELDS])]);
  try {
    for (const id of ['c_full', 'c_bare']) {
      const object = await read(id);
      expect(Object.keys(object.fields)).toEqual(['subtitle', ...HANDLES]);
      expect(valueOf(object, 'subtitle')).toEqual({ text: null });
    }
    const link = linksOf(await read('c_full'), 'related')[0]?.content_link;
    expect(link?.fields.subtitle).toMatchObject({ type: 'text', text: null });
  } finally {
    // Fields are never deleted by an import, but they move behind those that it names.
    await reader.service.importRecords([article(ARTICLE_FIELDS)]);
  }
  expect(Object.keys((await read('c_full')).fields)).toEqual([...HANDLES, 'subtitle']);
});

test('keeps ids of any allowed shape as they were given', async () => {
  const ids = ['A', '0', '-', '_', 'x'.repeat(64), 'Zz-9_', '00000000-0000-7000-8000-000000000000'];
  await reader.service.importRecords(ids.map((id, index) => content({ id, slug: `shape-${index}`, name: id })));
  for (const id of ids) expect((await read(id)).id).toBe(id);
});

test('gives fields that bring no id one of their own with the prefix of their kind', async () => {
  const object = await read('c_full');
  const { token } = await reader.service.createKey({ sites: [PLAIN] });
  const plain = contentOf(await reader.get('c_plain', { token, site: PLAIN }));
  expect(fieldOf(plain, 'summary').id).toMatch(/^f_[0-9a-f]{32}$/);
  expect(fieldOf(object, 'headline').id).toBe('f_headline');
});
