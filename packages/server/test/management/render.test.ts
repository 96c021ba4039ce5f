// Unsaved content is rendered exactly as a preview would show it after a save, and nothing is saved.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeMarksDeep } from '../../src/content/marks.ts';
import { readTables } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const PREVIEW = { 'x-service-preview': 'true' };
/** The clock stands still, so that a rendering and a save have the same time. */
const NOW = Date.parse('2026-01-01T00:00:00Z');

let manager: Manager;
let desk: ContentDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine, now: () => NOW });
    desk = await openContentDesk(manager);
  });

  afterAll(() => manager.close());

  function render(id: string, body?: unknown, token?: string): Promise<Answer> {
    return desk.call('POST', `/${id}/render`, body, token);
  }

  async function preview(id: string): Promise<string> {
    const { status, body } = await manager.read(SITE, `/${id}`, PREVIEW);
    expect(status).toBe(200);
    return JSON.stringify(body);
  }

  /** Everything in the database, except the times at which keys and tokens were last used. */
  async function readSaved(): Promise<object> {
    const { api_keys: _, management_tokens: __, ...tables } = await readTables(manager.service.storage);
    return tables;
  }

  /** All field values of the desk's post, including a link to itself. */
  function fillPost(id: string): Readonly<Record<string, object>> {
    return {
      title: { text: 'A new title' },
      rank: { number: 3 },
      body: { text: '<p onclick="x()">Text<script>x()</script></p>' },
      notes: { text: '# Notes' },
      photos: { assets: ['a_photo', 'a_paper'] },
      related: { content_links: [id] },
      parts: { blocks: [{ content_type: 'card', name: 'Card', fields: { title: { text: 'In a block' } } }] },
    };
  }

  test.each([
    ['a draft', []],
    ['published content', ['publish']],
    ['unpublished content', ['publish', 'unpublish']],
  ])('%s is rendered like its preview after a save', async (_, actions) => {
    const other = await desk.create({ name: 'Other', slug: null });
    let post = await desk.create({ name: 'Before', slug: null });
    for (const action of actions) post = await desk.act(post, action, action === 'unpublish' ? { confirm: true } : {});
    const changes = {
      name: 'After',
      slug: null,
      author: 'u_ada',
      seo: { description: 'About', open_graph: { image_width: 7 } },
      fields: { ...fillPost(post.id), related: { content_links: [post.id, other.id] } },
    };
    const before = await preview(post.id);
    const rendered = await render(post.id, { version: post.version, ...changes });
    expect(rendered.status).toBe(200);
    expect(await preview(post.id)).toBe(before);
    await desk.save(post, changes);
    expect(JSON.stringify(rendered.body)).toBe(await preview(post.id));
    expect(rendered.body).toMatchObject({
      name: 'After',
      slug: actions.length === 0 ? 'after' : post.slug,
      fields: {
        related: { content_links: [{ content_link: { name: 'After' } }, { content_link: { name: 'Other' } }] },
      },
    });
  });

  test('nothing is saved, not even in the audit log', async () => {
    const post = await desk.act(await desk.create(), 'publish');
    const before = await readSaved();
    expect((await render(post.id, { name: 'Unsaved', fields: fillPost(post.id) })).status).toBe(200);
    expect((await render(post.id, { slug: '/', fields: 7 })).status).toBe(200);
    expect(await readSaved()).toEqual(before);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('without changes, the object is the same as the current preview, even if a save would give it another URL', async () => {
    const post = await desk.act(
      await desk.create({ author: 'u_bob', fields: { title: { text: 'Title' } } }),
      'publish',
    );
    const type = await manager.expectOk<{ uri_pattern: string }>('GET', `/sites/${SITE}/types/post`);
    const setPattern = (uri_pattern: string) => manager.expectOk('PATCH', `/sites/${SITE}/types/post`, { uri_pattern });
    await setPattern('{language}/other/{slug}');
    try {
      for (const body of [undefined, {}, { name: post.name }, { version: 1, fields: post.fields, seo: null }]) {
        const { status, body: rendered } = await render(post.id, body);
        expect([status, JSON.stringify(rendered)]).toEqual([200, await preview(post.id)]);
      }
      const changed = await render(post.id, { name: 'Changed' });
      expect(changed.body).toMatchObject({ uri: `other/${post.slug}` });
    } finally {
      await setPattern(type.uri_pattern);
    }
  });

  test('marks can be added, and do not change anything else', async () => {
    const post = await desk.create();
    const body = { name: 'Marked', fields: fillPost(post.id) };
    const plain = await render(post.id, body);
    const marked = await desk.call('POST', `/${post.id}/render?marks=true`, body);
    expect(JSON.stringify(marked.body)).not.toBe(JSON.stringify(plain.body));
    const { source_map: sourceMap, ...object } = Object(removeMarksDeep(marked.body));
    expect(sourceMap).toContainEqual({ path: 'fields.rank', id: post.id, field: 'fields.rank', language: 'en' });
    expect(JSON.stringify(object)).toBe(JSON.stringify(plain.body));
    await desk.save(post, body);
    const headers = { ...PREVIEW, 'x-service-source-map': 'true' };
    expect(marked.body).toEqual((await manager.read(SITE, `/${post.id}`, headers)).body);
    expect((await desk.call('POST', `/${post.id}/render?marks=yes`, body)).status).toBe(422);
  });

  describe('a rendering leaves out', () => {
    test.each<readonly [string, Readonly<Record<string, unknown>>, object]>([
      ['an empty name', { name: '' }, { name: '', seo: { title: '' } }],
      ['a name of the wrong type', { name: 7 }, { name: '' }],
      ['a name that is too long', { name: 'x'.repeat(256) }, { name: '' }],
      ['an invalid slug', { slug: 'a/b' }, { slug: 'start', uri: 'blog/start' }],
      ['a taken slug', { slug: 'taken' }, { slug: 'start', uri: 'blog/start' }],
      ['an invalid uri', { uri: '/a b' }, { uri: 'blog/start' }],
      ['an unknown author', { author: 'u_nobody' }, { author: null }],
      ['an author of the wrong type', { author: {} }, { author: null }],
      [
        'some invalid seo values',
        { seo: { title: 7, description: 'Kept', no: 1, open_graph: { url: 'javascript:x', image_alt: 'Kept' } } },
        {
          seo: {
            title: 'Start',
            description: 'Kept',
            open_graph: { image_alt: 'Kept', url: 'https://desk.example/blog/start' },
          },
        },
      ],
      ['seo of the wrong type', { seo: 'x' }, { seo: { description: null } }],
      [
        'an Open Graph part of the wrong type',
        { seo: { description: 'Kept', open_graph: 7 } },
        { seo: { description: 'Kept' } },
      ],
      ['fields of the wrong type', { fields: [] }, { fields: { title: { text: null } } }],
      [
        'an unknown field',
        { fields: { title: { text: 'Kept' }, no: { text: 'x' } } },
        { fields: { title: { text: 'Kept' } } },
      ],
      [
        'values of the wrong type',
        { fields: { title: { text: 7 }, rank: { number: '3' }, notes: { text: ['x'] }, body: 'x' } },
        { fields: { title: { text: null }, rank: { number: null }, notes: { text: null }, body: { text: null } } },
      ],
      [
        'links and assets that do not exist',
        {
          fields: {
            related: { content_links: ['c_nobody', 7] },
            photos: { assets: ['a_photo', 'a_nothing', 'a_photo'] },
          },
        },
        { fields: { related: { content_links: [] }, photos: { assets: [{ asset: { id: 'a_photo' } }] } } },
      ],
      [
        'invalid blocks',
        {
          fields: {
            parts: {
              blocks: [
                7,
                { content_type: 'post' },
                {
                  content_type: 'card',
                  name: 'x'.repeat(256),
                  fields: { title: { text: 7 }, body: { text: '<b>Kept</b>' } },
                },
              ],
            },
          },
        },
        {
          fields: {
            parts: { blocks: [{ name: null, fields: { title: { text: null }, body: { text: '<b>Kept</b>' } } }] },
          },
        },
      ],
      [
        'text that is too long',
        { fields: { title: { text: 'x'.repeat(1_000_001) }, notes: { text: 'Kept' } } },
        { fields: { title: { text: null }, notes: { text: 'Kept' } } },
      ],
      [
        'HTML that cannot be cleaned',
        { fields: { body: { text: '<b>'.repeat(600) }, notes: { text: 'Kept' } } },
        { fields: { body: { text: null }, notes: { text: 'Kept' } } },
      ],
      [
        'HTML with nothing but a script',
        { fields: { body: { text: '<script>x()</script>' } } },
        { fields: { body: { text: null } } },
      ],
    ])('%s', async (_, changes, expected) => {
      await ensurePost('c_taken', 'taken');
      await ensurePost('c_start', 'start');
      const { status, body } = await render('c_start', changes);
      expect(status).toBe(200);
      expect(body).toMatchObject(expected);
    });

    async function ensurePost(id: string, slug: string): Promise<void> {
      const known = await desk.call('GET', `/${id}`);
      if (known.status === 404) await desk.create({ id, slug, name: 'Start', fields: { title: { text: 'Start' } } });
    }
  });

  describe('a call is rejected', () => {
    test.each<readonly [string, unknown, number, RegExp]>([
      ['if the body is not an object', [], 422, /must be an object/],
      ['if the body is not JSON', '{', 400, /JSON/],
      ['if the body has an unknown property', { title: 'x' }, 422, /is unknown; a draft has version, name/],
      [
        'if the body has too many parts',
        { fields: { title: Array.from({ length: 60_001 }, () => 0) } },
        422,
        /at most 60000/,
      ],
      ['if the body is too large', { name: 'x'.repeat(4 * 1024 * 1024) }, 413, /./],
      ['if the version is not a number', { version: 'x' }, 422, /must be the number of a version/],
    ])('%s', async (_, body, status, message) => {
      const { id } = await desk.create();
      const answer = await render(id, body);
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).toMatch(message);
    });

    test('if the content is archived, because it cannot be saved', async () => {
      const post = await desk.act(await desk.create(), 'archive', { confirm: true });
      const answer = await render(post.id, { name: 'x' });
      expect([answer.status, Object(answer.body).message]).toEqual([409, expect.stringContaining('is archived')]);
    });

    test('if the content does not exist, or belongs to another account', async () => {
      const { id } = await desk.create();
      expect((await render('c_nobody', {})).status).toBe(404);
      expect((await render(id, {}, manager.stranger)).status).toBe(404);
    });
  });
});
