// Sites in the management API, and how readers see them.

import type { ManagementPageBody, PreviewSettingsBody, SiteBody } from '@galley/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findTablesWith } from '../support/find-tables-with.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

describe('sites', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await importMagazine(manager, 's_mag');
  });

  afterAll(() => manager.close());

  test('can be created by owners, and can be read by editors and through the delivery API immediately', async () => {
    const body = { id: 's_new', name: 'New', url: 'https://new.example/', languages: ['de', 'en'] };
    const created = await manager.call('POST', '/sites', { body });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: 's_new',
        name: 'New',
        url: 'https://new.example',
        default_language: 'de',
        languages: ['de', 'en'],
        has_preview: false,
        preview_url: null,
        preview_urls: [],
        preview_secret: null,
        created_at: expect.stringMatching(/\+00:00$/),
        updated_at: expect.stringMatching(/\+00:00$/),
      },
    ]);
    const read = await manager.call('GET', '/sites/s_new', { token: manager.editor });
    expect(read).toMatchObject({ status: 200, body: created.body });
    expect(await manager.read('s_new')).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('say whether they have a preview address', async () => {
    const { id } = await manager.expectOk<SiteBody>('POST', '/sites', { name: 'Previewed' });
    const put = (addresses: readonly object[]) => manager.expectOk('PUT', `/sites/${id}/preview`, { addresses });
    const read = async () => (await manager.expectOk<SiteBody>('GET', `/sites/${id}`)).has_preview;
    await put([{ name: 'Website', address: 'https://site.example' }]);
    expect(await read()).toBe(true);
    const { data } = await manager.expectOk<ManagementPageBody<SiteBody>>('GET', '/sites?limit=100');
    expect(data.flatMap((site) => (site.has_preview ? site.id : []))).toEqual([id]);
    await put([]);
    expect(await read()).toBe(false);
  });

  describe('the preview properties of a site', () => {
    const SITE_A = 'https://site.example';
    const SITE_B = 'http://localhost:4000/blog';
    const SITE_C = 'https://staging.example';
    let site: string;

    beforeEach(async () => {
      site = `/sites/${(await manager.expectOk<SiteBody>('POST', '/sites', { name: 'Previewed' })).id}`;
    });

    const patch = (body: object) => manager.expectOk<SiteBody>('PATCH', site, body);
    const read = (token = manager.owner) => manager.expectOk<SiteBody>('GET', site, undefined, token);
    const readSettings = () => manager.expectOk<PreviewSettingsBody>('GET', `${site}/preview`);

    test('follow the preview settings, and include the secret only if an owner reads the site', async () => {
      const patterned = { name: 'Local', address: SITE_B, pattern: '{base}/p?id={id}&t={secret}' };
      const { secret } = await manager.expectOk<PreviewSettingsBody>('PUT', `${site}/preview`, {
        addresses: [{ name: 'Website', address: SITE_A }, patterned],
      });
      const members = { has_preview: true, preview_url: SITE_A, preview_urls: [SITE_A, SITE_B] };
      expect(secret).toMatch(/^gps_/);
      expect(await read()).toMatchObject({ ...members, preview_secret: secret });
      expect(await read(manager.editor)).toMatchObject({ ...members, preview_secret: null });
      expect(await patch({ name: 'Renamed' })).toMatchObject({ ...members, preview_secret: null });
      const { data } = await manager.expectOk<ManagementPageBody<SiteBody>>('GET', '/sites?limit=100');
      expect(data.filter(({ preview_url: url }) => url === SITE_A)).toMatchObject([members]);
      expect(JSON.stringify(data)).not.toContain('gps_');
    });

    test('can be changed together with the name of the site, and keep the names and URL patterns of addresses', async () => {
      expect(await patch({ name: 'Both', preview_url: `${SITE_A}/` })).toMatchObject({
        name: 'Both',
        preview_url: SITE_A,
        preview_urls: [SITE_A],
      });
      const { addresses, secret } = await readSettings();
      expect(addresses).toMatchObject([{ name: 'site.example', address: SITE_A, pattern: null }]);
      expect((await read()).preview_secret).toBe(secret);

      const patterned = { ...addresses[0], name: 'Website', pattern: '{base}/p?id={id}' };
      await manager.expectOk('PUT', `${site}/preview`, { addresses: [patterned] });
      const { preview_urls: urls } = await patch({ preview_urls: [SITE_B, SITE_A, `${SITE_B}/2`] });
      expect(urls).toEqual([SITE_B, SITE_A, `${SITE_B}/2`]);
      expect((await readSettings()).addresses).toMatchObject([
        { name: 'localhost:4000' },
        { id: addresses[0]?.id, name: 'Website', pattern: patterned.pattern },
        { name: 'localhost:4000 (2)' },
      ]);

      expect((await patch({ preview_url: SITE_A })).preview_urls).toEqual([SITE_A, SITE_B, `${SITE_B}/2`]);
      expect((await patch({ preview_url: SITE_C })).preview_urls).toEqual([SITE_C, SITE_B, `${SITE_B}/2`]);
      expect((await readSettings()).addresses[0]).toMatchObject({ id: addresses[0]?.id, name: 'Website' });
      expect((await patch({ preview_url: SITE_A, preview_urls: [SITE_B, SITE_A] })).preview_urls).toEqual([
        SITE_A,
        SITE_B,
      ]);
      expect(await patch({ preview_url: null })).toMatchObject({
        has_preview: false,
        preview_url: null,
        preview_urls: [],
      });
      expect(await readSettings()).toEqual({ addresses: [], secret });
    });

    test.each<[string, object, string]>([
      ['a default that is not in the list', { preview_url: SITE_A, preview_urls: [SITE_B] }, 'preview_url'],
      ['a list without a default', { preview_url: null, preview_urls: [SITE_B] }, 'preview_url'],
      ['an address with a password', { preview_url: 'https://a:b@site.example' }, 'preview_url'],
      ['a number instead of an address', { preview_url: 5 }, 'preview_url'],
      ['a list with an invalid address', { preview_urls: [SITE_A, 'site.example'] }, 'preview_urls[1]'],
      ['a list that is not an array', { preview_urls: SITE_A }, 'preview_urls'],
      ['11 addresses', { preview_urls: Array.from({ length: 11 }, (_, no) => `${SITE_A}/${no}`) }, 'preview_urls'],
      ['a secret', { preview_secret: 'gps_mine' }, 'preview_secret'],
    ])('do not change if a call sends %s', async (_what, body, at) => {
      const before = await read();
      const answer = await manager.call('PATCH', site, { body: { name: 'Other', ...body } });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: at }] } });
      expect(await read()).toEqual(before);
    });

    test('do not cause the secret to be stored elsewhere if a call is repeated', async () => {
      const call = () =>
        manager.call('PATCH', site, { body: { preview_url: SITE_A }, headers: { 'idempotency-key': `once-${site}` } });
      expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
      const { preview_secret: secret } = await read();
      expect(await findTablesWith(manager.service.storage, String(secret))).toEqual(['preview_settings']);
    });

    test('can be changed only by owners', async () => {
      const answer = await manager.call('PATCH', site, { body: { preview_url: SITE_A }, token: manager.editor });
      expect(answer.status).toBe(403);
      expect((await read()).preview_url).toBeNull();
    });
  });

  test('have a generated id and one language by default', async () => {
    const site = await manager.expectOk<SiteBody>('POST', '/sites', { name: 'Plain' });
    expect(site).toMatchObject({ url: null, default_language: 'en', languages: ['en'] });
    expect(site.id).toMatch(/^s_[0-9a-f]{32}$/);
  });

  test('have unique ids, even when two are created at the same time', async () => {
    const body = { id: 's_once', name: 'Once' };
    const answers = await Promise.all([1, 2, 3].map(() => manager.call('POST', '/sites', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const foreign = await manager.call('POST', '/sites', { body, token: manager.stranger });
    expect([foreign.status, foreign.body]).toEqual([
      409,
      { message: 'Site s_once already exists.', code: 'taken', details: { reason: 'id_taken' } },
    ]);
  });

  test("are listed by id, page by page, without other accounts' sites", async () => {
    await manager.expectOk('POST', '/sites', { id: 's_theirs', name: 'Theirs' }, manager.stranger);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/sites?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page: ManagementPageBody<SiteBody> = await manager.expectOk('GET', path, undefined, manager.editor);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(seen.toSorted());
    expect(seen).toEqual(expect.arrayContaining(['s_mag', 's_new', 's_once']));
    expect(seen).not.toContain('s_theirs');
  });

  test('reflect a changed or removed URL in the next response', async () => {
    expect(await manager.read('s_mag', '/c_one')).toMatchObject({ body: { url: 'https://old.example/posts/one' } });
    await manager.expectOk('PATCH', '/sites/s_mag', { url: 'https://moved.example/mag/' });
    expect(await manager.read('s_mag', '/c_one')).toMatchObject({
      body: { url: 'https://moved.example/mag/posts/one' },
    });
    const bare = await manager.expectOk<SiteBody>('PATCH', '/sites/s_mag', { url: null });
    expect(bare).toMatchObject({ name: 'Magazine', url: null });
    expect(await manager.read('s_mag', '/c_one')).toMatchObject({ body: { url: null } });
  });

  test('keep the changes from two concurrent calls', async () => {
    await Promise.all([
      manager.expectOk('PATCH', '/sites/s_new', { name: 'Both' }),
      manager.expectOk('PATCH', '/sites/s_new', { url: 'https://both.example' }),
    ]);
    expect(await manager.expectOk('GET', '/sites/s_new')).toMatchObject({ name: 'Both', url: 'https://both.example' });
  });

  test('leave all ETags unchanged if a call changes nothing', async () => {
    await manager.expectOk('PATCH', '/sites/s_mag', { name: 'Magazine', url: 'https://same.example' });
    const before = await manager.read('s_mag', '/c_one');
    const same = await manager.expectOk('PATCH', '/sites/s_mag', { name: 'Magazine', url: 'https://same.example/' });
    expect(same).toMatchObject({ url: 'https://same.example' });
    await manager.expectOk('PATCH', '/sites/s_mag', {});
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    expect(await manager.read('s_mag', '/c_one', headers)).toMatchObject({ status: 304 });
  });

  test.each([
    ['POST', '/sites', {}, ['name']],
    ['POST', '/sites', { name: ' ' }, ['name']],
    ['POST', '/sites', { name: 'x'.repeat(256) }, ['name']],
    [
      'POST',
      '/sites',
      { id: 'a b', name: 7, url: 'ftp://x', languages: 'en', colour: 'red' },
      ['id', 'name', 'url', 'languages', 'colour'],
    ],
    ['POST', '/sites', { name: 'A', url: 'javascript:alert(1)' }, ['url']],
    ['POST', '/sites', { name: 'A', languages: ['en', 'en'] }, ['languages']],
    ['POST', '/sites', { name: 'A', languages: [], default_language: 'en' }, ['languages']],
    ['POST', '/sites', { name: 'A', default_language: 'fr', languages: ['en'] }, ['languages']],
    [
      'POST',
      '/sites',
      { name: 'A', languages: Array.from({ length: 101 }, (_, index) => `en-x-${index}`) },
      ['languages'],
    ],
    ['POST', '/sites', { name: 'A', default_language: 'e n' }, ['default_language']],
    ['POST', '/sites', { name: 'A', languages: ['en', 'German'] }, ['languages[1]']],
    ['POST', '/sites', { name: 'A', default_language: 'German' }, ['default_language']],
    ['PATCH', '/sites/s_mag', { name: null }, ['name']],
    ['PATCH', '/sites/s_mag', { id: 's_other' }, ['id']],
    ['PATCH', '/sites/s_mag', { url: 'https://x.example/?q=1' }, ['url']],
    ['GET', '/sites?limit=0', undefined, ['query.limit']],
    ['GET', '/sites?limit=101', undefined, ['query.limit']],
    ['GET', '/sites?cursor=nonsense', undefined, ['query.cursor']],
    ['GET', '/sites?cursor=&page=2', undefined, ['query.cursor', 'query.page']],
  ] as const)('are not changed by an invalid call: %s %s with %j', async (method, path, body, places) => {
    const count = (await manager.expectOk<ManagementPageBody<SiteBody>>('GET', '/sites?limit=100')).data.length;
    const answer = await manager.call(method, path, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: places.map((place) => ({ path: place })) } });
    const after = await manager.expectOk<ManagementPageBody<SiteBody>>('GET', '/sites?limit=100');
    expect(after.data.length).toBe(count);
  });

  test('cannot be found by other accounts or changed by editors', async () => {
    const unknown = await manager.call('GET', '/sites/s_none');
    expect([unknown.status, unknown.body]).toEqual([404, { message: 'There is no site s_none.', code: 'not_found' }]);
    for (const [method, path, body] of [
      ['GET', '/sites/s_mag', undefined],
      ['PATCH', '/sites/s_mag', { name: 'Mine' }],
      ['POST', '/sites/s_mag/languages', { language: 'it' }],
      ['DELETE', '/sites/s_mag/languages/fr', undefined],
      ['PUT', '/sites/s_mag/default-language', { language: 'fr' }],
    ] as const) {
      const foreign = await manager.call(method, path, { body, token: manager.stranger });
      expect([foreign.status, foreign.body]).toEqual([404, { message: 'There is no site s_mag.', code: 'not_found' }]);
      if (method === 'GET') continue;
      expect(await manager.call(method, path, { body, token: manager.editor })).toMatchObject({ status: 403 });
    }
    expect(await manager.call('POST', '/sites', { body: { name: 'A' }, token: manager.editor })).toMatchObject({
      status: 403,
    });
  });
});
