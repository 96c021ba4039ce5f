// The addresses at which a site's drafts can be previewed, the secret that gives access to previews, and the URL of a preview.

import { Writable } from 'node:stream';
import type { AuditLogBody, PreviewSettingsBody, PreviewUrlBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

const SITE = 's_mag';
const path = `/sites/${SITE}/preview`;
const LIVE = { name: 'Website', address: 'https://mag.example' };
const LOCAL = {
  name: 'Local',
  address: 'http://localhost:4000/blog',
  pattern: '{base}/p/{language}?id={id}&t={secret}',
};

let manager: Manager;
const log: string[] = [];

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        log.push(String(chunk));
        done();
      },
    });
    const settings = { GALLEY_ACCESS_LOG: 'true', GALLEY_HEADER_PREFIX: 'X-ACME' };
    manager = await startManager(settings, { engine, log: pino({ level: 'trace' }, stream) });
    await importMagazine(manager, SITE);
  });

  afterAll(() => manager.close());

  beforeEach(() => put([]));

  const put = (addresses: readonly object[]) => manager.expectOk<PreviewSettingsBody>('PUT', path, { addresses });
  const get = (token = manager.owner) => manager.expectOk<PreviewSettingsBody>('GET', path, undefined, token);
  const getUrl = (query = '', content = 'c_one', token = manager.editor) =>
    manager.call('GET', `/sites/${SITE}/content/${content}/preview-url${query}`, { token });

  async function readEntries(action: string): Promise<AuditLogBody['data']> {
    return (await manager.expectOk<AuditLogBody>('GET', `/audit?action=${action}`)).data;
  }

  describe('preview settings', () => {
    test('keep ids and the secret when addresses are changed, reordered and removed', async () => {
      const { addresses, secret } = await put([LIVE, LOCAL]);
      const [live, local] = addresses;
      const changed = await put([
        { ...local, name: 'Laptop' },
        { ...live, address: 'https://mag.example/' },
      ]);
      expect(changed).toEqual({ addresses: [{ ...local, name: 'Laptop' }, live], secret });
      expect(await put([])).toEqual({ addresses: [], secret });
      expect((await put([LIVE])).addresses[0]?.id).not.toBe(live?.id);
    });

    test('can get a new secret, which replaces the old one everywhere', async () => {
      const { secret: before } = await put([LIVE]);
      const { secret } = await manager.expectOk<PreviewSettingsBody>('POST', `${path}/rotate-secret`);
      expect(secret).toMatch(/^gps_/);
      expect(secret).not.toBe(before);
      expect((await get()).secret).toBe(secret);
      expect((await getUrl()).body).toMatchObject({ url: `https://mag.example/api/draft?secret=${secret}&id=c_one` });
      expect(await findTablesWith(manager.service.storage, String(before))).toEqual([]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('have no addresses and no secret at first', async () => {
      await manager.expectOk('POST', '/sites', { id: 's_new', name: 'New' });
      expect(await manager.expectOk('GET', '/sites/s_new/preview')).toEqual({ addresses: [], secret: null });
      expect(await manager.call('POST', '/sites/s_new/preview/rotate-secret')).toMatchObject({
        status: 409,
        body: {
          code: 'wrong_state',
          message: expect.stringContaining('has no preview address yet'),
          details: { reason: 'no_preview' },
        },
      });
    });

    test('get a secret with the first address, and show it only to owners', async () => {
      const saved = await put([LIVE, LOCAL]);
      expect(saved.secret).toMatch(/^gps_[\w-]{40}$/);
      const id = expect.stringMatching(/^pa_[0-9a-f]{32}$/);
      expect(saved.addresses).toEqual([
        { id, ...LIVE, pattern: null, can_share: true },
        { id, ...LOCAL, can_share: true },
      ]);
      expect(await get()).toEqual(saved);
      expect(await get(manager.editor)).toEqual({ ...saved, secret: null });
    });

    test('indicate whether an address supports share links, and ignore the value that the caller sends', async () => {
      const { addresses } = await put([
        LIVE,
        { name: 'Old', address: 'https://old.example', pattern: '{base}/p/{id}' },
      ]);
      expect(addresses.map(({ can_share: can }) => can)).toEqual([true, false]);
      const given = addresses.map((each) => ({ ...each, can_share: !each.can_share }));
      expect((await put(given)).addresses).toEqual(addresses);
      const share = (address: string | undefined) =>
        manager.call('POST', `/sites/${SITE}/content/c_one/share-links`, { body: { address } });
      const statuses = await Promise.all(addresses.map(async ({ id }) => (await share(id)).status));
      expect(statuses).toEqual([201, 422]);
    });

    test("have an ETag, so two owners cannot overwrite each other's changes", async () => {
      const { headers } = await manager.call('GET', path);
      const ifMatch = { 'if-match': headers.get('etag') ?? '' };
      const first = await manager.call('PUT', path, { body: { addresses: [LIVE] }, headers: ifMatch });
      expect(first.status).toBe(200);
      const second = await manager.call('PUT', path, { body: { addresses: [LOCAL] }, headers: ifMatch });
      expect(second.status).toBe(412);
      expect((await get()).addresses).toHaveLength(1);
      const rotate = await manager.call('POST', `${path}/rotate-secret`, {
        headers: { 'if-match': first.headers.get('etag') ?? '' },
      });
      expect(rotate.status).toBe(200);
      expect(rotate.headers.get('etag')).not.toBe(first.headers.get('etag'));
    });

    test.each<[string, unknown, string, string]>([
      ['no list', undefined, 'addresses', 'required'],
      ['a list that is not an array', {}, 'addresses', 'invalid'],
      [
        '11 addresses',
        Array.from({ length: 11 }, (_, index) => ({ ...LIVE, name: `${index}` })),
        'addresses',
        'too_many',
      ],
      ['an address that is not an object', ['https://mag.example'], 'addresses[0]', 'invalid'],
      ['no name', [{ address: LIVE.address }], 'addresses[0].name', 'required'],
      ['a name that is too long', [{ ...LIVE, name: 'a'.repeat(256) }], 'addresses[0].name', 'too_long'],
      ['a name that is given twice', [LIVE, LIVE], 'addresses[1].name', 'duplicate'],
      ['no address', [{ name: 'A' }], 'addresses[0].address', 'required'],
      ['a number as an address', [{ name: 'A', address: 5 }], 'addresses[0].address', 'invalid'],
      ['a wildcard', [{ name: 'A', address: 'https://*.mag.example' }], 'addresses[0].address', 'url_invalid'],
      [
        'a directive',
        [{ name: 'A', address: 'https://a.example; script-src *' }],
        'addresses[0].address',
        'url_invalid',
      ],
      ['a password', [{ name: 'A', address: 'https://a:b@mag.example' }], 'addresses[0].address', 'url_invalid'],
      [
        'a pattern for another origin',
        [{ ...LIVE, pattern: 'https://evil.example/{id}' }],
        'addresses[0].pattern',
        'invalid',
      ],
      ['a pattern without the id', [{ ...LIVE, pattern: '{base}/draft' }], 'addresses[0].pattern', 'invalid'],
      ['an unknown id', [{ ...LIVE, id: 'pa_other' }], 'addresses[0].id', 'not_found'],
      ['an unknown property', [{ ...LIVE, secret: 'gps_mine' }], 'addresses[0].secret', 'unknown'],
    ])('reject %s, and stay as they were', async (_what, addresses, at, code) => {
      const before = await put([LIVE]);
      const answer = await manager.call('PUT', path, { body: { addresses } });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: at, code }] } });
      expect(await get()).toEqual(before);
    });

    test('reject an id that is given twice', async () => {
      const { addresses } = await put([LIVE]);
      const [live] = addresses;
      const answer = await manager.call('PUT', path, { body: { addresses: [live, { ...live, name: 'Other' }] } });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'addresses[1].id', code: 'duplicate' }] } });
    });

    test('are recorded in the audit log, without secrets', async () => {
      const before = (await readEntries('preview.update')).length;
      await put([LOCAL]);
      await put((await get()).addresses);
      const entries = await readEntries('preview.update');
      expect(entries).toHaveLength(before + 1);
      expect(entries[0]).toMatchObject({
        site: SITE,
        details: {
          before: { addresses: [] },
          after: { addresses: [{ name: 'Local', address: 'http://localhost:4000/blog', has_pattern: true }] },
        },
      });
      await manager.expectOk('POST', `${path}/rotate-secret`);
      expect((await readEntries('preview.rotate_secret'))[0]).toMatchObject({ site: SITE, details: null });
    });

    test('do not store the secret elsewhere if a call is repeated', async () => {
      const call = (name: string, method: string, body?: object) =>
        manager.call(method, name, {
          body,
          headers: { 'idempotency-key': `once ${name} ${method}`.replaceAll(/\s/g, '-') },
        });
      for (const [name, method, body] of [
        [path, 'PUT', { addresses: [LIVE] }],
        [`${path}/rotate-secret`, 'POST', undefined],
      ] as const) {
        expect((await call(name, method, body)).status).toBe(200);
        expect((await call(name, method, body)).status).toBe(409);
      }
      const { secret } = await get();
      expect(await findTablesWith(manager.service.storage, String(secret))).toEqual(['preview_settings']);
    });
  });

  test('an import leaves preview settings and share links as they are', async () => {
    const before = await put([LIVE]);
    const links = `/sites/${SITE}/content/c_one/share-links`;
    await manager.expectOk('POST', links, {});
    const listed = await manager.expectOk('GET', links);
    await importMagazine(manager, SITE);
    expect(await get()).toEqual(before);
    expect(await manager.expectOk('GET', links)).toEqual(listed);
  });

  test('a deleted site leaves no preview settings behind', async () => {
    await manager.expectOk('POST', '/sites', { id: 's_gone', name: 'Gone' });
    const { secret } = await manager.expectOk<PreviewSettingsBody>('PUT', '/sites/s_gone/preview', {
      addresses: [LIVE],
    });
    await manager.expectOk('DELETE', '/sites/s_gone?confirm=s_gone');
    expect(await findTablesWith(manager.service.storage, String(secret))).toEqual([]);
    await manager.expectOk('POST', '/sites', { id: 's_gone', name: 'Again' });
    expect(await manager.expectOk('GET', '/sites/s_gone/preview')).toEqual({ addresses: [], secret: null });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('the URL of a preview', () => {
    test('contains the content ID, the language and the secret, even for editors', async () => {
      const { addresses, secret } = await put([LIVE, LOCAL]);
      expect((await getUrl()).body).toEqual({
        url: `https://mag.example/api/draft?secret=${secret}&id=c_one`,
        origin: 'https://mag.example',
        brand: 'acme',
      } satisfies PreviewUrlBody);
      expect((await getUrl(`?address=${addresses[1]?.id}`)).body).toEqual({
        url: `http://localhost:4000/blog/p/en?id=c_one&t=${secret}`,
        origin: 'http://localhost:4000',
        brand: 'acme',
      });
    });

    test('requires an existing address, content object and site', async () => {
      expect(await getUrl()).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
      await put([LIVE]);
      expect(await getUrl('?address=pa_none')).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'query.address', code: 'not_found' }] },
      });
      expect(await getUrl('?address=a%20b')).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'query.address' }] },
      });
      expect(await getUrl('?address=pa_1&address=pa_2')).toMatchObject({ status: 422 });
      expect(await getUrl('?page=1')).toMatchObject({ status: 422, body: { errors: [{ path: 'query.page' }] } });
      expect((await getUrl('', 'c_none')).status).toBe(404);
      expect((await getUrl('', 'c_one', manager.stranger)).status).toBe(404);
    });

    test('does not exist for archived content', async () => {
      await put([LIVE]);
      await manager.expectOk('POST', `/sites/${SITE}/content/c_two/archive`);
      expect(await getUrl('', 'c_two')).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
      await manager.expectOk('POST', `/sites/${SITE}/content/c_two/restore`);
      expect((await getUrl('', 'c_two')).status).toBe(200);
    });
  });

  test('logs contain no secret, even if somebody puts it into a path', async () => {
    const { secret } = await put([LIVE]);
    await getUrl();
    await fetch(`${manager.service.url}/api/draft/${secret}?secret=${secret}`);
    expect(log.join('')).toContain('/api/draft/gps_[redacted]');
    expect(log.join('')).not.toContain(String(secret).slice('gps_'.length));
  });
});
