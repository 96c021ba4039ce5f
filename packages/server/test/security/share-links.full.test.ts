// A share link shows one draft and the content that the draft links to. The link's token gives no access to other content on any endpoint.
// The link stops working as soon as it expires or is revoked, or its content is deleted.

import type { NewShareLinkBody, PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../management/browser.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { startService, type TestService } from '../support/service.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';

const SITE = 's_share';
const OTHER = 's_elsewhere';
const HOUR_MS = 3_600_000;
/** Everything that the link to `c_shared` may show. */
const SHARED = ['c_shared', 'c_near', 'c_nested'];
const OTHERS = ['c_far', 'c_secret', 'c_french', 'c_published', 'c_draft', 'c_archived', 'c_elsewhere'];
const NOT_FOUND = { status: 404, body: { message: 'Content not found.' } };
const REFUSED = { status: 401, body: { message: 'Unauthenticated.' } };

const TYPES = [
  {
    handle: 'page',
    fields: [
      { handle: 'title', type: 'text' },
      { handle: 'colour', type: 'option', options: [{ label: 'Red', value: 'red' }] },
      { handle: 'related', type: 'content_links' },
      { handle: 'internal', type: 'content_links', hidden: true },
      { handle: 'parts', type: 'blocks' },
    ],
  },
  { handle: 'note', fields: [{ handle: 'title', type: 'text' }] },
  {
    handle: 'part',
    object_type: 'block',
    fields: [
      { handle: 'inner', type: 'blocks' },
      { handle: 'cards', type: 'content_links' },
    ],
  },
];

function page(id: string, members: Readonly<Record<string, unknown>> = {}, fields: object = {}): object {
  return {
    kind: 'content',
    site: SITE,
    id,
    content_type: 'page',
    language: 'en',
    slug: `slug-${id}`,
    name: `Name ${id}`,
    status: 'draft',
    fields: { title: { text: `text of ${id}` }, ...fields },
    ...members,
  };
}

const links = (...ids: readonly string[]) => ({ content_links: ids });
const nested = {
  blocks: [
    {
      content_type: 'part',
      fields: { inner: { blocks: [{ content_type: 'part', fields: { cards: links('c_nested') } }] } },
    },
  ],
};

const RECORDS = [
  ...[SITE, OTHER].map((id) => ({ kind: 'site', id, name: id, default_language: 'en', languages: ['en', 'fr'] })),
  ...[SITE, OTHER].flatMap((site) =>
    TYPES.map((type) => ({
      kind: 'content_type',
      id: `t_${type.handle}_${site}`,
      site,
      name: type.handle,
      ...type,
      fields: type.fields.map((field) => ({ name: field.handle, ...field })),
    })),
  ),
  page('c_shared', {}, { related: links('c_near', 'c_archived'), internal: links('c_secret'), parts: nested }),
  page('c_french', { language: 'fr', translation_of: 'c_shared' }),
  page('c_near', {}, { related: links('c_far', 'c_published', 'c_nested') }),
  page('c_nested', {
    status: 'published',
    published_at: '2026-01-01T00:00:00+00:00',
    draft: { fields: { title: { text: 'newer text of c_nested' } } },
  }),
  page('c_far'),
  page('c_secret'),
  page('c_published', { status: 'published', published_at: '2026-01-02T00:00:00+00:00' }),
  page('c_draft', {}, { related: links('c_shared') }),
  page('c_archived', { status: 'archived' }),
  page('c_elsewhere', { site: OTHER }),
];

let manager: Manager;
/** Another node with the same database. */
let other: TestService;
let now: number;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    now = Date.now();
    const database = await createTestDatabase(engine);
    manager = await startManager({ GALLEY_MATCH: 'any' }, { now: () => now, createDatabase: async () => database });
    const shared = { url: database.url, remove: async () => {} };
    other = await startService({}, { now: () => now, createDatabase: async () => shared });
    await manager.service.importRecords(RECORDS);
    const addresses = [{ name: 'Website', address: 'https://site.example' }];
    for (const site of [SITE, OTHER]) await manager.expectOk('PUT', `/sites/${site}/preview`, { addresses });
  });

  afterAll(async () => {
    await other.close();
    await manager.close();
  });

  const linksOf = (content: string) => `/sites/${SITE}/content/${content}/share-links`;

  async function share(content = 'c_shared', hours = 1): Promise<NewShareLinkBody & { readonly token: string }> {
    const link = await manager.expectOk<NewShareLinkBody>('POST', linksOf(content), { hours }, manager.editor);
    return { ...link, token: new URL(link.url).searchParams.get('secret') ?? '' };
  }

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly body: unknown;
    readonly headers: Headers;
  }

  async function ask(path: string, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(`${manager.service.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE, ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  }

  const read = (id: string, token: string, headers = {}) => ask(`/api/v1/content/${id}`, token, headers);

  function listIds({ body }: Answer): readonly string[] {
    const { data = [body] } = body as { data?: readonly { id: string }[] };
    return data.map((each) => (each as { id: string }).id).toSorted();
  }

  /** The IDs of other content in a response. The slugs, names and texts of that content contain its ID too. */
  function findOthers({ text }: Answer): readonly string[] {
    return OTHERS.filter((id) => text.includes(id));
  }

  describe('a share link', () => {
    test('shows the last saved state of the content and of what it links to, without the preview header', async () => {
      const { token } = await share();
      const preview = await manager.read(SITE, '/c_nested', { 'x-service-preview': 'true' });
      const nearest = await read('c_nested', token);
      expect(nearest.body).toEqual(preview.body);
      expect(nearest.text).toContain('newer text of c_nested');
      expect(nearest.headers.get('cache-control')).toContain('no-store');
      const shared = await read('c_shared', token);
      for (const text of ['text of c_shared', 'text of c_near', 'newer text of c_nested']) {
        expect(shared.text).toContain(text);
      }
      for (const headers of [{ 'x-service-preview': 'false' }, { 'x-service-preview': 'true' }]) {
        expect((await read('c_shared', token, headers)).body).toEqual(shared.body);
      }
      expect((await read('c_near', token)).text).toContain('text of c_near');
    });

    test('follows the content as it changes', async () => {
      const { token } = await share('c_draft');
      expect((await read('c_shared', token)).status).toBe(200);
      expect((await read('c_far', token)).status).toBe(404);
      const path = `/sites/${SITE}/content/c_draft`;
      const { version } = await manager.expectOk<{ version: number }>('GET', path);
      const fields = { title: { text: 'changed' }, related: links('c_far') };
      await manager.expectOk('PUT', path, { version, fields });
      expect((await read('c_draft', token)).text).toContain('changed');
      expect((await read('c_shared', token)).status).toBe(404);
      expect((await read('c_far', token)).status).toBe(200);
    });

    test('lists the content and nothing else', async () => {
      const { token } = await share();
      const find = (query: string, headers = {}) => ask(`/api/v1/content${query}`, token, headers);
      for (const mode of [{}, { 'x-service-simple-pagination': 'true' }]) {
        expect(listIds(await find('', mode))).toEqual(SHARED.toSorted());
        expect(listIds(await find('?slug=slug-c_shared', mode))).toEqual(['c_shared']);
        expect(listIds(await find('?content_type=page&content_type=note', mode))).toEqual(SHARED.toSorted());
        expect(Object((await find('?content_type=note', mode)).body).data).toEqual([]);
        expect(listIds(await find('?content_type=page&sort=name:desc', mode))).toEqual(SHARED.toSorted());
        expect(listIds(await find('?sort=title.text:asc', mode))).toEqual(SHARED.toSorted());
        expect(listIds(await find('?fields[text][title]=text of c_near', mode))).toEqual(['c_near']);
        expect(listIds(await find('?fields[content_links][related][id]=c_nested', mode))).toEqual(['c_near']);
      }
      const first = await find('?sort=name:asc&limit=2');
      const { data, links: pages } = first.body as { data: readonly { id: string }[]; links: { next: string } };
      const rest = await ask(new URL(pages.next).pathname + new URL(pages.next).search, token);
      expect([...data.map(({ id }) => id), ...listIds(rest)].toSorted()).toEqual(SHARED.toSorted());
      expect((await find('', { 'x-service-simple-pagination': 'true' })).body).toMatchObject({ meta: { total: 3 } });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('supports HEAD and ETags', async () => {
      const { token } = await share();
      const { headers, text } = await read('c_shared', token);
      const known = await read('c_shared', token, { 'if-none-match': headers.get('etag') ?? '' });
      expect([known.status, known.text]).toEqual([304, '']);
      const head = await fetch(`${manager.service.url}/api/v1/content/c_shared`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
      });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, headers.get('etag'), '']);
      expect(text.length).toBeGreaterThan(0);
      const other = await fetch(`${manager.service.url}/api/v1/content/c_draft`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
      });
      expect(other.status).toBe(404);
    });

    test('shows large content too, and nothing else', async () => {
      const lines = {
        parts: { blocks: Array.from({ length: 20 }, () => ({ content_type: 'part', name: 'x'.repeat(255) })) },
      };
      const text = { title: { text: 'large '.repeat(160_000) } };
      await manager.service.importRecords([
        page('c_large', {}, { ...lines, ...text, related: links('c_large_too') }),
        page('c_large_too', {}, text),
      ]);
      const { token } = await share('c_large');
      expect((await read('c_large', token)).text.length).toBeGreaterThan(1_900_000);
      expect((await read('c_large_too', token)).text.length).toBeGreaterThan(900_000);
      expect(listIds(await ask('/api/v1/content', token))).toEqual(['c_large', 'c_large_too']);
      expect(await read('c_shared', token)).toMatchObject(NOT_FOUND);
    });
  });

  describe('the token of a share link', () => {
    const READERS = [{}, { 'x-service-language': 'en' }, { 'x-service-language': 'fr' }];
    const MODES = [{}, { 'x-service-simple-pagination': 'true' }];

    test('gives access to less content than a preview key, which can also list other content', async () => {
      const read = (language: string) =>
        manager.read(SITE, '?limit=100', { 'x-service-preview': 'true', 'x-service-language': language });
      const text = JSON.stringify([(await read('en')).body, (await read('fr')).body]);
      for (const id of OTHERS)
        expect([id, text.includes(id)]).toEqual([id, id !== 'c_archived' && id !== 'c_elsewhere']);
    });

    test('gives no access to other content by ID, whether it exists or not', async () => {
      const { token } = await share();
      for (const headers of READERS) {
        for (const query of ['', '?fallback_default_language=true']) {
          for (const id of [...OTHERS, 'c_unknown']) {
            expect([id, await read(`${id}${query}`, token, headers)]).toEqual([id, expect.objectContaining(NOT_FOUND)]);
          }
          for (const id of SHARED) expect(findOthers(await read(`${id}${query}`, token, headers))).toEqual([]);
        }
      }
      // The French translation is another record. Since the token gives no access to it, it appears not to exist.
      const french = { 'x-service-language': 'fr' };
      expect(await read('c_shared', token, french)).toMatchObject(NOT_FOUND);
      const fallen = await read('c_shared?fallback_default_language=true', token, french);
      expect(fallen.body).toEqual((await read('c_shared', token)).body);
      for (const mode of MODES) {
        const list = await ask('/api/v1/content?fallback_default_language=true', token, { ...french, ...mode });
        expect(listIds(list)).toEqual(SHARED.toSorted());
        expect(Object((await ask('/api/v1/content', token, { ...french, ...mode })).body).data).toEqual([]);
      }
    });

    test('gives no access to other content in lists, however they are sorted and filtered', async () => {
      const { token } = await share();
      const sorts = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri', 'title.text'];
      const queries = [
        ...sorts.flatMap((sort) => [`sort=${sort}:asc`, `sort=${sort}:desc&limit=1`]),
        'content_type=page',
        'fields[selected_option][colour]=red',
        ...OTHERS.flatMap((id) => [
          `slug=slug-${id}`,
          `fields[text][title]=text of ${id}`,
          `fields[content_links][related][id]=${id}`,
          `fields[content_links][related][slug]=slug-${id}`,
        ]),
        'slug=slug-c_draft&slug=slug-c_shared',
        'limit=100&fallback_default_language=true',
      ];
      for (const headers of READERS.flatMap((reader) => MODES.map((mode) => ({ ...reader, ...mode })))) {
        for (const query of queries) {
          const answer = await ask(`/api/v1/content?${query}`, token, headers);
          const { links: _links, meta: _meta, ...rest } = Object(answer.body);
          expect([query, OTHERS.filter((id) => JSON.stringify(rest).includes(id))]).toEqual([query, []]);
        }
        // A link to other content cannot be found by filtering, although c_near has one.
        const linking = await ask('/api/v1/content?fields[content_links][related][id]=c_far', token, headers);
        expect(Object(linking.body).data ?? []).toEqual([]);
      }
    });

    test('gives no access to other endpoints or other sites', async () => {
      const { token } = await share();
      const message = 'The change feed needs an API key.';
      for (const path of ['/changes/v1', '/changes/v1?content=true', '/changes/v1/stream']) {
        expect(await ask(path, token)).toMatchObject({ status: 403, body: { message } });
      }
      for (const headers of [
        { 'x-service-site': OTHER },
        { 'x-service-site': 's_unknown' },
        { 'x-service-site': '' },
      ]) {
        const answer = await read('c_shared', token, headers);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(findOthers(answer)).toEqual([]);
      }
      for (const path of ['', '/c_shared', '/c_shared/versions', '/c_shared/delivered', '/c_shared/share-links']) {
        expect((await ask(`/manage/v1/sites/${SITE}/content${path}`, token)).status).toBe(401);
      }
      expect((await ask('/manage/v1/session', token)).status).toBe(401);
    });

    test('gives no access to the content of another link', async () => {
      const [shared, french] = [await share(), await share('c_french')];
      expect((await read('c_french', french.token)).status).toBe(200);
      expect(await read('c_french', shared.token)).toMatchObject(NOT_FOUND);
      expect(await read('c_shared', french.token)).toMatchObject(NOT_FOUND);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('allows no writes, and is ignored in a URL', async () => {
      const { token } = await share();
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await fetch(`${manager.service.url}/api/v1/content/c_shared`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
        });
        expect(response.status).toBe(405);
      }
      const response = await fetch(`${manager.service.url}/api/v1/content/c_shared?secret=${token}&token=${token}`, {
        headers: { 'x-service-site': SITE },
      });
      expect(response.status).toBe(401);
    });
  });

  describe('a share link stops working with the next request', () => {
    async function expectStopped(token: string, stop: () => Promise<unknown>, id = 'c_shared'): Promise<void> {
      expect((await read(id, token)).status).toBe(200);
      expect((await ask('/api/v1/content', token)).status).toBe(200);
      await stop();
      expect(await read(id, token)).toMatchObject(REFUSED);
      expect(await ask('/api/v1/content', token)).toMatchObject(REFUSED);
      expect(await ask('/changes/v1', token)).toMatchObject(REFUSED);
    }

    test('when it is revoked', async () => {
      const [first, second] = [await share(), await share()];
      await expectStopped(first.token, () => manager.expectOk('DELETE', `${linksOf('c_shared')}/${first.id}`));
      expect((await read('c_shared', second.token)).status).toBe(200);
    });

    test('when it expires, even if the token was just used', async () => {
      const { token } = await share('c_shared', 2);
      now += 2 * HOUR_MS - 1000;
      expect((await read('c_shared', token)).status).toBe(200);
      await expectStopped(token, async () => {
        now += 1000;
      });
    });

    test('when its content is deleted', async () => {
      await manager.service.importRecords([page('c_doomed')]);
      const { token } = await share('c_doomed');
      const path = `/sites/${SITE}/content/c_doomed`;
      await manager.expectOk('POST', `${path}/archive`);
      expect(await read('c_doomed', token)).toMatchObject(NOT_FOUND);
      expect(Object((await ask('/api/v1/content', token)).body).data).toEqual([]);
      await manager.expectOk('POST', `${path}/restore`);
      await expectStopped(
        token,
        async () => {
          await manager.expectOk('POST', `${path}/archive`);
          await manager.expectOk('DELETE', `${path}?confirm=c_doomed`);
          await manager.service.importRecords([page('c_doomed')]);
        },
        'c_doomed',
      );
    });

    test('when the management token that created it is revoked', async () => {
      const { id, token: creator } = await manager.expectOk<{ id: string; token: string }>('POST', '/tokens', {
        name: 'Script',
        role: 'editor',
      });
      const { url } = await manager.expectOk<NewShareLinkBody>('POST', linksOf('c_shared'), {}, creator);
      const token = new URL(url).searchParams.get('secret') ?? '';
      await expectStopped(token, () => manager.expectOk('POST', `/tokens/${id}/revoke`));
    });

    test('on another node too', async () => {
      const { id, token } = await share();
      const ask = () =>
        fetch(`${other.url}/api/v1/content/c_shared`, {
          headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
        });
      expect((await ask()).status).toBe(200);
      await manager.expectOk('DELETE', `${linksOf('c_shared')}/${id}`);
      expect((await ask()).status).toBe(401);
    });

    test('when its site is deleted', async () => {
      const path = `/sites/${OTHER}/content/c_elsewhere/share-links`;
      const { url } = await manager.expectOk<NewShareLinkBody>('POST', path, {});
      const token = new URL(url).searchParams.get('secret') ?? '';
      const headers = { 'x-service-site': OTHER };
      expect((await read('c_elsewhere', token, headers)).status).toBe(200);
      await manager.expectOk('DELETE', `/sites/${OTHER}?confirm=${OTHER}`);
      expect(await read('c_elsewhere', token, headers)).toMatchObject(REFUSED);
      expect(await read('c_elsewhere', token)).toMatchObject(REFUSED);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('when its preview address is removed', async () => {
      const path = `/sites/${SITE}/preview`;
      const { addresses } = await manager.expectOk<PreviewSettingsBody>('GET', path);
      const more = [...addresses, { name: 'Staging', address: 'https://staging.example' }];
      const added = await manager.expectOk<PreviewSettingsBody>('PUT', path, { addresses: more });
      const body = { address: added.addresses.at(-1)?.id };
      const { url } = await manager.expectOk<NewShareLinkBody>('POST', linksOf('c_shared'), body);
      const { token: other } = await share();
      const token = new URL(url).searchParams.get('secret') ?? '';
      await expectStopped(token, () => manager.expectOk('PUT', path, { addresses }));
      expect((await read('c_shared', other)).status).toBe(200);
    });

    test.each(['PATCH', 'DELETE'])('when its creator is suspended or deleted (%s)', async (method) => {
      const email = `${method}@x.example`;
      const user = { email, name: 'Eve', role: 'editor', password: 'correct horse battery staple' };
      const { id } = await manager.expectOk<{ id: string }>('POST', '/users', user);
      const browser = openBrowser(manager);
      await browser.signIn(email, user.password);
      const { body } = await browser.call('POST', linksOf('c_shared'), {});
      const token = new URL((body as NewShareLinkBody).url).searchParams.get('secret') ?? '';
      await expectStopped(token, () =>
        method === 'PATCH'
          ? manager.expectOk('PATCH', `/users/${id}`, { is_suspended: true })
          : manager.expectOk('DELETE', `/users/${id}?confirm=${id}`),
      );
    });

    test.each(['gsh_', `gsh_${'A'.repeat(40)}`, `gsh_${'A'.repeat(500)}`, 'GSH_x'])(
      'an invented token never works: %s',
      async (token) => {
        expect(await read('c_shared', token)).toMatchObject(REFUSED);
      },
    );
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('each link has its own limit of 600 requests per minute', async () => {
    const { token } = await share();
    await read('c_shared', token);
    const { token: another } = await share();
    const { headers } = await read('c_shared', another);
    expect(headers.get('ratelimit-policy')).toMatch(/q=600;w=60$/);
    expect(headers.get('ratelimit')).toMatch(/r=599;/);
  });
});
