// Random queries over HTTP give a picture or a sentence, and never a server error. PROOF=full runs 2,000 of them.

import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawAnimation, drawPicture } from '../images/pictures.fixture.ts';
import type { ServedAsset } from './asset-directory.ts';
import { type AssetServer, pathOf, readBody, startAssetServer } from './asset-server.fixture.ts';

const CASES = process.env.PROOF === 'full' ? 2000 : 200;

let server: AssetServer;
let assets: readonly ServedAsset[];

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

const number = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constantFrom(0, -1, 1.5, 100, 101, 99_999)).map(String);
const word = fc.constantFrom(
  ...['crop', 'crop-top-left', 'cover-bottom', 'crop-10-20-3', 'max', 'fill', 'fill-max', 'stretch', 'contain'],
  ...[
    'auto',
    '90',
    '270',
    'h',
    'v',
    'both',
    'greyscale',
    'sepia',
    'red',
    'f80',
    '80ff0000',
    '10,red,expand',
    '5w,blue',
  ],
  ...['20,10,3,4', '500,1,1,1', 'jpg', 'pjpg', 'png', 'gif', 'webp', 'a_1', 'center', '50w', '20h', 'no such word'],
);
const value = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const name = fc.constantFrom(
  ...[
    'w',
    'w',
    'w',
    'h',
    'h',
    'fit',
    'fit',
    'crop',
    'dpr',
    'or',
    'flip',
    'bri',
    'con',
    'gam',
    'sharp',
    'blur',
    'pixel',
  ],
  ...[
    'filt',
    'bg',
    'border',
    'mark',
    'markw',
    'markh',
    'markfit',
    'markpad',
    'markpos',
    'markalpha',
    'q',
    'fm',
    'p',
    's',
  ],
);
/** Pairs of names and values that fit are more frequent, so that many queries give a picture. */
const fitting = fc.constantFrom<[string, string]>(
  ...([
    ['w', '50'],
    ['h', '30'],
    ['fit', 'crop'],
    ['fit', 'crop-80-20-2'],
    ['fit', 'fill'],
    ['or', '90'],
    ['flip', 'h'],
    ['bri', '20'],
    ['blur', '3'],
    ['filt', 'sepia'],
    ['bg', 'f80'],
    ['border', '3,red,shrink'],
    ['mark', 'a_1'],
    ['markw', '10w'],
    ['fm', 'webp'],
    ['fm', 'jpg'],
    ['q', '60'],
  ] as [string, string][]),
);
const pair = fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: fc.tuple(name, value) });
const query = fc
  .uniqueArray(pair, { maxLength: 5, selector: ([each]) => each })
  .map((pairs) =>
    new URLSearchParams(pairs.map(([each, text]): [string, string] => [each, text.toWellFormed()])).toString(),
  );

test('random queries give a picture or a sentence', async () => {
  const counts = { pictures: 0, refusals: 0 };
  await fc.assert(
    fc.asyncProperty(query, fc.nat({ max: 3 }), async (text, index) => {
      const asset = assets[index];
      if (asset === undefined) throw new Error('There is no such asset');
      const response = await server.get(`${pathOf(asset)}?${text}`);
      if (response.status === 422) {
        expect(await response.json()).toEqual({ message: expect.stringMatching(/^The .+\.$/s) });
        counts.refusals += 1;
        return;
      }
      expect(response.status).toBe(200);
      const { mediaType } = await sharp(await readBody(response)).metadata();
      expect(response.headers.get('content-type')).toBe(mediaType);
      counts.pictures += 1;
    }),
    { numRuns: CASES },
  );
  expect(counts.pictures).toBeGreaterThan(CASES / 4);
  expect(counts.refusals).toBeGreaterThan(CASES / 20);
});
