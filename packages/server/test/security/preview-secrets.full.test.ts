// A site's preview secret works like an API key that can read this site's previews and nothing else. It stops working as soon as it is
// replaced or the site's last preview address is removed.

import type { PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';
import { importMagazine } from '../management/small-magazine.ts';
import { ENGINES } from '../support/test-database.ts';

const SITE = 's_mag';
const path = `/sites/${SITE}/preview`;
const addresses = [{ name: 'Website', address: 'https://mag.example' }];
const REFUSED = { status: 401, body: { message: 'Unauthenticated.' } };

let manager: Manager;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await importMagazine(manager, SITE);
    await manager.expectOk('POST', '/sites', { id: 's_other', name: 'Other' });
    await manager.expectOk('POST', `/sites/${SITE}/content`, { content_type: 'post', name: 'A new draft' });
  });

  afterAll(() => manager.close());

  async function put(given: readonly object[] = addresses): Promise<string> {
    return (await manager.expectOk<PreviewSettingsBody>('PUT', path, { addresses: given })).secret ?? '';
  }

  async function ask(target: string, token: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${manager.service.url}${target}`, {
      headers: { authorization: `Bearer ${token}`, 'x-service-site': SITE, ...headers },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
  }

  const list = (token: string, headers = {}) => ask('/api/v1/content', token, headers);

  test('a preview secret gives access to all drafts of its site, with or without the preview header', async () => {
    const secret = await put();
    const preview = await manager.read(SITE, '', { 'x-service-preview': 'true' });
    expect(JSON.stringify(preview.body)).toContain('A new draft');
    for (const headers of [{}, { 'x-service-preview': 'true' }, { 'x-service-preview': 'false' }]) {
      expect(await list(secret, headers)).toMatchObject({ status: 200, body: preview.body });
    }
    const object = await ask('/api/v1/content/c_one', secret);
    expect(object.status).toBe(200);
    expect(object.headers.get('cache-control')).toContain('no-store');
    expect(object.headers.get('ratelimit-policy')).toMatch(/q=6000/);
  });

  test('a preview secret gives access to nothing else', async () => {
    const secret = await put();
    expect((await list(secret, { 'x-service-site': 's_other' })).status).toBe(403);
    expect((await list(secret, { 'x-service-site': 's_none' })).status).toBe(400);
    expect((await list(secret, { 'x-service-site': '' })).status).toBe(403);
    for (const target of ['/changes/v1', '/changes/v1/stream']) {
      expect(await ask(target, secret)).toMatchObject({
        status: 403,
        body: { message: 'The change feed needs an API key.' },
      });
    }
    for (const target of ['/session', `/sites/${SITE}`, path]) {
      expect((await ask(`/manage/v1${target}`, secret)).status).toBe(401);
    }
    const inUrl = await fetch(`${manager.service.url}/api/v1/content?secret=${secret}`, {
      headers: { 'x-service-site': SITE },
    });
    expect(inUrl.status).toBe(401);
  });

  test('a replaced secret stops working with the next request', async () => {
    const secret = await put();
    expect((await list(secret)).status).toBe(200);
    const { secret: next } = await manager.expectOk<PreviewSettingsBody>('POST', `${path}/rotate-secret`);
    expect(await list(secret)).toMatchObject(REFUSED);
    expect((await list(String(next))).status).toBe(200);
  });

  test('a secret does not work while the site has no preview address', async () => {
    const secret = await put();
    expect((await list(secret)).status).toBe(200);
    await put([]);
    expect(await list(secret)).toMatchObject(REFUSED);
    expect(await put()).toBe(secret);
    expect((await list(secret)).status).toBe(200);
  });

  test('a secret stops working once its site is deleted', async () => {
    const made = await manager.expectOk<PreviewSettingsBody>('PUT', '/sites/s_other/preview', { addresses });
    const headers = { 'x-service-site': 's_other' };
    expect((await list(String(made.secret), headers)).status).toBe(200);
    await manager.expectOk('DELETE', '/sites/s_other?confirm=s_other');
    expect(await list(String(made.secret), headers)).toMatchObject(REFUSED);
    expect(await list(String(made.secret))).toMatchObject(REFUSED);
  });

  test.each(['gps_', `gps_${'A'.repeat(40)}`, 'GPS_x'])('%s is not a secret', async (token) => {
    await put();
    expect(await list(token)).toMatchObject(REFUSED);
  });
});
