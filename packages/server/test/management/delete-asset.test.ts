// Two services share a database and a file store, as two nodes would, but each has its own image cache. Once an asset is deleted in the
// database, neither service may serve it from its cache.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagedAssetBody } from '@galley/wire';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

const SITE = 's_mag';

let manager: Manager;
let other: TestService;

describe.each(ENGINES)('on %s', (engine) => {
  const resources = new AsyncDisposableStack();

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-nodes-'));
    resources.defer(() => rm(folder, { recursive: true }));
    const database = await createTestDatabase(engine);
    resources.defer(() => database.remove());
    const createDatabase = async () => ({ ...database, remove: async () => {} });
    const environment = { GALLEY_ASSETS_URL: `file:${folder}`, GALLEY_FRESHNESS_MS: '100' };
    manager = await startManager(environment, { createDatabase });
    resources.defer(() => manager.close());
    other = await startService(environment, { createDatabase });
    resources.defer(() => other.close());
    await importMagazine(manager, SITE);
  });

  afterAll(() => resources.disposeAsync());

  async function draw(width: number, height: number): Promise<FormData> {
    const picture = sharp({ create: { width, height, channels: 3, background: '#0a6' } });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await picture.png().toBuffer())]), 'picture.png');
    return form;
  }

  /** The response from each service, such as `200 20x10`. */
  async function look(path: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const looking = [manager.service.url, other.url].map(async (origin) => {
      const response = await fetch(`${origin}/${path}`, { headers });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) return String(response.status);
      const { width, height } = await sharp(body).metadata();
      return `200 ${width}x${height}`;
    });
    return Promise.all(looking);
  }

  test("a service stops serving an asset's files and images once another service has replaced or deleted the asset", async () => {
    const assets = `/sites/${SITE}/assets`;
    const asset = await manager.expectOk<ManagedAssetBody>('POST', assets, await draw(60, 30));
    await expect.poll(() => look(asset.path)).toEqual(['200 60x30', '200 60x30']);
    // The second response comes from memory.
    for (const _ of [1, 2]) expect(await look(`${asset.path}?w=20`)).toEqual(['200 20x10', '200 20x10']);

    const replaced = await manager.expectOk<ManagedAssetBody>('PUT', `${assets}/${asset.id}/file`, await draw(60, 60));
    await expect.poll(() => look(`${replaced.path}?w=20`)).toEqual(['200 20x20', '200 20x20']);
    expect(await look(`${asset.path}?w=20`)).toEqual(['200 20x20', '200 20x20']);
    const etag = (await fetch(`${other.url}/${replaced.path}?w=20`)).headers.get('etag') ?? '';
    expect(await look(`${replaced.path}?w=20`, { 'if-none-match': etag })).toEqual(['304', '304']);

    expect((await manager.call('DELETE', `${assets}/${asset.id}`)).status).toBe(204);
    await expect.poll(() => look(`${replaced.path}?w=20`)).toEqual(['404', '404']);
    for (const path of [asset.path, replaced.path]) {
      expect(await look(path)).toEqual(['404', '404']);
      expect(await look(`${path}?w=20`)).toEqual(['404', '404']);
      expect(await look(`${path}?w=20`, { 'if-none-match': etag })).toEqual(['404', '404']);
    }
  });
});
