// Files in an S3 bucket: originals are streamed from it, and copied once for the image processes. Nodes can share variants through it.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../content/result.ts';
import { BUCKET_CREDENTIALS, type BucketServer, startBucketServer } from '../files/bucket-server.fixture.ts';
import { openBucketStore } from '../files/bucket-store.ts';
import type { FileStore } from '../files/file-store.ts';
import { PROBLEMS } from '../http/problems.ts';
import { buildVariantName } from '../images/image-variants.ts';
import { drawQuarters, expectSource, planQuery } from '../images/pictures.fixture.ts';
import { type AssetServer, pathOf, readBody, startAssetServer } from './asset-server.fixture.ts';

let bucket: BucketServer;

beforeAll(async () => {
  bucket = await startBucketServer('pictures', 'galley');
});

afterAll(() => bucket[Symbol.asyncDispose]());

function openStore(): FileStore {
  return openBucketStore(bucket.location, { credentials: BUCKET_CREDENTIALS });
}

function startNode(isShared: boolean): Promise<AssetServer> {
  return startAssetServer({ store: openStore(), workshop: { isShared } });
}

async function measure(response: Response) {
  expect(response.status).toBe(200);
  const { width, height } = await sharp(await readBody(response)).metadata();
  return { width, height };
}

describe('an original in a bucket', () => {
  test('is served whole and in ranges', async () => {
    await using node = await startNode(false);
    for (const size of [0, 1000, 1024 ** 2]) {
      const file = randomBytes(size);
      const asset = await node.add(file, { assetId: `file-${size}`, type: 'video/mp4', fileName: 'film.mp4' });
      const whole = await node.get(pathOf(asset));
      expect([whole.status, (await readBody(whole)).equals(file)]).toEqual([200, true]);
      const part = await node.get(pathOf(asset), { range: 'bytes=10-19' });
      expect(part.status).toBe(size === 0 ? 416 : 206);
      if (size > 0) expect(await readBody(part)).toEqual(file.subarray(10, 20));
    }
  });

  test('is downloaded again if another process deletes the copy before an image process opens it', async () => {
    await using node = await startNode(false);
    const file = await drawQuarters(200, 100);
    const { sha256: picture } = await node.add(file);
    const plan = planQuery('w=20', await expectSource(file));
    if (typeof plan === 'string') throw new Error(plan);
    const variant = { name: buildVariantName(plan, picture, null), plan, picture, mark: null };
    let starts = 0;
    const mayStart = (): boolean => {
      starts += 1;
      if (starts === 1) rmSync(join(node.folder, 'images', `${picture}.original`));
      return true;
    };
    const terms = { mayStart, noteTime: () => {}, describeRefusal: () => PROBLEMS.tooManyRequests };
    const found = await node.workshop.findVariant(variant, async () => ok(terms));
    if (found.ok) await found.value.file.close();
    expect([found.ok, starts]).toEqual([true, 2]);
  });

  test('is downloaded once for all of its variants', async () => {
    await using node = await startNode(false);
    const asset = await node.add(await drawQuarters(200, 100));
    const before = bucket.requests.get('GET') ?? 0;
    const sizes = await Promise.all(
      [10, 20, 30, 40].map(async (width) => measure(await node.get(`${pathOf(asset)}?w=${width}`))),
    );
    expect(sizes).toEqual([10, 20, 30, 40].map((width) => ({ width, height: width / 2 })));
    expect((bucket.requests.get('GET') ?? 0) - before).toBe(1);
    expect(await readdir(join(node.folder, 'images'))).toContain(`${asset.sha256}.original`);
  });

  test('is reported as not found if it is missing', async () => {
    await using node = await startNode(false);
    const asset = await node.add(await drawQuarters(200, 100));
    const lost = node.assets.put({ ...asset, sha256: 'e'.repeat(64) });
    expect((await node.get(pathOf(lost))).status).toBe(404);
    expect((await node.get(`${pathOf(lost)}?w=10`)).status).toBe(404);
  });
});

describe('variants in a bucket', () => {
  test('are generated once for all nodes', async () => {
    await using one = await startNode(true);
    await using other = await startNode(true);
    const asset = await one.add(await drawQuarters(210, 100));
    other.assets.put(asset);
    const made = await readBody(await one.get(`${pathOf(asset)}?w=50&fm=webp`));
    // Closing waits until the variant has been copied.
    await one.workshop.close();
    const found = await readBody(await other.get(`${pathOf(asset)}?w=50&fm=webp`));
    expect(found).toEqual(made);
    expect([one.workshop.figures.made, other.workshop.figures.made]).toEqual([1, 0]);
  });

  test('stay on the node that generated them, unless that node shares its variants', async () => {
    await using one = await startNode(false);
    await using other = await startNode(true);
    const asset = await one.add(await drawQuarters(220, 100));
    other.assets.put(asset);
    await one.get(`${pathOf(asset)}?w=50`);
    await one.workshop.close();
    await other.get(`${pathOf(asset)}?w=50`);
    expect(other.workshop.figures.made).toBe(1);
  });

  test('are deleted with their original', async () => {
    await using one = await startNode(true);
    const asset = await one.add(await drawQuarters(230, 100));
    await one.get(`${pathOf(asset)}?w=50`);
    await one.workshop.close();
    const variant = (await readdir(join(one.folder, 'images'))).find((name) => name.endsWith('.png')) ?? '';
    const reading = await one.store.derived?.read(variant);
    expect(reading?.bytes).toBeGreaterThan(0);
    reading?.stream.destroy();
    await one.workshop.forget(asset.sha256);
    expect(await one.store.derived?.read(variant)).toBeUndefined();
    expect(await readdir(join(one.folder, 'images'))).toEqual([]);
  });
});
