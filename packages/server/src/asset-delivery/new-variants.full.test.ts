// The limits on new variants, and the folder in which variants are stored.

import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawQuarters } from '../images/pictures.fixture.ts';
import type { ServedAsset } from '../storage/asset-reads.ts';
import { type AssetServer, measure, pathOf, readBody, sign, startAssetServer } from './asset-server.fixture.ts';

let server: AssetServer;
let asset: ServedAsset;
let path: string;

beforeAll(async () => {
  server = await startAssetServer();
  asset = await server.add(await drawQuarters(200, 100), { fileName: 'quarters.png' });
  path = pathOf(asset);
});

afterAll(() => server[Symbol.asyncDispose]());

describe('limits', () => {
  test('new variants are limited for each address and site, but existing and signed variants are not', async () => {
    await using limited = await startAssetServer({ newVariantsPerMinute: 2 });
    const picture = await limited.add(await drawQuarters(20, 10));
    const other = await limited.add(await drawQuarters(20, 10), { siteId: 's_2' });
    const get = async (url: string, address = '192.0.2.1') => limited.get(url, { 'x-test-address': address });
    for (const width of [1, 2]) expect((await get(`${pathOf(picture)}?w=${width}`)).status).toBe(200);
    const refused = await get(`${pathOf(picture)}?w=3`);
    expect([refused.status, await refused.json()]).toEqual([429, { message: 'Too many requests.' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe('"variants";q=2;w=60');
    expect((await get(`${pathOf(picture)}?w=1`)).status).toBe(200);
    expect((await get(pathOf(picture))).status).toBe(200);
    expect((await get(sign(picture, 'w=4'))).status).toBe(200);
    expect((await get(`${pathOf(other)}?w=5`)).status).toBe(200);
    expect((await get(`${pathOf(picture)}?w=3`, '192.0.2.2')).status).toBe(200);
    // A client over its limit does not make a variant fail for other clients that are waiting for it.
    const [first, ...others] = await Promise.all(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) => get(`${pathOf(picture)}?w=6`, address)),
    );
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([200, 429]).toContain(first?.status);
  });

  test('image processing time is limited for each address, even for images that are already waiting', async () => {
    await using limited = await startAssetServer({ imageSeconds: 0.001 });
    const picture = await limited.add(await drawQuarters(20, 10));
    const other = await limited.add(await drawQuarters(20, 10), { siteId: 's_2' });
    const get = async (url: string, address = '192.0.2.1') => limited.get(url, { 'x-test-address': address });
    const responses = await Promise.all([1, 2, 3, 4].map((width) => get(`${pathOf(picture)}?w=${width}`)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429]);
    const made = responses.findIndex(({ status }) => status === 200) + 1;
    for (const refused of [responses.find(({ status }) => status === 429), await get(`${pathOf(other)}?w=5`)]) {
      expect([refused?.status, await refused?.json()]).toEqual([429, { message: 'Too many requests.' }]);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await get(`${pathOf(picture)}?w=${made}`)).status).toBe(200);
    expect((await get(pathOf(picture))).status).toBe(200);
    expect((await get(sign(picture, 'w=6'))).status).toBe(200);
    expect((await get(`${pathOf(picture)}?w=5`, '192.0.2.2')).status).toBe(200);
  });

  test('too many images at once result in a 503 with Retry-After, and existing variants stay available', async () => {
    const folder = join(server.folder, 'images');
    expect((await server.get(`${path}?w=33`)).status).toBe(200);
    // The only image process waits forever.
    const program = join(import.meta.dirname, '../images/image-processes.fixture.ts');
    const processes = { processes: 1, mostWaiting: 0, program };
    const store = { ...server.store, locate: () => 'wait', close: async () => {} };
    await using busy = await startAssetServer({ store, workshop: { folder }, processes });
    busy.assets.put(asset);
    const [stuck, late] = [
      await busy.add(await drawQuarters(21, 10), { assetId: 'stuck' }),
      await busy.add(await drawQuarters(22, 10), { assetId: 'late' }),
    ];
    const waiting = busy.get(`${pathOf(stuck)}?w=1`).catch((error: unknown) => error);
    await expect.poll(() => busy.workshop.figures.underWay).toBe(1);
    const response = await busy.get(`${pathOf(late)}?w=1`);
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service unavailable.' }]);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await measure(await busy.get(`${path}?w=33`))).toMatchObject({ width: 33 });
    await busy.processes.close();
    expect(await waiting).toMatchObject({ status: 503 });
  });

  test('an image that takes too long results in a 503, and is not retried immediately', async () => {
    await using slow = await startAssetServer({ processes: { limitMs: 1 } });
    const facts = JSON.stringify({
      version: 1,
      source: { format: 'png', width: 20, height: 10, orientation: 1, pages: 1, hasAlpha: false, isGreyscale: false },
    });
    const picture = await slow.add(await drawQuarters(20, 10));
    await slow.workshop.forget(picture.sha256);
    await writeFile(join(slow.folder, 'images', `${picture.sha256}.json`), facts);
    const logged = once(slow.log, 'data');
    for (const _ of [1, 2]) {
      const response = await slow.get(`${pathOf(picture)}?w=10`);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    }
    expect(String(await logged)).toContain('an image process failed');
  });
});

describe('the variants folder', () => {
  test('is used again after a restart, without opening the original', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-variants-'));
    try {
      const shared = { ...server.store, close: async () => {} };
      const url = `${path}?w=64&fm=jpg`;
      let first: Buffer;
      {
        await using before = await startAssetServer({ store: shared, workshop: { folder } });
        before.assets.put(asset);
        first = await readBody(await before.get(url));
      }
      const store = { ...shared, locate: () => '/nowhere', read: () => Promise.reject(new Error('Not needed')) };
      await using after = await startAssetServer({ store, workshop: { folder } });
      after.assets.put(asset);
      const again = await after.get(url);
      expect([again.status, await readBody(again)]).toEqual([200, first]);
      expect(after.workshop.figures.made).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('still works if the stored metadata of an original is damaged', async () => {
    const picture = await server.add(await drawQuarters(20, 10), { assetId: 'damaged' });
    await server.workshop.forget(picture.sha256);
    await writeFile(join(server.folder, 'images', `${picture.sha256}.json`), '{"version":0}');
    expect(await measure(await server.get(`${pathOf(picture)}?w=10`))).toMatchObject({ width: 10 });
  });

  test('contains no variants of an original that was removed', async () => {
    const doomed = await server.add(await drawQuarters(20, 20), { assetId: 'doomed' });
    const kept = await server.add(await drawQuarters(30, 10), { assetId: 'kept' });
    for (const picture of [doomed, kept]) expect((await server.get(`${pathOf(picture)}?w=10`)).status).toBe(200);
    await server.workshop.forget(doomed.sha256);
    const names = await readdir(join(server.folder, 'images'));
    expect(names.filter((name) => name.startsWith(kept.version))).toHaveLength(2);
    expect(names.filter((name) => name.startsWith(doomed.version))).toEqual([]);
  });
});
