// Each URL belongs to one page: content cannot be published at the URL of another page in the same language. If the other page is
// in a different language, publishing returns a warning.

import type { ManagedContentBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const SITE = 's_urls';
const ROOT = `/sites/${SITE}/content`;

let database: TestDatabase;
let manager: Manager;
/** Another node that uses the same database. */
let other: Manager;

const text = { handle: 'text', name: 'Text', type: 'text', required: true };
const pageType = (handle: string, objectType = 'page') => ({
  kind: 'content_type',
  id: `t_${handle}`,
  site: SITE,
  handle,
  name: handle,
  object_type: objectType,
  uri_pattern: '{slug}',
  fields: [text],
});

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const shared = { createDatabase: async () => ({ url: database.url, remove: async () => {} }) };
    manager = await startManager({}, shared);
    other = await startManager({}, shared);
    await manager.service.importRecords([
      { kind: 'site', id: SITE, name: 'URLs', default_language: 'en', languages: ['en', 'de', 'fr'], url: null },
      pageType('article'),
      pageType('person'),
      pageType('label', 'entry'),
    ]);
  });

  afterAll(async () => {
    await other.close();
    await manager.close();
    await database.remove();
  });

  interface Wish {
    readonly type?: string;
    readonly name?: string;
    readonly slug: string;
    readonly language?: string;
    readonly uri?: string;
  }

  function create({ type = 'article', name = 'A page', ...members }: Wish): Promise<ManagedContentBody> {
    return manager.expectOk('POST', ROOT, {
      content_type: type,
      name,
      fields: { text: { text: 'Text' } },
      ...members,
    });
  }

  function publish({ id }: { readonly id: string }, at = manager): Promise<Answer> {
    return at.call('POST', `${ROOT}/${id}/publish`, { body: {}, token: at.editor });
  }

  async function createPublished(wish: Wish): Promise<ManagedContentBody> {
    const answer = await publish(await create(wish));
    expect(answer.status).toBe(200);
    return answer.body as ManagedContentBody;
  }

  const read = ({ id }: { readonly id: string }): Promise<ManagedContentBody> =>
    manager.expectOk('GET', `${ROOT}/${id}`);

  describe('the URL of another page', () => {
    test('is rejected for all content types, and the error names that page', async () => {
      const ada = await createPublished({ type: 'person', name: 'Ada', slug: 'ada' });
      const article = await create({ name: 'About Ada', slug: 'ada' });
      const fault = {
        path: 'slug',
        message: `results in the URL /ada, which “Ada” (${ada.id}) already uses`,
        code: 'url_taken',
        values: { path: 'ada', id: ada.id, name: 'Ada' },
      };
      expect(await publish(article)).toMatchObject({
        status: 409,
        body: {
          message: `Content ${article.id} cannot be published: “Ada” (${ada.id}) is already published at /ada.`,
          errors: [fault],
          details: {
            reason: 'url_taken',
            path: 'ada',
            content: { id: ada.id, name: 'Ada', content_type: 'person', language: 'en' },
          },
        },
      });
      expect(await read(article)).toMatchObject({ state: 'draft', faults: [fault], warnings: [] });
      expect((await manager.read(SITE, `/${article.id}`)).status).toBe(404);
      const validated = await manager.expectOk('POST', `${ROOT}/${article.id}/validate`, {});
      expect(validated).toEqual({ is_valid: false, faults: [fault], warnings: [] });
      const elsewhere = await manager.expectOk('POST', `${ROOT}/${article.id}/validate`, { slug: 'about-ada' });
      expect(elsewhere).toEqual({ is_valid: true, faults: [], warnings: [] });
      // The URL is free once the other page is unpublished.
      await manager.expectOk('POST', `${ROOT}/${ada.id}/unpublish`, {});
      expect((await publish(article)).status).toBe(200);
      expect((await publish(ada)).status).toBe(409);
    });

    test('is accepted if case or accents differ', async () => {
      await createPublished({ slug: 'café' });
      expect((await publish(await create({ type: 'person', slug: 'cafe' }))).status).toBe(200);
      expect((await publish(await create({ type: 'person', slug: 'CAFÉ' }))).status).toBe(200);
    });

    test('is rejected for one of two pages that are published at the same time on two nodes', async () => {
      for (let round = 0; round < 5; round++) {
        const slug = `race-${round}`;
        const both = [await create({ slug }), await create({ type: 'person', slug })] as const;
        const answers = await Promise.all([publish(both[0]), publish(both[1], other)]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      }
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('is rejected even if the URL was entered manually, and is reported with other errors', async () => {
      const first = await createPublished({ slug: 'by-hand' });
      const second = await create({ type: 'person', slug: 'someone', uri: 'by-hand' });
      const fault = { path: 'uri', message: expect.stringContaining(first.id) };
      expect(await publish(second)).toMatchObject({ status: 409, body: { errors: [fault] } });
      await manager.expectOk('PUT', `${ROOT}/${second.id}`, { version: 1, fields: {} });
      expect(await publish(second)).toMatchObject({ status: 422, body: { errors: [{ path: 'fields.text' }, fault] } });
    });

    test('is rejected for the home page too', async () => {
      await createPublished({ slug: 'home', uri: '' });
      expect(await publish(await create({ slug: 'home-2', uri: '' }))).toMatchObject({
        status: 409,
        body: { details: { path: '' } },
      });
    });

    test('is rejected with advice if the URL pattern of the type has neither {slug} nor {id}', async () => {
      const type = { handle: 'home', name: 'Home', object_type: 'page', uri_pattern: '{language}/welcome' };
      await manager.expectOk('POST', `/sites/${SITE}/types`, type);
      const page = { content_type: 'home', name: 'Welcome' };
      const first = await manager.expectOk<ManagedContentBody>('POST', ROOT, page);
      expect((await publish(first)).status).toBe(200);
      const second = await manager.expectOk<ManagedContentBody>('POST', ROOT, page);
      const hint = "add {slug} to the type's URL pattern, or set the uri of this content";
      expect(await publish(second)).toMatchObject({
        status: 409,
        body: {
          message: expect.stringContaining(hint),
          errors: [{ path: 'uri', message: expect.stringContaining(hint) }],
        },
      });
      const german = await manager.expectOk<ManagedContentBody>('POST', ROOT, { ...page, language: 'de' });
      expect((await publish(german)).status).toBe(200);
      await manager.expectOk('PUT', `${ROOT}/${second.id}`, { version: 1, uri: 'welcome/again' });
      expect((await publish(second)).status).toBe(200);
    });

    test('is accepted for entries, which are not pages', async () => {
      await createPublished({ slug: 'blue' });
      await createPublished({ type: 'label', slug: 'blue' });
      await createPublished({ type: 'label', slug: 'green' });
      expect(await createPublished({ slug: 'green' })).toMatchObject({ warnings: [] });
    });

    test('is rejected for content that is restored from the archive', async () => {
      const old = await createPublished({ slug: 'archived' });
      await manager.expectOk('POST', `${ROOT}/${old.id}/archive`, {});
      await createPublished({ type: 'person', slug: 'archived' });
      await manager.expectOk('POST', `${ROOT}/${old.id}/restore`, {});
      expect((await publish(old)).status).toBe(409);
    });

    test('is rejected when it results from a new pattern, and the content keeps its URL', async () => {
      const type = `/sites/${SITE}/types/person`;
      await manager.expectOk('PATCH', type, { uri_pattern: 'people/{slug}' });
      await createPublished({ slug: 'grace' });
      const person = await createPublished({ type: 'person', slug: 'grace' });
      await manager.expectOk('PATCH', type, { uri_pattern: '{slug}' });
      expect((await publish(person)).status).toBe(409);
      expect(await read(person)).toMatchObject({ published_path: 'people/grace' });
    });
  });

  describe('pages that already share a URL', () => {
    test('can be imported and updated, and are named in warnings', async () => {
      const record = (id: string, type: string) => ({
        kind: 'content',
        id,
        site: SITE,
        content_type: type,
        language: 'en',
        slug: 'shared',
        name: `Shared ${type}`,
        status: 'published',
        fields: { text: { text: 'Text' } },
      });
      const { warnings } = await manager.service.importRecords([
        record('c_shared_1', 'article'),
        record('c_shared_2', 'person'),
      ]);
      expect(warnings.listed).toMatchObject([
        {
          line: 2,
          record: { id: 'c_shared_2' },
          message: '“Shared person” has the same URL as “Shared article” (c_shared_1): /shared',
        },
      ]);
      const warning = {
        reason: 'url_shared',
        message: '“Shared person” (c_shared_2) is published at the same URL: /shared',
        content: { id: 'c_shared_2', name: 'Shared person', content_type: 'person', language: 'en' },
      };
      const page = await read({ id: 'c_shared_1' });
      expect(page).toMatchObject({ faults: [], warnings: [warning] });
      const saved = await manager.expectOk<ManagedContentBody>('PUT', `${ROOT}/c_shared_1`, {
        version: 1,
        name: 'New',
      });
      expect(saved).toMatchObject({ faults: [], warnings: [warning] });
      expect(await publish(page)).toMatchObject({ status: 200, body: { name: 'New', warnings: [warning] } });
      // Once one of the pages is unpublished, it cannot be published again.
      await manager.expectOk('POST', `${ROOT}/c_shared_1/unpublish`, {});
      expect((await publish(page)).status).toBe(409);
    });
  });

  describe('schedules', () => {
    const AT = '2998-01-01T00:00:00+00:00';

    async function fireAll(): Promise<readonly unknown[]> {
      const desk = { ...createDesk(manager.service.storage), now: () => Date.parse(AT) };
      const fired: unknown[] = [];
      for await (const { contentId, failure } of fireDue(desk, Date.parse(AT)))
        fired.push([contentId, failure?.reason]);
      return fired;
    }

    test('can move a URL from one page to another when both are due at the same time', async () => {
      const old = await createPublished({ slug: 'handed-over' });
      const next = await create({ type: 'person', slug: 'handed-over' });
      await manager.expectOk('POST', `${ROOT}/${next.id}/schedule`, { publish_at: AT });
      await manager.expectOk('POST', `${ROOT}/${old.id}/schedule`, { unpublish_at: AT });
      expect(await fireAll()).toEqual([
        [old.id, undefined],
        [next.id, undefined],
      ]);
      expect((await manager.read(SITE, `/${next.id}`)).status).toBe(200);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('are accepted while another page has the URL, and fail if it still has the URL when they are due', async () => {
      const there = await createPublished({ slug: 'scheduled' });
      const late = await create({ type: 'person', slug: 'scheduled' });
      const planned = await manager.expectOk('POST', `${ROOT}/${late.id}/schedule`, { publish_at: AT });
      expect(planned).toMatchObject({ publish_at: AT, faults: [{ path: 'slug' }] });
      const message = `Content ${late.id} cannot be published: “A page” (${there.id}) is already published at /scheduled.`;
      const values = { path: 'scheduled', id: there.id, name: 'A page' };
      const faults = [{ path: 'slug', message: expect.stringContaining(there.id), code: 'url_taken', values }];
      expect(await fireAll()).toEqual([[late.id, { message, faults }]]);
      const kept = await manager.expectOk('GET', `${ROOT}/${late.id}`);
      expect(kept).toMatchObject({ publish_at: null, failed_schedule: { action: 'publish', due_at: AT, message } });
      expect((await manager.read(SITE, `/${late.id}`)).status).toBe(404);
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('the same URL in another language', () => {
    test('leads to a warning that names the page', async () => {
      const english = await createPublished({ name: 'News', slug: 'news' });
      const german = await create({ name: 'Neues', slug: 'news', language: 'de' });
      const warning = {
        reason: 'url_in_other_language',
        message: `“News” (${english.id}) is published at the same URL in the language en: /news`,
        content: { id: english.id, name: 'News', content_type: 'article', language: 'en' },
      };
      expect(german).toMatchObject({ faults: [], warnings: [warning] });
      expect(await publish(german)).toMatchObject({ status: 200, body: { warnings: [warning] } });
      expect(await manager.expectOk('POST', `${ROOT}/${german.id}/validate`, {})).toMatchObject({
        is_valid: true,
        warnings: [warning],
      });
      const french = await createPublished({ slug: 'news', language: 'fr' });
      expect(french.warnings.map(({ content }) => content.language)).toEqual(['en', 'de']);
    });
  });
});
