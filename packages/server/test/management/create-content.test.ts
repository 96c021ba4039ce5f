// New content in the management API: drafts with their slugs and ids, and copies.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, listErrorPaths, openContentDesk, SITE, UNKNOWN } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    desk = await openContentDesk(manager);
  });

  afterAll(() => manager.close());

  describe('creating content', () => {
    test('creates a draft that appears in previews immediately and is hidden from readers', async () => {
      const post = await desk.create({ name: 'Hello, Wörld', author: 'u_ada', seo: { description: 'Short' } });
      expect(post).toMatchObject({
        content_type: 'post',
        language: 'en',
        name: 'Hello, Wörld',
        slug: 'hello-world',
        author: 'u_ada',
        author_name: 'Ada',
        state: 'draft',
        version: 1,
        published_version: null,
        published_at: null,
        uri: null,
        path: 'blog/hello-world',
        url: 'https://desk.example/blog/hello-world',
        fields: { title: { text: 'A title' } },
        seo: { description: 'Short', title: null },
        saved_by: { name: 'Test owner' },
        faults: [],
        missing_languages: ['fr'],
      });
      expect(post.id).toMatch(/^c_[0-9a-f]{32}$/);
      expect(await desk.readName(post.id)).toBe(null);
      expect(await desk.previewName(post.id)).toBe('Hello, Wörld');
      expect(await desk.get(post.id)).toEqual(post);
    });

    test('numbers generated slugs separately for each type and language', async () => {
      const slugs: string[] = [];
      for (let count = 0; count < 6; count++) slugs.push((await desk.create({ name: 'Same Name' })).slug);
      expect(slugs).toEqual(['same-name', ...[2, 3, 4, 5, 6].map((number) => `same-name-${number}`)]);
      expect(await desk.create({ name: 'Same name', language: 'fr' })).toMatchObject({ slug: 'same-name' });
      expect(await desk.create({ name: 'Same name', content_type: 'note', fields: {} })).toMatchObject({
        slug: 'same-name',
      });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('accepts an explicit slug, uri and language', async () => {
      const post = await desk.create({ name: 'Bonjour', language: 'fr', slug: 'bonjour-à-tous', uri: 'ailleurs/ici' });
      expect(post).toMatchObject({ language: 'fr', slug: 'bonjour-à-tous', uri: 'ailleurs/ici', path: 'ailleurs/ici' });
      const preview = await manager.read(SITE, `/${post.id}`, { 'x-service-preview': 'true' });
      expect(preview.body).toMatchObject({ uri: 'ailleurs/ici', url: 'https://desk.example/ailleurs/ici' });
    });

    test('rejects a taken slug and names the content that uses it', async () => {
      const { id, name } = await desk.create({ slug: 'taken' });
      const refused = await desk.call('POST', '', { content_type: 'post', name: 'x', slug: 'taken' });
      expect(refused).toMatchObject({
        status: 422,
        body: {
          code: 'invalid',
          errors: [
            {
              path: 'slug',
              message: `is taken by content ${id} (same type and language)`,
              code: 'taken',
              values: { id, name },
            },
          ],
        },
      });
    });

    test.each([
      [{}, ['name', 'content_type']],
      [{ content_type: 'post', name: '' }, ['name']],
      [{ content_type: 'nothing', name: 'x' }, ['content_type']],
      [{ content_type: 'card', name: 'x' }, ['content_type']],
      [{ content_type: 'post', name: 'x', language: 'de' }, ['language']],
      [{ content_type: 'post', name: 'x', language: 7 }, ['language']],
      [{ content_type: 'post', name: 'x', slug: 'a b' }, ['slug']],
      [{ content_type: 'post', name: 'x', uri: '/a' }, ['uri']],
      [{ content_type: 'post', name: 'x', translation_of: UNKNOWN }, ['translation_of']],
      [{ content_type: 'post', name: 'x', status: 'published' }, ['status']],
      [
        {
          content_type: 'post',
          name: 'x',
          author: 'u_none',
          seo: { colour: 1 },
          fields: { rank: { number: '1' }, no: {} },
        },
        ['author', 'seo.colour', 'fields.rank.number', 'fields.no'],
      ],
      [
        {
          content_type: 'post',
          name: 'x',
          fields: { photos: { assets: ['a_photo', 'a_none'] }, related: { content_links: [UNKNOWN] } },
        },
        ['fields.photos.assets[1]', 'fields.related.content_links[0]'],
      ],
      [
        {
          content_type: 'post',
          name: 'x',
          fields: {
            parts: {
              blocks: [
                { content_type: 'card' },
                { content_type: 'card', fields: { title: { text: 1 } } },
                { content_type: 'post' },
              ],
            },
          },
        },
        ['fields.parts.blocks[1].fields.title.text', 'fields.parts.blocks[2].content_type'],
      ],
      [
        { content_type: 'post', name: 'x', fields: { body: { text: '<script>alert(1)</script>' } } },
        ['fields.body.text'],
      ],
    ])('rejects %j with errors at %j and stores nothing', async (body, paths) => {
      const before = await desk.call('GET', '?limit=1&sort=created_at:desc');
      const refused = await desk.call('POST', '', body);
      expect(refused.status).toBe(422);
      expect(listErrorPaths(refused)).toEqual(paths);
      expect((await desk.call('GET', '?limit=1&sort=created_at:desc')).body).toEqual(before.body);
    });

    test('rejects a link to content on another site with the same message as a link to unknown content', async () => {
      await manager.service.importRecords([
        { kind: 'site', id: 's_other', name: 'Other', default_language: 'en', languages: ['en'], url: null },
        { kind: 'content_type', id: 't_x', site: 's_other', handle: 'x', name: 'X', object_type: 'page', fields: [] },
        {
          kind: 'content',
          id: 'c_other',
          site: 's_other',
          content_type: 'x',
          language: 'en',
          slug: 'x',
          name: 'X',
          status: 'published',
        },
      ]);
      const link = (id: string) => ({ content_type: 'post', name: 'x', fields: { related: { content_links: [id] } } });
      const other = await desk.call('POST', '', link('c_other'));
      const none = await desk.call('POST', '', link(UNKNOWN));
      expect(other.status).toBe(422);
      expect(JSON.stringify(other.body).replaceAll('c_other', UNKNOWN)).toBe(JSON.stringify(none.body));
    });
  });

  describe('an id', () => {
    test('is rejected if it is taken, even by archived content', async () => {
      const post = await desk.create({ id: 'c_first' });
      await desk.create({ id: 'c_buried' });
      await desk.act({ id: 'c_buried' }, 'archive');
      for (const [id, isArchived] of [
        ['c_first', false],
        ['c_buried', true],
      ] as const) {
        for (const [path, body] of [
          ['', { id, content_type: 'post', name: 'Second' }],
          ['/c_first/duplicate', { id }],
          ['/c_first/translations', { id, language: 'fr' }],
        ] as const) {
          const refused = await desk.call('POST', path, body);
          expect(refused).toMatchObject({ status: 409, body: { details: { content: id, is_archived: isArchived } } });
        }
      }
      expect(await desk.get('c_first')).toEqual(post);
      const wrong = await desk.call('POST', '', { id: 'no id!', content_type: 'post', name: 'x' });
      expect([wrong.status, listErrorPaths(wrong)]).toEqual([422, ['id']]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('can be chosen for new content, copies and translations', async () => {
      expect(await desk.create({ id: 'c_named', name: 'Named' })).toMatchObject({ id: 'c_named', name: 'Named' });
      expect(await desk.act({ id: 'c_named' }, 'duplicate', { id: 'c_twin' })).toMatchObject({ id: 'c_twin' });
      const translation = await desk.act({ id: 'c_named' }, 'translations', { id: 'c_nomme', language: 'fr' });
      expect(translation.translations.map(({ id }) => id)).toEqual(['c_named', 'c_nomme']);
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('a copy', () => {
    test('is an independent draft', async () => {
      const post = await desk.create({ name: 'Twin', uri: 'own/place', author: 'u_ada' });
      await desk.act(post, 'publish');
      const copy = await desk.act(post, 'duplicate');
      expect(copy).toMatchObject({
        name: 'Twin (copy)',
        slug: 'twin-copy',
        uri: null,
        author: 'u_ada',
        state: 'draft',
      });
      expect(copy.translations).toHaveLength(1);
      expect(copy.fields).toEqual(post.fields);
      expect(await desk.act(post, 'duplicate', { name: 'Third', slug: 'third' })).toMatchObject({
        name: 'Third',
        slug: 'third',
      });
      expect([await desk.readName(copy.id), await desk.previewName(copy.id)]).toEqual([null, 'Twin (copy)']);
    });
  });
});
