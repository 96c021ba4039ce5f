// API keys in the management API, and their effect on the next delivery request.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKeyBody, ManagementPageBody, NewApiKeyBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { createSite } from '../../src/authoring/sites/sites.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { readSettings } from '../../src/settings.ts';
import { startService } from '../../src/start-service.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { selectKey } from '../../src/storage/keys/api-keys.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

describe('API keys', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await importMagazine(manager, 's_one');
    await importMagazine(manager, 's_two');
    await manager.expectOk('POST', '/sites', { id: 's_theirs', name: 'Theirs' }, manager.stranger);
  });

  afterAll(() => manager.close());

  const create = (body: object, token = manager.owner) => manager.expectOk<NewApiKeyBody>('POST', '/keys', body, token);

  async function read(token: string, site: string, isPreview = false): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, ...(isPreview ? { 'x-service-preview': 'true' } : {}) };
    return (await manager.read(site, '', headers)).status;
  }

  test('have minimal permissions by default and work immediately, and their token is shown only once', async () => {
    const created = await manager.call('POST', '/keys', { body: { name: 'Web', sites: ['s_one', 's_one'] } });
    const { token, ...key } = created.body as NewApiKeyBody;
    expect([created.status, key]).toEqual([
      201,
      {
        id: expect.stringMatching(/^k_[0-9a-f]{32}$/),
        name: 'Web',
        prefix: token.slice(0, 10),
        sites: ['s_one'],
        all_sites: false,
        preview: false,
        expires_at: null,
        rate_limit: null,
        last_used_at: null,
        created_at: expect.stringMatching(/\+00:00$/),
        revoked_at: null,
      },
    ]);
    expect(await manager.expectOk('GET', `/keys/${key.id}`)).toEqual(key);
    expect([await read(token, 's_one'), await read(token, 's_two'), await read(token, 's_one', true)]).toEqual([
      200, 403, 403,
    ]);
  });

  test('have changed permissions from the next request on', async () => {
    const { id, token } = await create({ name: 'Changing', sites: ['s_one'] });
    const change = (body: object) => manager.expectOk<ApiKeyBody>('PATCH', `/keys/${id}`, body);
    expect(await change({ sites: ['s_two'] })).toMatchObject({ name: 'Changing', sites: ['s_two'], all_sites: false });
    expect([await read(token, 's_one'), await read(token, 's_two')]).toEqual([403, 200]);
    expect(await change({ all_sites: true, preview: true })).toMatchObject({
      sites: [],
      all_sites: true,
      preview: true,
    });
    expect([await read(token, 's_one', true), await read(token, 's_two')]).toEqual([200, 200]);
    expect(await change({ sites: ['s_one'] })).toMatchObject({ sites: ['s_one'], all_sites: false, preview: true });
    expect([await read(token, 's_one', true), await read(token, 's_two')]).toEqual([200, 403]);
    await change({ preview: false, rate_limit: 1 });
    expect([await read(token, 's_one', true), await read(token, 's_one')]).toEqual([403, 429]);
    expect(await change({ rate_limit: 0, name: 'Renamed' })).toMatchObject({ rate_limit: 0, name: 'Renamed' });
    expect(await read(token, 's_one')).toBe(200);
    const expires_at = '2099-01-01T00:00:00+00:00';
    expect(await change({ expires_at })).toMatchObject({ expires_at, rate_limit: 0 });
    expect(await change({ expires_at: null, rate_limit: null })).toMatchObject({ expires_at: null, rate_limit: null });
  });

  test('are rejected permanently from the first request after they are revoked', async () => {
    const { id, token } = await create({ name: 'Leaked', all_sites: true });
    expect(await read(token, 's_one')).toBe(200);
    const revoked = await manager.call('POST', `/keys/${id}/revoke`);
    expect(revoked).toMatchObject({ status: 200, body: { id, revoked_at: expect.stringMatching(/\+00:00$/) } });
    expect(await read(token, 's_one')).toBe(401);
    expect((await manager.call('POST', `/keys/${id}/revoke`)).body).toEqual(revoked.body);
    const change = await manager.call('PATCH', `/keys/${id}`, { body: { name: 'Back' } });
    expect([change.status, change.body]).toEqual([
      409,
      { message: `API key ${id} is revoked.`, code: 'conflict', details: { reason: 'key_revoked' } },
    ]);
  });

  test('give access only to sites in their own account', async () => {
    const theirs = await create({ name: 'All of theirs', all_sites: true }, manager.stranger);
    expect([await read(theirs.token, 's_theirs'), await read(theirs.token, 's_one')]).toEqual([200, 403]);
    const reaching = await manager.call('POST', '/keys', { body: { name: 'Reaching', sites: ['s_one', 's_theirs'] } });
    const unknown = await manager.call('POST', '/keys', { body: { name: 'Reaching', sites: ['s_one', 's_never'] } });
    expect(reaching).toMatchObject({
      status: 422,
      body: {
        message: 'There is no site s_theirs.',
        errors: [{ path: 'sites[1]', message: 'names a site that does not exist; got "s_theirs"' }],
      },
    });
    expect(JSON.stringify(unknown.body)).toBe(JSON.stringify(reaching.body).replaceAll('s_theirs', 's_never'));
  });

  test('cannot be found by other accounts, and are not visible to editors', async () => {
    const { id } = await create({ name: 'Ours', all_sites: true });
    for (const [method, path, body] of [
      ['GET', `/keys/${id}`, undefined],
      ['PATCH', `/keys/${id}`, { name: 'Mine' }],
      ['POST', `/keys/${id}/revoke`, undefined],
    ] as const) {
      const foreign = await manager.call(method, path, { body, token: manager.stranger });
      expect([foreign.status, foreign.body]).toEqual([
        404,
        { message: `There is no API key ${id}.`, code: 'not_found' },
      ]);
      expect(await manager.call(method, path, { body, token: manager.editor })).toMatchObject({ status: 403 });
    }
    expect(await manager.call('GET', '/keys', { token: manager.editor })).toMatchObject({ status: 403 });
    expect(await manager.expectOk('GET', `/keys/${id}`)).toMatchObject({ name: 'Ours', revoked_at: null });
    const theirs = await manager.expectOk<ManagementPageBody<ApiKeyBody>>('GET', '/keys', undefined, manager.stranger);
    expect(theirs.data.map(({ name }) => name)).toEqual(['All of theirs']);
  });

  test('are listed in creation order, page by page, without their tokens', async () => {
    const made: NewApiKeyBody[] = [];
    for (const name of ['1', '2', '3', '4', '5']) made.push(await create({ name, sites: ['s_one', 's_two'] }));
    const seen: ApiKeyBody[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: ManagementPageBody<ApiKeyBody> = await manager.expectOk('GET', `/keys?limit=3${query}`);
      seen.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.slice(-5)).toEqual(made.map(({ token: _, ...key }) => key));
    expect(JSON.stringify(seen)).not.toContain(made[0]?.token);
  });

  test.each([
    ['POST', {}, ['name']],
    ['POST', { name: 'A' }, ['sites']],
    ['POST', { name: 'A', sites: [] }, ['sites']],
    ['POST', { name: 'A', sites: 's_one' }, ['sites']],
    ['POST', { name: 'A', sites: [7, 's_one', 'a b'] }, ['sites[0]', 'sites[2]']],
    ['POST', { name: 'A', sites: ['s_one'], all_sites: true }, ['sites']],
    ['POST', { name: 'A', all_sites: 'yes', preview: 1, token: 'x' }, ['all_sites', 'preview', 'token']],
    ['POST', { name: 'A', all_sites: true, expires_at: '2020-01-01T00:00:00+00:00' }, ['expires_at']],
    ['POST', { name: 'A', all_sites: true, expires_at: 'tomorrow' }, ['expires_at']],
    ['POST', { name: 'A', all_sites: true, rate_limit: -1 }, ['rate_limit']],
    ['POST', { name: 'A', all_sites: true, rate_limit: 1.5 }, ['rate_limit']],
    ['POST', { name: 'A', all_sites: true, rate_limit: 1e12 }, ['rate_limit']],
    ['PATCH', { name: '' }, ['name']],
    ['PATCH', { sites: [] }, ['sites']],
    ['PATCH', { all_sites: false }, ['sites']],
    ['PATCH', { sites: ['s_none'] }, ['sites[0]']],
    ['PATCH', { expires_at: '2020-01-01T00:00:00+00:00', revoked_at: null }, ['revoked_at']],
  ] as const)('are not changed by an invalid call: %s with %j', async (method, body, places) => {
    const key = await create({ name: 'Steady', all_sites: true });
    const path = method === 'POST' ? '/keys' : `/keys/${key.id}`;
    const before = await manager.expectOk<ManagementPageBody<ApiKeyBody>>('GET', '/keys?limit=100');
    const answer = await manager.call(method, path, { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: places.map((place) => ({ path: place })) } });
    expect(await manager.expectOk('GET', '/keys?limit=100')).toEqual(before);
  });

  test('have their last use recorded by the time the service stops', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-keys-'));
    const path = join(folder, 'galley.db');
    const storage = await openSqlite(path, Date.now());
    const settings = readSettings({ GALLEY_PORT: '0' }, () => '');
    if (!settings.ok) throw new Error(settings.problem.join('\n'));
    const desk = createDesk(storage);
    const plain = { url: null, defaultLanguage: 'en', languages: ['en'] };
    await createSite(desk, COMMAND_ACTOR, { id: 's_a', name: 'A', ...plain });
    const rights = { siteIds: null, mayPreview: false, expiresAt: null, rateLimit: null };
    const used = await createApiKey(desk, COMMAND_ACTOR, { name: 'Used', ...rights });
    const idle = await createApiKey(desk, COMMAND_ACTOR, { name: 'Idle', ...rights });
    const service = await startService({
      settings: settings.value,
      storage,
      log: pino({ level: 'silent' }),
      version: '0.0.0-test',
    });
    const start = Date.now();
    const headers = { authorization: `Bearer ${used.token}`, 'x-service-site': 's_a', connection: 'close' };
    expect((await fetch(`${service.url}/api/v1/content`, { headers })).status).toBe(200);
    await service.stop();
    const again = await openSqlite(path, Date.now());
    expect((await again.read(selectKey(MAIN_ACCOUNT_NO, used.id)))?.lastUsedAt).toBeGreaterThanOrEqual(start);
    expect((await again.read(selectKey(MAIN_ACCOUNT_NO, idle.id)))?.lastUsedAt).toBe(null);
    await again.close();
    await rm(folder, { recursive: true });
  });
});
