import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPng, drawQuarters } from '../images/pictures.fixture.ts';
import type { ServedAsset } from '../storage/asset-reads.ts';
import {
  type AssetServer,
  measure,
  pathOf,
  publicPathOf,
  readBody,
  sign,
  startAssetServer,
} from './asset-server.fixture.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

let server: AssetServer;
let asset: ServedAsset;
let path: string;

beforeAll(async () => {
  server = await startAssetServer();
  asset = await server.add(await drawQuarters(200, 100), { fileName: 'quarters.png' });
  path = pathOf(asset);
});

afterAll(() => server[Symbol.asyncDispose]());

describe('a transformed image', () => {
  test('has the size and the format that the URL requests', async () => {
    const response = await server.get(`${path}?w=100&fm=webp`);
    expect(await measure(response.clone())).toEqual({ width: 100, height: 50, mediaType: 'image/webp' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String((await readBody(response)).length),
      'content-disposition': "inline; filename*=UTF-8''quarters.webp",
      'cache-control': IMMUTABLE,
      etag: expect.stringMatching(/^"[0-9a-f]{48}"$/),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    });
    expect(response.headers.has('vary')).toBe(false);
  });

  test('is the same however its parameters are written', async () => {
    const etags = await Promise.all(
      ['w=60&h=30&fit=crop', 'fit=cover&h=30&w=60&v=17', 'h=15&w=30&dpr=2&fit=crop'].map(async (query) =>
        (await server.get(`${path}?${query}`)).headers.get('etag'),
      ),
    );
    expect(new Set(etags).size).toBe(1);
  });

  test('follows the focal point, even after the focal point has moved', async () => {
    const colourAt = async (focalPoint: ServedAsset['focalPoint']) => {
      server.assets.put({ ...asset, focalPoint });
      const response = await server.get(`${path}?fit=crop&w=10&h=10`);
      const { data } = await sharp(await readBody(response))
        .raw()
        .toBuffer({ resolveWithObject: true });
      // A pixel in the middle of the first row.
      return [...data.subarray(5 * 3, 6 * 3)];
    };
    expect(await colourAt({ x: 0, y: 0 })).toEqual([255, 0, 0]);
    expect(await colourAt({ x: 100, y: 0 })).toEqual([0, 255, 0]);
    server.assets.put(asset);
  });

  test('supports conditional requests, ranges and HEAD', async () => {
    const whole = await server.get(`${path}?w=90`);
    const file = await readBody(whole);
    const etag = whole.headers.get('etag') ?? '';
    const known = await server.get(`${path}?w=90`, { 'if-none-match': etag });
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
    const part = await server.get(`${path}?w=90`, { range: 'bytes=10-19', 'if-range': etag });
    expect([part.status, await readBody(part)]).toEqual([206, file.subarray(10, 20)]);
    const head = await fetch(`${server.origin}${path}?w=90`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
  });

  test('is not generated for a client that already has it', async () => {
    const url = `${path}?w=91`;
    const etag = (await server.get(url)).headers.get('etag') ?? '';
    await using restarted = await startAssetServer({ store: { ...server.store, close: async () => {} } });
    restarted.assets.put(asset);
    expect((await restarted.get(url, { 'if-none-match': etag })).status).toBe(304);
    expect(restarted.workshop.figures.made).toBe(0);
  });

  test('is streamed if it is large', async () => {
    const noise = await server.add(
      await drawPng(600, 400, () => [Math.random() * 255, Math.random() * 255, Math.random() * 255]),
      { assetId: 'noise' },
    );
    const url = `${pathOf(noise)}?w=500`;
    const first = await readBody(await server.get(url));
    expect(first.length).toBeGreaterThan(128 * 1024);
    const again = await server.get(url);
    expect(again.headers.get('content-length')).toBe(String(first.length));
    expect(await readBody(again)).toEqual(first);
    const part = await server.get(url, { range: 'bytes=100000-' });
    expect([part.status, await readBody(part)]).toEqual([206, first.subarray(100_000)]);
    const outside = await server.get(url, { range: `bytes=${first.length}-` });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${first.length}`]);
    const head = await fetch(`${server.origin}${url}`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(first.length));
  });

  test('is generated only once for simultaneous requests', async () => {
    const before = server.workshop.figures.made;
    const responses = await Promise.all(Array.from({ length: 20 }, () => server.get(`${path}?w=77`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(server.workshop.figures.made).toBe(before + 1);
  });

  test('is the original if its parameters change nothing', async () => {
    const original = await readBody(await server.get(path));
    for (const query of ['v=3', 'utm_source=x', 'dpr=2', 'fit=crop', 'or=auto', 's=whatever']) {
      expect(await readBody(await server.get(`${path}?${query}`))).toEqual(original);
    }
  });

  test('is generated from the current file, even at the URL of a replaced file', async () => {
    const before = await server.add(await drawPng(40, 40, () => [255, 0, 0]), { assetId: 'replaced' });
    const after = await server.add(await drawPng(40, 20, () => [0, 0, 255]), { assetId: 'replaced' });
    server.assets.put({ ...after, versions: [before.version, after.version] });
    const response = await server.get(`${pathOf(before)}?w=20`);
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    expect(await measure(response)).toMatchObject({ width: 20, height: 10 });
  });

  test('is available without a version only if published content shows the asset', async () => {
    const hidden = await server.add(await drawPng(40, 40, () => [1, 2, 3]), { assetId: 'hidden', isShown: false });
    expect((await server.get(`${publicPathOf(hidden)}?w=20`)).status).toBe(404);
    const response = await server.get(`${publicPathOf(asset)}?w=20`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  });
});

describe('fm=auto', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,*/*', 'image/webp'],
    ['*/*', 'image/png'],
    ['image/avif;q=0, image/webp', 'image/webp'],
  ])('gives a client that accepts %s the type %s', async (accept, type) => {
    for (const _ of [1, 2]) {
      const response = await server.get(`${path}?w=50&fm=auto`, { accept });
      expect(await measure(response)).toEqual({ width: 50, height: 25, mediaType: type });
      expect(response.headers.get('vary')).toBe('Accept');
    }
  });

  test('sends Vary with a 304 as well', async () => {
    const accept = 'image/webp';
    const etag = (await server.get(`${path}?w=50&fm=auto`, { accept })).headers.get('etag') ?? '';
    const response = await server.get(`${path}?w=50&fm=auto`, { accept, 'if-none-match': etag });
    expect([response.status, response.headers.get('vary')]).toEqual([304, 'Accept']);
    expect((await server.get(`${path}?w=50&fm=auto`, { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('invalid parameters', () => {
  test.each([
    ['w=0', 'The w parameter is "0"; it must be a whole number from 1 to 8192.'],
    ['w=1&w=2', 'The w parameter is given more than once; it takes one value.'],
    ['p=none', 'The p parameter contains "none"; this site has no presets.'],
    ['w=8000&h=8000&fit=stretch', 'The result would have 64 megapixels (8000 × 8000); at most 40 are allowed.'],
    ['crop=10,10,195,0', /^The crop parameter is "10,10,195,0"; it must be W,H,X,Y within the picture/],
    [
      'mark=nobody',
      'The mark parameter is "nobody"; it must be the id of an image in this site that you are allowed to see.',
    ],
  ])('%s is refused with a message', async (query, message) => {
    const response = await server.get(`${path}?${query}`);
    expect(response.status).toBe(422);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body: unknown = await response.json();
    expect(body).toEqual({ message: typeof message === 'string' ? message : expect.stringMatching(message) });
  });

  test('cause no server error, whatever their number, length or encoding', async () => {
    const many = Array.from({ length: 700 }, (_, index) => `x${index}=1`).join('&');
    expect((await server.get(`${path}?${many}&w=5`)).status).toBe(200);
    expect((await server.get(`${path}?${'w=5&'.repeat(500)}`)).status).toBe(422);
    expect((await server.get(`${path}?${'x'.repeat(9000)}`)).status).toBe(414);
    expect((await server.get(`${path}?w=%ff%zz`)).status).toBe(422);
  });

  test('are not reported as the cause if the file itself is damaged', async () => {
    const broken = await server.add(Buffer.from('\x89PNG\r\n\x1a\n and nothing else'), { assetId: 'broken' });
    for (const _ of [1, 2]) {
      const response = await server.get(`${pathOf(broken)}?w=10`);
      expect([response.status, await response.json()]).toEqual([
        422,
        {
          message: 'The file cannot be transformed, because it is damaged or in a format that this server cannot read.',
        },
      ]);
    }
    expect((await server.get(pathOf(broken))).status).toBe(200);
  });
});

describe('presets', () => {
  test('apply the parameters that the owner has stored', async () => {
    const withPresets = server.assets.put({
      ...asset,
      assetId: 'presets',
      presets: new Map([
        ['small', 'w=40'],
        ['square', 'h=40&fit=stretch'],
      ]),
    });
    expect(await measure(await server.get(`${pathOf(withPresets)}?p=small,square`))).toMatchObject({
      width: 40,
      height: 40,
    });
    server.assets.put({ ...withPresets, presets: new Map([['small', 'w=30']]) });
    expect(await measure(await server.get(`${pathOf(withPresets)}?p=small`))).toMatchObject({ width: 30 });
  });
});

describe('a site that allows only presets and signed URLs', () => {
  let closed: ServedAsset;

  beforeAll(() => {
    const presets = new Map([['small', 'w=40']]);
    closed = server.assets.put({ ...asset, assetId: 'closed', imageAccess: 'signed', presets });
  });

  test('refuses other transformations with a message', async () => {
    for (const query of ['w=41', 'p=small&w=41', 'w=41&s=', `w=41&s=${'a'.repeat(43)}`, 's=x&fm=webp']) {
      const response = await server.get(`${pathOf(closed)}?${query}`);
      expect([response.status, await response.json()]).toEqual([
        403,
        { message: 'This site transforms images only through presets and signed URLs.' },
      ]);
    }
  });

  test('serves originals, presets and signed URLs', async () => {
    for (const url of [pathOf(closed), `${pathOf(closed)}?v=2`, `${pathOf(closed)}?p=small&v=2`]) {
      expect((await server.get(url)).status).toBe(200);
    }
    const signed = sign(closed, 'w=41');
    expect(await measure(await server.get(signed))).toMatchObject({ width: 41 });
    expect((await server.get(signed.replace('w=41', 'w=42'))).status).toBe(403);
    expect((await server.get(signed.replace('quarters', 'others'))).status).toBe(403);
  });
});

describe('a mark', () => {
  test('must appear in published content, unless the URL is signed', async () => {
    const mark = await server.add(await drawPng(10, 10, () => [1, 2, 3]), { assetId: 'logo', isShown: true });
    const query = 'w=100&mark=logo&markpos=top-left';
    const response = await server.get(`${path}?${query}`);
    const { data } = await sharp(await readBody(response))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([1, 2, 3]);
    server.assets.put({ ...mark, isShown: false });
    expect((await server.get(`${path}?${query}`)).status).toBe(422);
    expect((await server.get(sign(asset, query))).status).toBe(200);
    server.assets.put({ ...mark, type: 'image/svg+xml', isShown: true });
    expect((await server.get(`${path}?${query}`)).status).toBe(422);
  });
});
