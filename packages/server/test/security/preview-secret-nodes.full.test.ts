// Every node stops accepting a preview secret as soon as it is replaced or the site's last preview address is removed.

import type { PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';
import { importMagazine } from '../management/small-magazine.ts';
import { startService, type TestService } from '../support/service.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';

const SITE = 's_mag';
const path = `/sites/${SITE}/preview`;
const addresses = [{ name: 'Website', address: 'https://mag.example' }];

let manager: Manager;
/** Another node with the same database. */
let other: TestService;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const database = await createTestDatabase(engine);
    manager = await startManager({}, { createDatabase: async () => database });
    other = await startService({}, { createDatabase: async () => ({ url: database.url, remove: async () => {} }) });
    await importMagazine(manager, SITE);
  });

  afterAll(async () => {
    await other.close();
    await manager.close();
  });

  async function put(given: readonly object[]): Promise<string> {
    return (await manager.expectOk<PreviewSettingsBody>('PUT', path, { addresses: given })).secret ?? '';
  }

  async function readStatus(secret: string): Promise<number> {
    const headers = { authorization: `Bearer ${secret}`, 'x-service-site': SITE };
    const response = await fetch(`${other.url}/api/v1/content/c_one`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  test('another node rejects a replaced secret from the next request on', async () => {
    const secret = await put(addresses);
    expect(await readStatus(secret)).toBe(200);
    const next = await manager.expectOk<PreviewSettingsBody>('POST', `${path}/rotate-secret`);
    expect(await readStatus(secret)).toBe(401);
    expect(await readStatus(next.secret ?? '')).toBe(200);
  });

  test('another node rejects the secret while the site has no preview address', async () => {
    const secret = await put(addresses);
    expect(await readStatus(secret)).toBe(200);
    await put([]);
    expect(await readStatus(secret)).toBe(401);
    await put(addresses);
    expect(await readStatus(secret)).toBe(200);
  });
});
