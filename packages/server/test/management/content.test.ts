// Existing content in the management API: saves, problems, versions, lists, and the delivery API's responses.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { WHOLE_ROOM } from '../../src/content/answer-limit.ts';
import { ContentDelivery } from '../../src/delivery/deliver-content.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';
import { openEntrance } from '../../src/management/session/entrance.ts';
import type { Storage } from '../../src/storage/storage.ts';
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

  describe('saving', () => {
    test('creates a new version each time, and readers do not see any of them', async () => {
      const post = await desk.create({ name: 'First' });
      await desk.act(post, 'publish');
      const saved = await desk.save(post, { name: 'Second', fields: { title: { text: 'Other' } } });
      expect(saved).toMatchObject({
        name: 'Second',
        slug: 'first',
        state: 'changed',
        version: 2,
        published_version: 1,
      });
      expect([await desk.readName(post.id), await desk.previewName(post.id)]).toEqual(['First', 'Second']);
      const without = await desk.save(saved, { fields: {}, seo: { title: 'T' } });
      expect(without).toMatchObject({ name: 'Second', version: 3, fields: {}, seo: { title: 'T' } });
    });

    test('is rejected and changes nothing if there is a newer version, and reports who saved what in the meantime', async () => {
      const post = await desk.create({ name: 'Old', fields: { title: { text: 'T' }, rank: { number: 2 } } });
      const body = { version: 1, name: 'New', author: 'u_bob', fields: { title: { text: 'T' }, rank: { number: 3 } } };
      expect(await desk.call('PUT', `/${post.id}`, body, manager.owner)).toMatchObject({ status: 200 });
      const refused = await desk.call('PUT', `/${post.id}`, { version: 1, name: 'Mine' });
      expect(refused).toMatchObject({
        status: 409,
        body: {
          code: 'stale',
          details: {
            current_version: 2,
            saved_by: { name: 'Test owner' },
            saved_at: expect.stringMatching(/\+00:00$/),
            changed: ['name', 'author', 'fields.rank.number'],
          },
        },
      });
      expect(await desk.get(post.id)).toMatchObject({ name: 'New', version: 2 });
      expect(await desk.call('PUT', `/${post.id}`, body)).toMatchObject({ status: 200, body: { version: 2 } });
      expect(await desk.call('PUT', `/${post.id}`, { version: 9, name: 'x' })).toMatchObject({ status: 422 });
      expect(await desk.call('PUT', `/${post.id}`, { name: 'x' })).toMatchObject({ status: 422 });
    });

    test('if the slug is null, it is generated from the name and follows the name until the content is first published', async () => {
      const first = await desk.create({ name: 'Follow me', slug: null });
      const second = await desk.create({ name: 'Follow me' });
      expect([first.slug, second.slug]).toEqual(['follow-me', 'follow-me-2']);
      expect([first.slug_follows_name, second.slug_follows_name]).toEqual([true, true]);
      const renamed = await desk.save(first, { name: 'Lead me', slug: null });
      expect(renamed).toMatchObject({ slug: 'lead-me', slug_follows_name: true });
      // The slug without a number is free now, but the second post keeps its slug.
      const other = await desk.save(second, { slug: null, author: 'u_ada' });
      expect(other).toMatchObject({ slug: 'follow-me-2', version: 2 });
      expect(await desk.save(other, { slug: null })).toMatchObject({ version: 2 });
      const byHand = await desk.save(other, { slug: 'mine' });
      expect(byHand).toMatchObject({ slug: 'mine', slug_follows_name: false });
      expect(await desk.save(byHand, { name: 'Renamed' })).toMatchObject({ slug: 'mine', slug_follows_name: false });
      // Once the content has been published, its slug no longer follows its name.
      expect(await desk.act(renamed, 'publish')).toMatchObject({ slug: 'lead-me', slug_follows_name: false });
      const live = { version: renamed.version, name: 'Renamed again', slug: null };
      expect((await desk.call('PUT', `/${renamed.id}`, live)).body).toMatchObject({ slug: 'lead-me' });
      expect(await desk.act(renamed, 'unpublish')).toMatchObject({ slug_follows_name: false });
    });

    test('a slug that other content uses in its latest or published version is rejected', async () => {
      const owner = await desk.create({ slug: 'owned' });
      await desk.act(owner, 'publish');
      await desk.save(owner, { slug: 'moved' });
      const other = await desk.create();
      for (const slug of ['owned', 'moved']) {
        const refused = await desk.call('PUT', `/${other.id}`, { version: 1, slug });
        expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'slug' }] } });
      }
      expect(await desk.save(other, { slug: 'own' })).toMatchObject({ slug: 'own' });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('creates no version and invalidates no cache if the values are unchanged', async () => {
      const post = await desk.create({ author: 'u_ada', fields: { title: { text: 'T' }, rank: { number: 2 } } });
      const { fields, name, slug, seo, author, uri } = post;
      const again = await desk.save(post, {
        fields: { rank: fields.rank, title: fields.title },
        name,
        slug,
        seo,
        author,
        uri,
      });
      expect(again).toEqual(post);
    });

    test('sanitises HTML and says so, but does not change Markdown', async () => {
      const hostile = '<b onclick="x()">bold</b><script>y()</script>';
      const fields = { title: { text: '<i>' }, body: { text: hostile }, notes: { text: hostile } };
      const post = await desk.create({ fields });
      expect(post.sanitised).toEqual(['fields.body.text']);
      expect(post.fields).toEqual({ title: { text: '<i>' }, body: { text: '<b>bold</b>' }, notes: { text: hostile } });
      expect((await desk.get(post.id)).sanitised).toEqual([]);
    });

    test('sanitises long HTML like short HTML, even with many concurrent saves', async () => {
      const clean = (mark: number): string => `<p>${mark} <b>bold</b></p>`.repeat(1000);
      const posts = await Promise.all(
        [0, 1, 2].map((mark) => desk.create({ fields: { body: { text: `${clean(mark)}<script>y()</script>` } } })),
      );
      for (const [mark, post] of posts.entries()) {
        expect(post).toMatchObject({
          sanitised: ['fields.body.text'],
          fields: { body: { text: clean(mark) } },
          version: 1,
        });
        const saved = await desk.save(post, { fields: { body: { text: `${clean(9)}<br/>` } } });
        expect(saved).toMatchObject({ fields: { body: { text: `${clean(9)}<br>` } }, version: 2 });
        const validated = await desk.call('POST', `/${post.id}/validate`, {
          fields: { body: { text: '<b>'.repeat(9000) } },
        });
        expect(validated).toMatchObject({ status: 200, body: { faults: [{ path: 'fields.body.text' }] } });
      }
    });

    test('a number typed at the end of a slug does not count as generated', async () => {
      const year = await desk.create({ name: 'Review', slug: 'review-2024' });
      expect(year).toMatchObject({ slug: 'review-2024', slug_follows_name: false });
      const named = await desk.create({ name: 'Summer 2024' });
      expect(named).toMatchObject({ slug: 'summer-2024', slug_follows_name: true });
      expect(await desk.save(named, { name: 'Summer', slug: null })).toMatchObject({ slug: 'summer' });
    });
  });

  describe('lists', () => {
    const names = (answer: { body: unknown }) => Object(answer.body).data.map((item: object) => Object(item).name);

    test('can be filtered by name, type, status, author and language, in any sort order, page by page', async () => {
      for (const name of ['Zebra', 'zebu', 'Zêbra finch']) await desk.create({ name, author: 'u_bob' });
      const zebra = await desk.create({ name: 'Zebra', language: 'fr' });
      await desk.act(zebra, 'publish');
      await desk.create({ name: 'Zebra', content_type: 'note', fields: {} });
      expect(names(await desk.call('GET', '?search=ZEBRA&sort=name:asc'))).toEqual([
        'Zebra',
        'Zebra',
        'Zebra',
        'Zêbra finch',
      ]);
      expect(names(await desk.call('GET', '?search=zeb&author=u_bob&sort=name:desc'))).toEqual([
        'zebu',
        'Zêbra finch',
        'Zebra',
      ]);
      expect(names(await desk.call('GET', '?search=zeb&content_type=note'))).toEqual(['Zebra']);
      expect(names(await desk.call('GET', '?search=zeb&status=published'))).toEqual(['Zebra']);
      expect(names(await desk.call('GET', '?search=zeb&status=changed'))).toEqual([]);
      expect(names(await desk.call('GET', '?search=zeb&language=fr&status=draft'))).toEqual([]);
      expect(names(await desk.call('GET', '?search=%25'))).toEqual([]);
      for (const sort of [
        'name:asc',
        'name:desc',
        'updated_at:asc',
        'updated_at:desc',
        'created_at:asc',
        'created_at:desc',
      ]) {
        const all = names(await desk.call('GET', `?sort=${sort}&limit=100`));
        const walked: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await desk.call('GET', `?sort=${sort}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
          walked.push(...names(page));
          cursor = Object(page.body).next_cursor;
        }
        expect(walked).toEqual(all);
        expect(all.length).toBeGreaterThan(10);
      }
    });

    test('omit archived content unless it is requested', async () => {
      const gone = await desk.create({ name: 'Quagga' });
      await desk.act(gone, 'archive');
      expect(names(await desk.call('GET', '?search=quagga'))).toEqual([]);
      expect(names(await desk.call('GET', '?search=quagga&status=archived'))).toEqual(['Quagga']);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test.each([
      'sort=size:asc',
      'status=gone',
      'limit=0',
      'limit=101',
      'cursor=x',
      'content_type=none',
      'author=%20',
      'x=1',
    ])('reject the query %s', async (query) => {
      const name = `query.${query.slice(0, query.indexOf('='))}`;
      expect(await desk.call('GET', `?${query}`)).toMatchObject({ status: 422, body: { errors: [{ path: name }] } });
    });

    test('reject a cursor from a list with a different sort order', async () => {
      const page = await desk.call('GET', '?sort=name:asc&limit=1');
      const { next_cursor: cursor } = Object(page.body);
      expect(await desk.call('GET', `?sort=created_at:asc&cursor=${cursor}`)).toMatchObject({ status: 422 });
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('problems', () => {
    const faulty = {
      title: { text: 'x'.repeat(21) },
      rank: { number: 0 },
      photos: { assets: ['a_paper'] },
      parts: { blocks: [{ content_type: 'card', fields: {} }] },
    };
    const paths = [
      'fields.parts.blocks[0].fields.title',
      'fields.title.text',
      'fields.rank.number',
      'fields.photos.assets[0]',
    ];

    test('do not prevent saving, but prevent publishing and scheduling, and are all reported at once', async () => {
      const post = await desk.create({ fields: faulty });
      expect(post.faults.map(({ path }) => path)).toEqual(paths);
      for (const [action, body] of [
        ['publish', {}],
        ['schedule', { publish_at: '2999-01-01T00:00:00Z' }],
      ] as const) {
        const refused = await desk.call('POST', `/${post.id}/${action}`, body);
        expect(refused.status).toBe(422);
        expect(listErrorPaths(refused)).toEqual(paths);
      }
      expect(await desk.get(post.id)).toEqual(post);
    });

    test('are found in saved and unsaved values', async () => {
      const post = await desk.create();
      const validate = (body: unknown) => desk.call('POST', `/${post.id}/validate`, body);
      expect(await validate({})).toMatchObject({ status: 200, body: { is_valid: true, faults: [] } });
      expect(await validate({ fields: {} })).toMatchObject({
        body: { is_valid: false, faults: [{ path: 'fields.title' }] },
      });
      const wrong = await validate({ fields: { rank: { number: 'x' } }, author: 'u_none' });
      expect(wrong).toMatchObject({ body: { faults: [{ path: 'author' }, { path: 'fields.rank.number' }] } });
      expect(await desk.get(post.id)).toEqual(post);
    });
  });

  describe('a single response', () => {
    test.each([
      ['GET', '/sites/{site}/content/{content}'],
      ['GET', '/sites/{site}/content/{content}/translations'],
      ['POST', '/sites/{site}/content/{content}/validate'],
      ['POST', '/sites/{site}/content/{content}/render'],
    ])('is a consistent snapshot of the database: %s %s', async (method, path) => {
      const { id } = await desk.create({ author: 'u_ada' });
      const { storage } = manager.service;
      let reads = 0;
      const read: Storage['read'] = (procedure) => {
        reads += 1;
        return storage.read(procedure);
      };
      const route = MANAGEMENT_ROUTES.find((each) => each.method === method && each.path === path);
      const counting = { storage: { ...storage, read }, now: Date.now, newUuid: randomUUIDv7, randomBytes };
      const answer = await route?.run({
        desk: counting,
        entrance: openEntrance(counting, pino({ level: 'silent' })),
        delivery: new ContentDelivery(storage.delivery, WHOLE_ROOM),
        actor: COMMAND_ACTOR,
        path: { site: SITE, content: id },
        query: {},
        body: { fields: { title: { text: 'T' }, related: { content_links: [id] } } },
        client: {
          ...{ address: '127.0.0.1', agent: null, isSecure: false, baseUrl: 'http://localhost' },
          ...{ sessionToken: undefined, deviceCookie: undefined },
        },
        readTraffic: async () => [],
        uploads: { mostBytes: 0, open: () => Promise.reject(new Error('This route takes no files')) },
        headerPrefix: 'X-SERVICE',
        setHeader: () => {},
      });
      expect(answer).toBeTypeOf('object');
      expect(reads).toBe(1);
    });
  });

  test('content in another account looks like content that does not exist', async () => {
    const post = await desk.create();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { version: 1, name: 'x' }],
      ['POST', '/publish', {}],
      ['POST', '/archive', {}],
      ['GET', '/translations', undefined],
    ] as const) {
      const foreign = await desk.call(method, `/${post.id}${path}`, body, manager.stranger);
      const absent = await desk.call(method, `/${UNKNOWN}${path}`, body);
      expect([foreign.status, absent.status]).toEqual([404, 404]);
    }
    expect(await desk.get(post.id)).toEqual(post);
  });
});
