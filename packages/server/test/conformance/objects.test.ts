// The properties of a content object, and the immediate effect of changes to related records.

import type { ContentBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { accessorOf, fieldOf } from './content-parts.ts';
import { COVER, FULL_SEO, RECORDS } from './fixture.ts';
import { contentOf, cursorListOf, openReader, type Reader } from './reader.ts';
import { author, content, contentType, PLAIN, PRESS, site } from './records.ts';

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

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  async function read(id: string): Promise<ContentBody> {
    return contentOf(await reader.get(id));
  }

  test('an object has exactly the documented properties, in order', async () => {
    const full = await read('c_full');
    expect(Object.keys(full)).toEqual(CONTENT_KEYS);
    expect(Object.keys(full.author ?? {})).toEqual(['id', 'name', 'email', 'profile_photo_url']);
    expect(Object.keys(full.content_type)).toEqual(['id', 'name', 'handle', 'object_type']);
    expect(Object.keys(full.seo)).toEqual(['title', 'description', 'robots', 'canonical_url', 'open_graph']);
    expect(Object.keys(full.seo.open_graph)).toEqual(OPEN_GRAPH_KEYS);
  });

  test('an object has the same properties and values in a list', async () => {
    const list = cursorListOf(await reader.list());
    for (const listed of list.data) {
      expect(Object.keys(listed)).toEqual(CONTENT_KEYS);
      expect(listed).toEqual(await read(listed.id));
    }
  });

  test('an object has no envelope when fetched by ID', async () => {
    const full = await read('c_full');
    expect(full).not.toHaveProperty('data');
    expect(full).toMatchObject({ id: 'c_full', slug: 'full', name: 'Full “quoted” \\ story', language: 'en' });
  });

  test('an object has times in whole seconds with an offset of +00:00, whatever their original offset', async () => {
    const full = await read('c_full');
    expect(full.published_at).toBe('2024-01-20T12:00:00+00:00');
    expect(full.created_at).toBe('2024-01-03T12:00:00+00:00');
    expect(full.updated_at).toBe('2024-01-21T13:30:45+00:00');
    expect(accessorOf(full, 'starts')).toEqual({ date: '2024-03-01T00:59:59+00:00' });
  });

  test("an object has a uri without a leading slash, built from its content type's pattern", async () => {
    expect((await read('c_full')).uri).toBe('articles/full');
    expect((await read('c_full_fr')).uri).toBe('fr/articles/complet');
    expect((await read('c_note_sea')).uri).toBe('notes/sea');
  });

  test("an object has a url built from the site's URL and the uri", async () => {
    expect((await read('c_full')).url).toBe('https://press.example/articles/full');
    await reader.service.importRecords([content({ id: 'c_start', name: 'Start', uri: '' })]);
    expect(await read('c_start')).toMatchObject({ uri: '', url: 'https://press.example/' });
  });

  test('an object has a url of null when the site has no URL', async () => {
    const { token } = await reader.service.createKey({ sites: [PLAIN] });
    const plain = contentOf(await reader.get('c_plain', { token, site: PLAIN }));
    expect(plain.uri).toBe('plain');
    expect(plain.url).toBe(null);
  });

  test('an object has an author with all properties, or null', async () => {
    expect((await read('c_full')).author).toEqual({
      id: 'u_ada',
      name: 'Ada',
      email: 'ada@press.example',
      profile_photo_url: 'https://cdn.example/ada.jpg',
    });
    expect((await read('c_linked')).author).toEqual({ id: 'u_bo', name: 'Bo', email: null, profile_photo_url: null });
    expect((await read('c_bare')).author).toBe(null);
  });

  test('an object identifies its content type by handle, id and kind', async () => {
    expect((await read('c_full')).content_type).toEqual({
      id: 't_article',
      name: 'Article',
      handle: 'article',
      object_type: 'page',
    });
    expect((await read('c_note_sea')).content_type.object_type).toBe('entry');
  });

  test('an object has every SEO property', async () => {
    expect((await read('c_full')).seo).toEqual(FULL_SEO);
  });

  test('an object has null for empty SEO properties, and its name as the title', async () => {
    const unset = Object.fromEntries(OPEN_GRAPH_KEYS.map((key) => [key, null]));
    const { token } = await reader.service.createKey({ sites: [PLAIN] });
    const plain = contentOf(await reader.get('c_plain', { token, site: PLAIN }));
    expect(plain.seo).toEqual({
      title: plain.name,
      description: null,
      robots: null,
      canonical_url: null,
      open_graph: unset,
    });
  });

  test('an object uses its url as the default Open Graph URL, in every list and in previews', async () => {
    const id = 'c_graph';
    await reader.service.importRecords([
      content({ id, name: '"url":null}},"fields":{', seo: { open_graph: { image_alt: '"url":null}},"fields":{' } } }),
      content({ id: 'c_own_graph', seo: { open_graph: { url: 'null' } } }),
      content({ id: 'c_graph_draft', status: 'draft', seo: { open_graph: { title: 'Not yet' } } }),
    ]);
    const url = 'https://press.example/notes/graph';
    const expected = { url, seo: { open_graph: { url } } };
    expect(await read(id)).toMatchObject(expected);
    expect(contentOf(await reader.list('slug=graph'))).toMatchObject(expected);
    const list = cursorListOf(await reader.list('content_type=note&limit=100'));
    expect(list.data.find((each) => each.id === id)).toMatchObject(expected);
    expect((await read('c_own_graph')).seo.open_graph.url).toBe('null');
    const { token } = await reader.service.createKey({ sites: [PRESS], preview: true });
    const draft = contentOf(await reader.get('c_graph_draft', { token, headers: { 'x-service-preview': 'true' } }));
    expect(draft.seo.open_graph).toMatchObject({ title: 'Not yet', url: 'https://press.example/notes/graph-draft' });
  });

  test("an object has a new Open Graph URL and a new ETag when the site's URL changes", async () => {
    const moving = (url: string | null): object => site('s_moving', { url });
    await reader.service.importRecords([moving(null), contentType('s_moving', 'note', [])]);
    await reader.service.importRecords([content({ id: 'c_moving', site: 's_moving' })]);
    const { token } = await reader.service.createKey({ sites: ['s_moving'] });
    const etags = new Set<unknown>();
    for (const url of [null, 'https://old.example', 'https://new.example']) {
      await reader.service.importRecords([moving(url)]);
      const reply = await reader.get('c_moving', { token, site: 's_moving' });
      const moved = contentOf(reply);
      expect(moved.seo.open_graph.url).toBe(moved.url);
      expect(moved.url).toBe(url === null ? null : `${url}/${moved.uri}`);
      etags.add(reply.headers.etag);
    }
    expect(etags.size).toBe(3);
  });

  test('reflects a renamed author immediately in all content', async () => {
    await reader.service.importRecords([author('u_new', 'Old name'), content({ id: 'c_signed', author: 'u_new' })]);
    expect((await read('c_signed')).author?.name).toBe('Old name');
    await reader.service.importRecords([author('u_new', 'New name', { email: 'new@press.example' })]);
    expect((await read('c_signed')).author).toMatchObject({ name: 'New name', email: 'new@press.example' });
    const list = cursorListOf(await reader.list('author=u_ada&author=u_new&match=any&limit=100'));
    expect(list.data.find(({ id }) => id === 'c_signed')?.author?.name).toBe('New name');
  });

  test('reflects a renamed content type, field or option immediately in all content, blocks and links', async () => {
    const type = (word: string) =>
      contentType(
        PRESS,
        'renamed',
        [
          {
            handle: 'pick',
            name: `Pick ${word}`,
            help_text: word,
            type: 'option',
            options: [{ label: word, value: 'a' }],
          },
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

  test('reflects a changed asset or site URL immediately', async () => {
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

  test('keeps ids in any allowed format unchanged', async () => {
    const ids = ['A', '0', '-', '_', 'x'.repeat(64), 'Zz-9_', '00000000-0000-7000-8000-000000000000'];
    await reader.service.importRecords(ids.map((id, index) => content({ id, slug: `shape-${index}`, name: id })));
    for (const id of ids) expect((await read(id)).id).toBe(id);
  });
});
