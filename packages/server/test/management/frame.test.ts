// Rules that apply to every route of the management API, tested on one of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';

describe('the management API', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
  });

  afterAll(() => manager.close());

  test("returns data from the caller's own account", async () => {
    const own = await manager.call('GET', '/account', { token: manager.editor });
    expect(own).toMatchObject({ status: 200, body: { id: 'o_main' } });
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect(own.headers.get('access-control-allow-origin')).toBe(null);
    const other = await manager.call('GET', '/account', { token: manager.stranger });
    expect(other).toMatchObject({ status: 200, body: { name: 'Another account' } });
  });

  test('rejects callers without a token, with a wrong token, or with a delivery API key', async () => {
    const key = await manager.service.createKey({ allSites: true });
    for (const token of [undefined, 'gm_nothing', key.token, '']) {
      const answer = await manager.call('GET', '/account', { token });
      expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.', code: 'unauthenticated' }]);
    }
  });

  test('accepts tokens that the delivery API rejects', async () => {
    const headers = { authorization: `Bearer ${manager.owner}`, 'x-service-site': 's_any' };
    const response = await fetch(`${manager.service.url}/api/v1/content`, { headers });
    expect(response.status).toBe(401);
  });

  test('lets owners change what editors can only read', async () => {
    const refused = await manager.call('PATCH', '/account', { body: { name: 'Ours' }, token: manager.editor });
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: 'Only an owner can do this.', code: 'owner_needed' },
    ]);
    const renamed = await manager.call('PATCH', '/account', { body: { name: 'Ours' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Ours' } });
  });

  test('reports all errors in a body and stores nothing', async () => {
    const before = await manager.call('GET', '/account');
    const wrong = await manager.call('PATCH', '/account', { body: { name: 7, colour: 'red' } });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({
      code: 'invalid',
      errors: [
        { path: 'name', code: 'invalid' },
        { path: 'colour', message: 'is unknown; an account has name', code: 'unknown' },
      ],
    });
    for (const body of ['{"name":', '{"name":"a","name":"b"}', '"\\ud800"']) {
      expect(await manager.call('PATCH', '/account', { body })).toMatchObject({ status: 400 });
    }
    const text = { body: '{}', headers: { 'content-type': 'text/plain' } };
    expect(await manager.call('PATCH', '/account', text)).toMatchObject({ status: 415 });
    const huge = JSON.stringify({ name: 'x'.repeat(5_000_000) });
    expect(await manager.call('PATCH', '/account', { body: huge })).toMatchObject({ status: 413 });
    expect((await manager.call('GET', '/account')).body).toEqual(before.body);
  });

  test('rejects requests from pages on other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await manager.call('GET', '/account', { headers })).toMatchObject({ status: 403 });
  });

  test('is not available when disabled', async () => {
    const without = await startManager({ GALLEY_ADMIN: 'false' });
    const answer = await without.call('GET', '/account');
    await without.close();
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.', code: 'not_found' }]);
  });
});
