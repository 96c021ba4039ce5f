import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FileStore, FileStoreError } from '../files/file-store.ts';
import { exchange, openSocket } from '../http/raw-exchange.fixture.ts';
import { type AssetServer, pathOf, publicPathOf, readBody, startAssetServer } from './asset-server.fixture.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const TEXT = Buffer.from('0123456789'.repeat(10));
const FILE = { type: 'text/plain', fileName: 'notes.txt' } as const;

let server: AssetServer;

beforeAll(async () => {
  server = await startAssetServer();
});

afterAll(() => server[Symbol.asyncDispose]());

describe('the URL with a version', () => {
  test('returns the file, and the response may be cached forever', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'current', isShown: false });
    const response = await server.get(pathOf(asset));
    expect(response.status).toBe(200);
    expect(await readBody(response)).toEqual(TEXT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '100',
      'cache-control': IMMUTABLE,
      etag: expect.stringMatching(/^"[0-9a-f]{48}"$/),
      'accept-ranges': 'bytes',
      'content-disposition': "attachment; filename*=UTF-8''notes.txt",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-request-id': expect.any(String),
    });
    expect(response.headers.get('access-control-expose-headers')).toMatch(/ETag.*Content-Range/);
    expect(response.headers.has('vary')).toBe(false);
  });

  test('returns the current file after a replacement, and the response must then be revalidated', async () => {
    const before = await server.add(Buffer.from('before'), { ...FILE, assetId: 'replaced' });
    const after = await server.add(Buffer.from('after'), { ...FILE, assetId: 'replaced', fileName: 'new.txt' });
    server.assets.put({ ...after, versions: [...before.versions, ...after.versions] });
    const old = await server.get(pathOf(before));
    expect([old.status, await old.text(), old.headers.get('cache-control')]).toEqual([
      200,
      'after',
      'public, no-cache',
    ]);
    const current = await server.get(pathOf(after));
    expect([await current.text(), current.headers.get('cache-control')]).toEqual(['after', IMMUTABLE]);
    expect(current.headers.get('etag')).toBe(old.headers.get('etag'));
  });

  test('is not found for a version that never existed', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'unknown-version' });
    for (const version of ['0'.repeat(16), asset.version.slice(0, 12), `${asset.version}0`, asset.sha256]) {
      const response = await server.get(pathOf({ ...asset, version }));
      expect([response.status, await response.json()]).toEqual([404, { message: 'Not found.' }]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('works with any name, because an earlier file may have had a different name', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'renamed' });
    const response = await server.get(pathOf({ ...asset, fileName: 'other.html' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''notes.txt");
  });
});

describe('the URL without a version', () => {
  test('returns the file if published content shows the asset', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'shown' });
    const response = await server.get(publicPathOf(asset));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect((await server.get(publicPathOf({ ...asset, fileName: 'other.txt' }))).status).toBe(404);
    server.assets.put({ ...asset, isShown: false });
    expect((await server.get(publicPathOf(asset))).status).toBe(404);
    expect((await server.get(pathOf(asset))).status).toBe(200);
  });

  test('may contain composed or decomposed accents', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'accents', fileName: 'Übergröße-写真.txt' });
    for (const form of ['NFC', 'NFD'] as const) {
      const response = await server.get(publicPathOf({ ...asset, fileName: asset.fileName.normalize(form) }));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toContain(encodeURIComponent(asset.fileName));
    }
  });

  test('is not found on another site', async () => {
    const asset = await server.add(TEXT, { ...FILE, assetId: 'of-site-1' });
    expect((await server.get(publicPathOf({ ...asset, siteId: 's_2' }))).status).toBe(404);
  });
});

describe('the type of a file', () => {
  test.each([
    ['image/png', 'inline', "default-src 'none'; sandbox"],
    ['application/pdf', 'inline', "default-src 'none'"],
    ['text/html', 'attachment', "default-src 'none'; sandbox"],
    ['image/svg+xml', 'inline', "default-src 'none'; sandbox"],
  ])('%s is shown as %s', async (type, disposition, policy) => {
    const asset = await server.add(TEXT, { assetId: `type-${type.replace('/', '-')}`, type });
    const { headers } = await server.get(pathOf(asset));
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
    expect(headers.get('content-security-policy')).toBe(policy);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('determines whether parameters apply: SVG files and documents are served unchanged', async () => {
    for (const type of ['image/svg+xml', 'application/pdf', 'text/plain']) {
      const asset = await server.add(TEXT, { assetId: `as-is-${type.length}`, type, imageAccess: 'signed' });
      const response = await server.get(`${pathOf(asset)}?w=nonsense`);
      expect([response.status, await readBody(response)]).toEqual([200, TEXT]);
    }
  });
});

describe.each([
  ['a small file', 1000],
  ['a streamed file', 1024 ** 2],
])('conditional and range requests for %s', (_, size) => {
  const file = randomBytes(size);
  let path: string;
  let etag: string;

  beforeAll(async () => {
    path = pathOf(await server.add(file, { ...FILE, assetId: `ranges-${size}` }));
    const response = await server.get(path);
    expect(await readBody(response)).toEqual(file);
    etag = response.headers.get('etag') ?? '';
  });

  test('a client that already has the file gets a 304', async () => {
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await server.get(path, { 'if-none-match': known });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe(IMMUTABLE);
    }
    const changed = await server.get(path, { 'if-none-match': '"other"' });
    expect([changed.status, (await readBody(changed)).length]).toEqual([200, size]);
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=500-', 500, size],
    ['bytes=-7', size - 7, size],
    ['bytes=0-99999999', 0, size],
  ])('the range %s returns the requested part of the file', async (range, start, end) => {
    const response = await server.get(path, { range });
    expect(response.status).toBe(206);
    expect(await readBody(response)).toEqual(file.subarray(start, end));
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(response.headers.get('etag')).toBe(etag);
  });

  test('a range past the end is refused, and the response contains the size', async () => {
    const response = await server.get(path, { range: `bytes=${size}-` });
    expect([response.status, await response.json()]).toEqual([416, { message: 'Range not satisfiable.' }]);
    expect(response.headers.get('content-range')).toBe(`bytes */${size}`);
  });

  test('requests for several ranges, or for a range of another version, return the whole file', async () => {
    for (const headers of [{ range: 'bytes=0-1,3-4' }, { range: 'bytes=0-1', 'if-range': '"other"' }]) {
      const response = await server.get(path, headers);
      expect([response.status, (await readBody(response)).length]).toEqual([200, size]);
    }
    const response = await server.get(path, { range: 'bytes=0-1', 'if-range': etag });
    expect([response.status, await readBody(response)]).toEqual([206, file.subarray(0, 2)]);
  });

  test('no header is sent twice', async () => {
    for (const extra of ['', 'Range: bytes=3-5\r\n', `If-None-Match: ${etag}\r\n`, 'Range: bytes=9999999-\r\n']) {
      const socket = openSocket(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${extra}\r\n`);
      const [head = ''] = (await buffer(socket)).toString('latin1').split('\r\n\r\n');
      const names = head.split('\r\n').map((line) => line.split(':', 1)[0]?.toLowerCase());
      expect(names).toContain('access-control-expose-headers');
      expect(names).toEqual([...new Set(names)]);
    }
  });

  test('HEAD returns the same headers without the file, and ignores ranges', async () => {
    const response = await fetch(`${server.origin}${path}`, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-length')).toBe(String(size));
    expect(response.headers.get('etag')).toBe(etag);
  });

  test('several requests on one connection get their own responses', async () => {
    const head = (extra: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${extra}\r\n`;
    const requests = [head(''), head('Range: bytes=3-5\r\n'), head(`If-None-Match: ${etag}\r\n`), head('')];
    const responses = await exchange(server.port, requests.join(''), requests.length);
    expect(responses.map(({ status }) => status)).toEqual([200, 206, 304, 200]);
    expect(Buffer.from(responses[1]?.body ?? '', 'latin1')).toEqual(file.subarray(3, 6));
    expect(Buffer.from(responses[3]?.body ?? '', 'latin1')).toEqual(file);
  });
});

test('an empty file is served', async () => {
  const asset = await server.add(Buffer.alloc(0), { ...FILE, assetId: 'empty' });
  const response = await server.get(pathOf(asset));
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', '']);
  expect((await server.get(pathOf(asset), { range: 'bytes=0-' })).status).toBe(416);
});

describe('requests that are not file downloads', () => {
  test.each(['POST', 'PUT', 'DELETE'])('%s is not allowed', async (method) => {
    const response = await fetch(`${server.origin}/assets/s_1/a_1/photo.png`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('a preflight response allows pages from any origin to request ranges', async () => {
    const response = await fetch(`${server.origin}/assets/s_1/a_1/photo.png`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('Range');
  });

  test('/assets itself is not found', async () => {
    for (const path of ['/assets', '/assets/', '/assets/s_1', '/assets/s_1/a_1']) {
      const response = await server.get(path);
      expect([response.status, await response.json()]).toEqual([404, { message: 'Not found.' }]);
    }
  });
});

describe('hostile requests', () => {
  test.each([
    '/assets/../../etc/passwd',
    '/assets/s_1/..%2f..%2f..%2fetc/passwd',
    '/assets/s_1/a_1/..%2F..%2Fsecret',
    '/assets/s_1/a_1/../../../../etc/passwd',
    '/assets/s_1/a_1/%2e%2e/%2e%2e',
    '/assets/s_1%2Fa_1/photo.png',
    '/assets/s_1/a_1%00/photo.png',
    '/assets/__proto__/constructor/photo.png',
    '/assets/s_1/a_1/..\\..\\secret',
    `/assets/s_1/a_1/${'a'.repeat(4000)}`,
  ])('%s is not found', async (path) => {
    const [response] = await exchange(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
    expect(response).toMatchObject({ status: 404, body: '{"message":"Not found."}' });
  });

  test('a path that is not UTF-8 is a bad request', async () => {
    const [response] = await exchange(server.port, 'GET /assets/s_1/a_1/%ff HTTP/1.1\r\nHost: a\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 400, body: '{"message":"Bad request."}' });
  });

  test('a file name cannot inject headers', async () => {
    const fileName = 'a"\r\nset-cookie: x=1\r\n\r\n\ud800é.txt';
    const asset = await server.add(TEXT, { ...FILE, assetId: 'injection', fileName });
    const response = await server.get(`/assets/s_1/injection/${asset.version}/x`);
    expect(response.status).toBe(200);
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''a%22%0D%0Aset-cookie%3A%20x%3D1%0D%0A%0D%0A%EF%BF%BD%C3%A9.txt",
    );
  });
});

interface WatchedStore extends AsyncDisposable {
  readonly server: AssetServer;
  readonly streams: Readable[];
}

/** A server whose store lets a test see the streams that are read. */
async function startWatched(): Promise<WatchedStore> {
  const plain = await startAssetServer();
  const streams: Readable[] = [];
  const store: FileStore = {
    ...plain.store,
    async read(sha256, range) {
      const reading = await plain.store.read(sha256, range);
      if (reading !== undefined) streams.push(reading.stream);
      return reading;
    },
  };
  const watched = await startAssetServer({ store });
  return {
    server: watched,
    streams,
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]();
      await plain[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the client's connection accepts no more bytes. */
async function waitForPause({ streams }: WatchedStore): Promise<Readable> {
  return vi.waitUntil(() => streams.find((stream) => stream.isPaused()), { timeout: 60_000 });
}

describe('a client that does not read its response', () => {
  const large = Buffer.alloc(32 * 1024 ** 2, 'x');

  test('does not make the service read ahead, and the file is closed when the client disconnects', async () => {
    await using watched = await startWatched();
    const asset = await watched.server.add(large, FILE);
    const socket = openSocket(watched.server.port, `GET ${pathOf(asset)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.pause();
    const stream = await waitForPause(watched);
    expect(Reflect.get(stream, 'bytesRead')).toBeLessThan(large.length / 2);
    const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>();
    stream.once('close', noteClosed);
    socket.destroy();
    await closed;
  });

  test('loses no bytes if it starts reading again', async () => {
    await using watched = await startWatched();
    const asset = await watched.server.add(large, FILE);
    const response = await watched.server.get(pathOf(asset));
    await waitForPause(watched);
    expect((await readBody(response)).equals(large)).toBe(true);
  });
});

describe('faults', () => {
  test('a missing file is reported as not found, and logged', async () => {
    const asset = server.assets.put({
      ...(await server.add(TEXT, { ...FILE, assetId: 'lost' })),
      sha256: 'f'.repeat(64),
    });
    const logged = once(server.log, 'data');
    const response = await server.get(pathOf(asset));
    expect(response.status).toBe(404);
    expect(String(await logged)).toContain('an asset’s file is missing');
  });

  test('a file whose size differs from its record is not sent', async () => {
    const asset = await server.add(Buffer.from('a file of its own'), { ...FILE, assetId: 'odd-size' });
    server.assets.put({ ...asset, bytes: 3 });
    const response = await server.get(pathOf(asset));
    expect([response.status, await response.json()]).toEqual([500, { message: 'Server error.' }]);
  });

  test('a store that cannot be reached results in a 503, and counts as failing until it works again', async () => {
    let isDown = true;
    const store: FileStore = {
      ...server.store,
      read: async (...given) => {
        if (isDown) throw new FileStoreError('unreachable', 'The store does not respond', undefined);
        return server.store.read(...given);
      },
      close: async () => {},
    };
    await using other = await startAssetServer({ store });
    const asset = await other.add(TEXT, FILE);
    expect(other.delivery.isStoreFailing()).toBe(false);
    const response = await other.get(pathOf(asset));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(other.delivery.isStoreFailing()).toBe(true);
    isDown = false;
    expect((await other.get(pathOf(asset))).status).toBe(200);
    expect(other.delivery.isStoreFailing()).toBe(false);
  });

  test('an asset directory can be asynchronous, and its failure causes a server error', async () => {
    const slow = { find: async (siteId: string, assetId: string) => server.assets.find(siteId, assetId) };
    const broken = { find: () => Promise.reject(new Error('Out of order')) };
    const asset = await server.add(TEXT, { ...FILE, assetId: 'slow' });
    await using asynchronous = await startAssetServer({
      directory: slow,
      store: { ...server.store, close: async () => {} },
    });
    expect(await (await asynchronous.get(pathOf(asset))).text()).toBe(String(TEXT));
    await using failing = await startAssetServer({ directory: broken });
    expect((await failing.get(pathOf(asset))).status).toBe(500);
  });
});

test('while the service is draining, connections are closed after their responses', async () => {
  await using draining = await startAssetServer();
  const asset = await draining.add(TEXT, FILE);
  draining.drain.isDraining = true;
  const [response] = await exchange(draining.port, `GET ${pathOf(asset)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(response).toMatchObject({ status: 200, body: String(TEXT), headers: { connection: 'close' } });
});
