import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { BUCKET_CREDENTIALS, connectClient, startBucketServer } from './bucket-server.fixture.ts';
import { openBucketStore } from './bucket-store.ts';
import { chunk, collect, digest, FUTURE, MEGABYTE, putBytes } from './file-store.fixture.ts';

describe('a bucket', () => {
  test('receives large files in several requests, and aborts uploads that fail', async () => {
    await using server = await startBucketServer('pictures', '');
    const store = openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS });
    const bytes = randomBytes(17_000_000);
    const sha256 = await putBytes(store, bytes);
    expect(server.requests.get('PUT upload')).toBe(4);
    expect(digest(await server.readObject(`files/${sha256}`))).toBe(sha256);
    await store.put(chunk(bytes), bytes.length - 1);
    expect(server.requests.get('DELETE upload')).toBeGreaterThan(0);
    expect(await collect(store.listLeftOvers())).toEqual([]);
    await store.close();
  });

  test('is reported if it does not exist', async () => {
    await using server = await startBucketServer('pictures', '');
    const store = openBucketStore({ ...server.location, bucket: 'missing' }, { credentials: BUCKET_CREDENTIALS });
    await expect(store.check()).rejects.toThrow(
      'The file store s3://missing cannot be used. The bucket does not exist',
    );
    await expect(putBytes(store, Buffer.from('one'))).rejects.toMatchObject({ code: 'missing' });
    await store.close();
  });

  test('is reported if it refuses the credentials', async () => {
    await using server = await startBucketServer('pictures', '');
    const credentials = { accessKeyId: 'unknown', secretAccessKey: 'unknown' };
    const store = openBucketStore(server.location, { credentials });
    await expect(store.check()).rejects.toThrow('The access key is not valid');
    await expect(store.has(digest(Buffer.of()))).rejects.toMatchObject({ code: 'forbidden' });
    await store.close();
  });

  test('delays transactions only briefly if it is not responding', async () => {
    await using resources = new AsyncDisposableStack();
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    resources.defer(() => {
      silent.close();
      silent.closeAllConnections();
    });
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const place = { bucket: 'pictures', prefix: '', region: null, isPathStyle: true } as const;
    const location = { kind: 'bucket', ...place, endpoint: `http://127.0.0.1:${port}` } as const;
    const store = openBucketStore(location, { credentials: BUCKET_CREDENTIALS, quickMs: 50 });
    resources.defer(() => store.close());
    const sha256 = digest(Buffer.of());
    await expect(store.has(sha256)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(store.remove(sha256, FUTURE)).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('is reported if it cannot be reached', async () => {
    const server = await startBucketServer('pictures', 'galley');
    await server[Symbol.asyncDispose]();
    const store = openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS });
    const reason = 'The file store s3://pictures/galley cannot be used. The service cannot be reached';
    await expect(store.check()).rejects.toThrow(reason);
    await expect(putBytes(store, Buffer.from('one'))).rejects.toThrow(reason);
    await expect(putBytes(store, randomBytes(9 * MEGABYTE))).rejects.toThrow(reason);
    await expect(store.has(digest(Buffer.of()))).rejects.toThrow(reason);
    await expect(store.read(digest(Buffer.of()))).rejects.toThrow(reason);
    await expect(collect(store.list())).rejects.toThrow(reason);
    await store.close();
  });

  test('keeps derived files by name, separate from other files', async () => {
    await using server = await startBucketServer('pictures', 'galley');
    const store = openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS, pageSize: 2 });
    const { derived } = store;
    if (derived === null) throw new Error('The store has no derived files');
    const path = join(tmpdir(), `galley-derived-${process.pid}`);
    const bytes = randomBytes(100_000);
    await writeFile(path, bytes);
    try {
      for (const name of ['aa1.webp', 'aa2.webp', 'aa3.webp', 'b1.webp']) await derived.put(name, path);
    } finally {
      await rm(path);
    }
    const reading = await derived.read('aa1.webp');
    expect(reading?.bytes).toBe(bytes.length);
    expect(reading && (await buffer(reading.stream)).equals(bytes)).toBe(true);
    expect(await derived.read('c1.webp')).toBeUndefined();
    expect(await collect(store.list())).toEqual([]);
    expect(await derived.remove('aa')).toBe(3);
    expect(await derived.read('aa1.webp')).toBeUndefined();
    expect(await server.readObject('galley/derived/b1.webp')).toEqual(bytes);
    for (const name of ['', '../files/a', 'a/b', '.a'])
      await expect(derived.put(name, path)).rejects.toThrow(TypeError);
    await store.close();
  });

  test('does not touch objects from other programs', async () => {
    await using server = await startBucketServer('pictures', 'galley');
    const { location } = server;
    const client = connectClient(location);
    for (const Key of ['galley/files/readme.txt', 'elsewhere/incoming/one', 'galleys/incoming/one']) {
      await client.send(new PutObjectCommand({ Bucket: location.bucket, Key, Body: Buffer.from('theirs') }));
    }
    client.destroy();
    const store = openBucketStore(location, { credentials: BUCKET_CREDENTIALS });
    expect(await collect(store.list())).toEqual([]);
    expect(await store.removeLeftOvers(FUTURE)).toBe(0);
    expect(await server.readObject('galleys/incoming/one')).toEqual(Buffer.from('theirs'));
    await store.close();
  });
});
