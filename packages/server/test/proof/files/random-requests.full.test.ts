// Random queries over HTTP return a picture of the documented size or an error message, and never a server error.

import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AssetServer,
  pathOf,
  readBody,
  startAssetServer,
} from '../../../src/asset-delivery/asset-server.fixture.ts';
import { IMAGE_PARAMETERS } from '../../../src/images/image-parameters.ts';
import { findNaiveSize, type NaiveOriginal } from '../../../src/images/naive-size.fixture.ts';
import { drawAnimation, drawPicture } from '../../../src/images/pictures.fixture.ts';
import { drawQueries } from '../../../src/images/random-queries.fixture.ts';
import type { ServedAsset } from '../../../src/storage/asset-reads.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';

const CASES = proofSize(200, 2000);

let server: AssetServer;
let assets: readonly ServedAsset[];
const ORIGINALS: readonly NaiveOriginal[] = [
  { viewed: { width: 64, height: 48 }, isSideways: false },
  { viewed: { width: 40, height: 70 }, isSideways: false },
  { viewed: { width: 48, height: 64 }, isSideways: true },
  { viewed: { width: 30, height: 20 }, isSideways: false },
];

beforeAll(async () => {
  server = await startAssetServer();
  const gradient = (x: number, y: number) => [x * 3, y * 4, x + y, 255 - x] as const;
  const frames = [
    [255, 0, 0],
    [0, 0, 255],
  ] as const;
  const files = await Promise.all([
    drawPicture(64, 48, gradient).removeAlpha().jpeg().toBuffer(),
    drawPicture(40, 70, gradient).png().toBuffer(),
    drawPicture(64, 48, gradient).removeAlpha().withMetadata({ orientation: 6 }).webp().toBuffer(),
    drawAnimation(30, 20, frames).gif().toBuffer(),
  ]);
  const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
  assets = await Promise.all(
    files.map((file, index) => server.add(file, { assetId: `a_${index}`, type: types[index] ?? '' })),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

const query = fc.oneof(
  { weight: 9, arbitrary: drawQueries([500]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...IMAGE_PARAMETERS), fc.string({ unit: 'binary', maxLength: 20 }))
      .map(([name, value]) => new URLSearchParams([[name, value.toWellFormed()]]).toString()),
  },
);

test('random queries return a picture of the documented size or an error message', async () => {
  const counts = { pictures: 0, refusals: 0 };
  await fc.assert(
    fc.asyncProperty(query, fc.nat({ max: ORIGINALS.length - 1 }), async (text, index) => {
      const [asset, original] = [assets[index], ORIGINALS[index]];
      if (asset === undefined || original === undefined) throw new Error('There is no such asset');
      const response = await server.get(`${pathOf(asset)}?${text}`);
      if (response.status === 422) {
        expect(await response.json()).toEqual({ message: expect.stringMatching(/^The .+\.$/s) });
        counts.refusals += 1;
        return;
      }
      expect(response.status).toBe(200);
      // Only an unchanged original has an orientation.
      const { mediaType, autoOrient } = await sharp(await readBody(response)).metadata();
      expect(response.headers.get('content-type')).toBe(mediaType);
      expect({ width: autoOrient.width, height: autoOrient.height }).toEqual(findNaiveSize(text, original));
      counts.pictures += 1;
    }),
    { numRuns: CASES },
  );
  reportProof(`random image requests: ${counts.pictures} pictures, ${counts.refusals} refusals`);
  expect(counts.pictures).toBeGreaterThan(CASES / 4);
  expect(counts.refusals).toBeGreaterThan(CASES / 20);
});
