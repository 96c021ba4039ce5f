// Share links in the management API. Their tokens are shown once and are stored only as hashes.

import { Writable } from 'node:stream';
import type { AuditLogBody, NewShareLinkBody, PreviewSettingsBody, ShareLinkListBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTablesWith } from '../support/find-tables-with.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

const SITE = 's_mag';
const path = `/sites/${SITE}/content/c_one/share-links`;
const HOUR_MS = 3_600_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

let manager: Manager;
let now = Date.now();
let addresses: PreviewSettingsBody['addresses'];
const log: string[] = [];

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        log.push(String(chunk));
        done();
      },
    });
    const parts = { log: pino({ level: 'trace' }, stream), now: () => now, engine };
    manager = await startManager({ GALLEY_ACCESS_LOG: 'true' }, parts);
    await importMagazine(manager, SITE);
    const given = [
      { name: 'Website', address: 'https://mag.example' },
      { name: 'Local', address: 'http://localhost:4000', pattern: '{base}/p/{id}?lang={language}&t={secret}' },
      { name: 'Old', address: 'https://old.example', pattern: '{base}/p/{id}?t=fixed' },
    ];
    ({ addresses } = await manager.expectOk<PreviewSettingsBody>('PUT', `/sites/${SITE}/preview`, {
      addresses: given,
    }));
  });

  afterAll(() => manager.close());

  const create = (body: object = {}) => manager.expectOk<NewShareLinkBody>('POST', path, body, manager.editor);
  const list = async () => (await manager.expectOk<ShareLinkListBody>('GET', path, undefined, manager.editor)).data;
  const idOf = (name: string) => addresses.find((each) => each.name === name)?.id;

  test('a share link lasts a week by default, and its URL is shown only once', async () => {
    const { url, ...link } = await create();
    expect(url).toMatch(/^https:\/\/mag\.example\/api\/draft\?secret=gsh_[\w-]{40}&id=c_one$/);
    expect(link).toEqual({
      id: expect.stringMatching(/^sl_[0-9a-f]{32}$/),
      address: idOf('Website'),
      address_name: 'Website',
      expires_at: expect.stringMatching(TIME),
      created_at: expect.stringMatching(TIME),
      created_by: { id: expect.stringMatching(/^n_/), name: 'Test editor' },
    });
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(168 * HOUR_MS);
    expect((await list())[0]).toEqual(link);
  });

  test('revoked and expired links are not listed, and cannot be revoked again', async () => {
    const { id } = await create({ hours: 3 });
    const { id: expiring } = await create({ hours: 1 });
    await manager.expectOk('DELETE', `${path}/${id}`, undefined, manager.editor);
    expect((await manager.call('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await list()).map((each) => each.id)).not.toContain(id);
    now += HOUR_MS;
    expect((await list()).map((each) => each.id)).not.toContain(expiring);
    expect((await manager.call('DELETE', `${path}/${expiring}`)).status).toBe(404);
    await create();
    expect(await findTablesWith(manager.service.storage, expiring)).toEqual(['audit_entries']);
  });

  test('a link belongs to its content', async () => {
    const { id } = await create();
    const elsewhere = `/sites/${SITE}/content/c_one_fr/share-links`;
    expect((await manager.call('DELETE', `${elsewhere}/${id}`)).status).toBe(404);
    expect(await manager.expectOk('GET', elsewhere)).toEqual({ data: [] });
    expect((await manager.call('GET', path, { token: manager.stranger })).status).toBe(404);
    expect((await manager.call('DELETE', `${path}/${id}`, { token: manager.stranger })).status).toBe(404);
    expect((await list()).map((each) => each.id)).toContain(id);
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('a share link uses the pattern of its address', async () => {
    const { url, ...link } = await create({ address: idOf('Local'), hours: 720 });
    expect(url).toMatch(/^http:\/\/localhost:4000\/p\/c_one\?lang=en&t=gsh_[\w-]{40}$/);
    expect(link.address_name).toBe('Local');
  });

  test.each<[string, object, string, string]>([
    ['an address that cannot recognise tokens', { address: 'Old' }, 'address', 'not_allowed'],
    ['an unknown address', { address: 'pa_none' }, 'address', 'not_found'],
    ['an address that is not an id', { address: 'a b' }, 'address', 'invalid'],
    ['a lifetime of zero hours', { hours: 0 }, 'hours', 'too_small'],
    ['a lifetime of more than 30 days', { hours: 721 }, 'hours', 'too_large'],
    ['a lifetime that is not a whole number of hours', { hours: 1.5 }, 'hours', 'invalid'],
    ['a lifetime given as text', { hours: '1' }, 'hours', 'invalid'],
    ['an unknown property', { days: 1 }, 'days', 'unknown'],
  ])('a share link cannot have %s', async (_what, given, at, code) => {
    const before = await list();
    const body = { ...given, ...('address' in given && given.address === 'Old' ? { address: idOf('Old') } : {}) };
    const answer = await manager.call('POST', path, { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: at, code }] } });
    expect(await list()).toEqual(before);
  });

  test('a share link needs an address, and content that is not archived', async () => {
    await manager.expectOk('POST', `/sites/${SITE}/content/c_two/archive`);
    const archived = await manager.call('POST', `/sites/${SITE}/content/c_two/share-links`, { body: {} });
    expect(archived).toMatchObject({ status: 409, body: { code: 'wrong_state', details: { reason: 'archived' } } });
    await manager.expectOk('POST', '/sites', { id: 's_bare', name: 'Bare' });
    await manager.expectOk('POST', '/sites/s_bare/types', { handle: 'page', name: 'Page', fields: [] });
    const { id } = await manager.expectOk<{ id: string }>('POST', '/sites/s_bare/content', {
      content_type: 'page',
      name: 'P',
    });
    const bare = await manager.call('POST', `/sites/s_bare/content/${id}/share-links`, { body: {} });
    expect(bare).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
  });

  test('content has at most 50 links at a time', async () => {
    const other = `/sites/${SITE}/content/c_one_fr/share-links`;
    for (let count = 0; count < 50; count += 1) await manager.expectOk('POST', other, { hours: 1 });
    const refused = await manager.call('POST', other, { body: {} });
    expect(refused).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    now += HOUR_MS;
    await manager.expectOk('POST', other, {});
  });

  test('tokens are stored only as hashes, and logs and the audit log do not contain them', async () => {
    const call = () => manager.call('POST', path, { body: {}, headers: { 'idempotency-key': 'share-once' } });
    const { id, url } = (await call()).body as NewShareLinkBody;
    expect((await call()).status).toBe(409);
    const token = new URL(url).searchParams.get('secret') ?? '';
    await fetch(`${manager.service.url}/api/draft/${token}?secret=${token}`);
    await fetch(`${manager.service.url}/api/v1/content/c_one`, {
      headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE },
    });
    expect(log.join('')).toContain('/api/draft/gsh_[redacted]');
    expect(log.join('')).toMatch(new RegExp(`"path":"/api/v1/content/c_one","status":200.*"key":"${id}"`));
    expect(log.join('')).not.toContain(token.slice('gsh_'.length));
    expect(await findTablesWith(manager.service.storage, token.slice('gsh_'.length))).toEqual([]);
    await manager.expectOk('DELETE', `${path}/${id}`);
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=100');
    const entries = data.filter(({ details }) => Object(details).link === id);
    expect(entries).toMatchObject([
      { action: 'content.unshare', site: SITE, subject: { id: 'c_one', name: 'One' }, details: { address: 'Website' } },
      { action: 'content.share', site: SITE, details: { address: 'Website', expires_at: expect.stringMatching(TIME) } },
    ]);
  });
});
