// The contract that every kind of file store must fulfil.

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET_CREDENTIALS, type BucketServer, startBucketServer } from './bucket-server.fixture.ts';
import { openBucketStore } from './bucket-store.ts';
import { type FileStore, FileStoreError, MOST_FILE_BYTES } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openFileStore } from './open-file-store.ts';

const MEGABYTE = 1024 ** 2;
const PAST = new Date('2020-01-01T00:00:00Z');
const FUTURE = new Date('2100-01-01T00:00:00Z');

interface Setup {
  readonly store: FileStore;
  /** A second store at the same location, as another process would have it. */
  readonly other: FileStore;
  /** A store whose removals must not undo puts to `store`, even without a transaction. */
  readonly remover: FileStore;
  /** Makes a file look as if it had last been put long ago. */
  makeOld(sha256: string): Promise<void>;
  /** Leaves the same files behind as a process that ended in the middle of an upload. */
  leaveBehind(): Promise<void>;
  close(): Promise<void>;
}

async function setUpFolder(): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-files-'));
  const location = { kind: 'folder', path: join(folder, 'assets') } as const;
  const other = await openFolderStore(location);
  return {
    store: await openFolderStore(location),
    other,
    remover: other,
    makeOld: (sha256) => utimes(join(location.path, 'files', sha256.slice(0, 2), sha256), PAST, PAST),
    leaveBehind: () => writeFile(join(location.path, 'incoming', 'unfinished'), 'half a'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function setUpBucket(): Promise<Setup> {
  const server = await startBucketServer('pictures', 'galley/assets');
  const options = { credentials: BUCKET_CREDENTIALS, pageSize: 3 };
  const store = openBucketStore(server.location, options);
  return {
    store,
    other: openBucketStore(server.location, options),
    remover: store,
    makeOld: (sha256) => server.makeOld(`galley/assets/files/${sha256}`),
    leaveBehind: () => startUpload(server),
    close: async () => server[Symbol.asyncDispose](),
  };
}

async function startUpload({ location }: BucketServer): Promise<void> {
  const client = new S3Client({
    endpoint: location.endpoint ?? '',
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: BUCKET_CREDENTIALS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const key = { Bucket: location.bucket, Key: `${location.prefix}/incoming/unfinished` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(key));
  await client.send(new UploadPartCommand({ ...key, UploadId, PartNumber: 1, Body: Buffer.from('half a') }));
  client.destroy();
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function chunk(bytes: Buffer, size = 64 * 1024): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    })(),
    { objectMode: false },
  );
}

async function putBytes(store: FileStore, bytes: Buffer): Promise<string> {
  const put = await store.put(chunk(bytes), bytes.length);
  if (!put.ok) throw new Error(put.problem.code);
  return put.value.sha256;
}

async function readBytes(store: FileStore, sha256: string, start = 0, end?: number): Promise<Buffer | undefined> {
  const reading = await store.read(sha256, { start, ...(end === undefined ? {} : { end }) });
  return reading === undefined ? undefined : buffer(reading.stream);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function listDigests(store: FileStore): Promise<readonly string[]> {
  return (await collect(store.list())).map(({ sha256 }) => sha256).toSorted();
}

describe.each([
  ['a folder', setUpFolder],
  ['a bucket', setUpBucket],
])('files in %s', (_, setUp) => {
  let setup: Setup;
  let store: FileStore;

  beforeAll(async () => {
    setup = await setUp();
    store = setup.store;
  });

  afterAll(async () => {
    await store.close();
    await setup.other.close();
    await setup.close();
  });

  test.each([
    ['no bytes', 0],
    ['one byte', 1],
    ['exactly one part', 8 * MEGABYTE],
    ['20 MB', 20_000_000],
  ])('are read back unchanged: %s', async (_name, size) => {
    const bytes = randomBytes(size);
    expect(await store.put(chunk(bytes), size)).toEqual({ ok: true, value: { sha256: digest(bytes), bytes: size } });
    expect(await store.has(digest(bytes))).toBe(true);
    const reading = await store.read(digest(bytes));
    expect(reading?.bytes).toBe(size);
    expect(digest(await buffer(reading?.stream ?? Readable.from([])))).toBe(digest(bytes));
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are read back unchanged when put in chunks of any size', async () => {
    // Exactly two parts.
    const bytes = randomBytes(16 * MEGABYTE);
    const put = await store.put(
      (async function* () {
        yield bytes.subarray(0, 15_000_000);
        yield bytes.subarray(15_000_000, 15_000_000);
        yield bytes.subarray(15_000_000);
      })(),
      MOST_FILE_BYTES,
    );
    expect(put).toMatchObject({ ok: true, value: { sha256: digest(bytes) } });
    expect(digest((await readBytes(store, digest(bytes))) ?? Buffer.of())).toBe(digest(bytes));
  });

  test('can be read in ranges', async () => {
    const bytes = randomBytes(1000);
    const sha256 = await putBytes(store, bytes);
    expect(await readBytes(store, sha256, 1, 1)).toEqual(bytes.subarray(1, 2));
    expect(await readBytes(store, sha256, 10, 19)).toEqual(bytes.subarray(10, 20));
    expect(await readBytes(store, sha256, 990)).toEqual(bytes.subarray(990));
    expect(await readBytes(store, sha256, 990, 5000)).toEqual(bytes.subarray(990));
    expect(await readBytes(store, sha256, 999, 999)).toEqual(bytes.subarray(999));
    const part = await store.read(sha256, { start: 10, end: 19 });
    part?.stream.destroy();
    expect(part?.bytes).toBe(1000);
  });

  test('return no bytes for a range past their end', async () => {
    const sha256 = await putBytes(store, randomBytes(1000));
    const reading = await store.read(sha256, { start: 1000 });
    expect(reading?.bytes).toBe(1000);
    expect(await buffer(reading?.stream ?? Readable.from(['unread']))).toHaveLength(0);
    const empty = await putBytes(store, Buffer.of());
    expect(await readBytes(store, empty)).toHaveLength(0);
  });

  test('are not found under an unknown digest', async () => {
    const sha256 = digest(randomBytes(10));
    expect(await store.has(sha256)).toBe(false);
    expect(await store.read(sha256)).toBeUndefined();
    expect(await store.read(sha256, { start: 5 })).toBeUndefined();
    expect(await store.remove(sha256, FUTURE)).toBe(false);
  });

  test.each(['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/..`])(
    'cannot have a name such as "%s"',
    async (name) => {
      await expect(store.has(name)).rejects.toThrow(TypeError);
      await expect(store.read(name)).rejects.toThrow(TypeError);
      await expect(store.remove(name, FUTURE)).rejects.toThrow(TypeError);
    },
  );

  test.each([
    { start: -1 },
    { start: 0.5 },
    { start: Number.NaN },
    { start: 5, end: 4 },
    { start: 0, end: Number.POSITIVE_INFINITY },
  ])('cannot be read with a range such as %o', async (range) => {
    const sha256 = await putBytes(store, randomBytes(10));
    await expect(store.read(sha256, range)).rejects.toThrow(RangeError);
  });

  test.each([
    ['one part', 1000],
    ['several parts', 18_000_000],
  ])('are not kept if they exceed the limit: %s', async (_name, size) => {
    const bytes = randomBytes(size);
    const before = await listDigests(store);
    const problem = { code: 'too_large', limit: size - 1 };
    expect(await store.put(chunk(bytes), size - 1)).toEqual({ ok: false, problem });
    expect(await store.put(chunk(bytes), 0)).toEqual({ ok: false, problem: { code: 'too_large', limit: 0 } });
    expect(await listDigests(store)).toEqual(before);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are read only up to the limit', async () => {
    let given = 0;
    const endless = (async function* () {
      while (true) {
        given += MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
    })();
    expect(await store.put(endless, 3 * MEGABYTE)).toMatchObject({ ok: false });
    expect(given).toBe(4 * MEGABYTE);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, MOST_FILE_BYTES + 1])(
    'cannot have a limit of %d bytes',
    async (limit) => {
      await expect(store.put(chunk(randomBytes(10)), limit)).rejects.toThrow(RangeError);
    },
  );

  test.each([
    ['in the first part', 1000],
    ['after several parts', 18_000_000],
  ])('are not kept if their source fails %s', async (_name, size) => {
    const before = await listDigests(store);
    const failure = new Error('The connection was lost.');
    const source = (async function* () {
      yield randomBytes(size);
      throw failure;
    })();
    await expect(store.put(source, MOST_FILE_BYTES)).rejects.toBe(failure);
    expect(await listDigests(store)).toEqual(before);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are not kept if their source is destroyed halfway', async () => {
    const before = await listDigests(store);
    const source = new Readable({ read() {} });
    source.push(randomBytes(9 * MEGABYTE));
    const put = store.put(source, MOST_FILE_BYTES);
    setImmediate(() => source.destroy());
    await expect(put).rejects.toThrow();
    expect(await listDigests(store)).toEqual(before);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test.each([
    ['one part', 5000],
    ['several parts', 9 * MEGABYTE],
  ])('can be put several times at once: %s', async (_name, size) => {
    const bytes = randomBytes(size);
    const puts = [store, setup.other, store, setup.other].map((each) => putBytes(each, bytes));
    expect(new Set(await Promise.all(puts))).toEqual(new Set([digest(bytes)]));
    expect(digest((await readBytes(store, digest(bytes))) ?? Buffer.of())).toBe(digest(bytes));
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are removed only if their last put is older than the given time', async () => {
    const bytes = randomBytes(100);
    const sha256 = await putBytes(store, bytes);
    const afterFirst = new Date();
    expect(await store.remove(sha256, PAST)).toBe(false);
    expect(await store.has(sha256)).toBe(true);
    await expect.poll(() => Date.now() - afterFirst.getTime()).toBeGreaterThan(1100);
    await putBytes(setup.other, bytes);
    expect(await store.remove(sha256, new Date(afterFirst.getTime() + 1))).toBe(false);
    expect(await store.has(sha256)).toBe(true);
    expect(await store.remove(sha256, FUTURE)).toBe(true);
    expect(await store.has(sha256)).toBe(false);
    expect(await store.remove(sha256, FUTURE)).toBe(false);
  });

  test('are not lost if they are put while they are being removed', async () => {
    const bytes = randomBytes(100);
    const sha256 = await putBytes(store, bytes);
    const hourAgo = new Date(Date.now() - 3_600_000);
    let removals = 0;
    for (let round = 0; round < 40; round += 1) {
      await setup.makeOld(sha256);
      const removal = setup.remover.remove(sha256, hourAgo);
      const [isRemoved] = await Promise.all([removal, putBytes(store, bytes)]);
      removals += isRemoved ? 1 : 0;
      expect(await readBytes(store, sha256)).toEqual(bytes);
    }
    expect(removals).toBeGreaterThan(0);
  });

  test.each(['in the folder for incoming files', 'elsewhere'])('can come from a local file %s', async (place) => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-local-'));
    const path = join(place === 'elsewhere' ? folder : (store.incoming ?? folder), 'local');
    const bytes = randomBytes(9 * MEGABYTE);
    const file = { sha256: digest(bytes), bytes: bytes.length };
    await writeFile(path, bytes);
    for (let time = 0; time < 2; time += 1) {
      await store.putFile(path, file);
      await store.putFile(path, file);
      expect((await readBytes(setup.other, file.sha256))?.equals(bytes)).toBe(true);
      expect(await store.remove(file.sha256, FUTURE)).toBe(true);
      expect(await store.has(file.sha256)).toBe(false);
    }
    await store.putFile(path, file);
    if (place === 'elsewhere') await writeFile(path, 'other bytes');
    await rm(path);
    expect((await readBytes(store, file.sha256))?.equals(bytes)).toBe(true);
    expect(await collect(store.listLeftOvers())).toEqual([]);
    await expect(store.putFile(join(folder, 'missing'), file)).rejects.toThrow();
    expect(await collect(store.listLeftOvers())).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('are stored under the digest that the caller has computed, unless the size of the local file has changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-local-'));
    const path = join(folder, 'local');
    const bytes = randomBytes(9 * MEGABYTE);
    await writeFile(path, bytes);
    // This is not the digest of the bytes, so a store that hashed them would notice.
    const sha256 = digest(Buffer.from('other bytes'));
    await store.putFile(path, { sha256, bytes: bytes.length });
    expect((await readBytes(store, sha256))?.equals(bytes)).toBe(true);
    expect(await store.remove(sha256, FUTURE)).toBe(true);
    for (const size of [bytes.length - 1, bytes.length + 1]) {
      await expect(store.putFile(path, { sha256, bytes: size })).rejects.toThrow('The size of the file has changed');
      expect(await store.has(sha256)).toBe(false);
    }
    expect(await collect(store.listLeftOvers())).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('are not lost if the same local file is put again while they are being removed', async () => {
    const folder = store.incoming ?? (await mkdtemp(join(tmpdir(), 'galley-local-')));
    const path = join(folder, 'local');
    const bytes = randomBytes(100);
    const file = { sha256: digest(bytes), bytes: bytes.length };
    await writeFile(path, bytes);
    await store.putFile(path, file);
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (let round = 0; round < 40; round += 1) {
      await setup.makeOld(file.sha256);
      await Promise.all([setup.remover.remove(file.sha256, hourAgo), store.putFile(path, file)]);
      expect(await readBytes(store, file.sha256)).toEqual(bytes);
    }
    await rm(path);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are listed with their sizes and times, over several pages', async () => {
    const contents = Array.from({ length: 7 }, (_each, index) => randomBytes(50 + index));
    const start = Date.now();
    for (const bytes of contents) await putBytes(store, bytes);
    const entries = new Map((await collect(store.list())).map((entry) => [entry.sha256, entry]));
    for (const bytes of contents) {
      const entry = entries.get(digest(bytes));
      expect(entry?.bytes).toBe(bytes.length);
      expect(entry?.lastPut.getTime()).toBeGreaterThan(start - 2000);
      expect(entry?.lastPut.getTime()).toBeLessThan(Date.now() + 2000);
    }
  });

  test('are listed as left-overs if unfinished, and removed when they are old', async () => {
    await setup.leaveBehind();
    expect(await collect(store.listLeftOvers())).toMatchObject([{ name: 'incoming/unfinished' }]);
    expect(await store.removeLeftOvers(PAST)).toBe(0);
    expect(await collect(store.listLeftOvers())).toHaveLength(1);
    expect(await store.removeLeftOvers(FUTURE)).toBe(1);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are listed in digest order', async () => {
    for (let count = 0; count < 8; count++) await putBytes(store, randomBytes(20));
    const digests = (await collect(store.list())).map(({ sha256 }) => sha256);
    expect(digests).toEqual(digests.toSorted());
  });

  test('belong to the installation that claimed the store last, and its mark is not listed', async () => {
    const before = await collect(store.list());
    expect(await store.readOwner()).toBeUndefined();
    for (const owner of ['one', 'another']) {
      await store.writeOwner(owner);
      const found = await setup.other.readOwner();
      expect(found?.name).toBe(owner);
      expect(Math.abs(Date.now() - (found?.claimedAt.getTime() ?? 0))).toBeLessThan(60_000);
    }
    expect(await collect(store.list())).toEqual(before);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are in a store whose check succeeds and leaves nothing behind', async () => {
    await expect(store.check()).resolves.toBeUndefined();
    await expect(store.checkWriting()).resolves.toBeUndefined();
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });
});

/** Calls `hook` when a store first compares a time with this one. */
class WatchedDate extends Date {
  hook: (() => void) | undefined;

  override valueOf(): number {
    const { hook } = this;
    this.hook = undefined;
    hook?.();
    return super.valueOf();
  }
}

describe('a folder', () => {
  test('undoes a removal if another process has put the file since its time was read', async () => {
    const setup = await setUpFolder();
    const bytes = randomBytes(10);
    const sha256 = await putBytes(setup.store, bytes);
    await setup.makeOld(sha256);
    const path = join(setup.store.address.slice('file:'.length), 'files', sha256.slice(0, 2), sha256);
    const hourAgo = new WatchedDate(Date.now() - 3_600_000);
    hourAgo.hook = () => {
      writeFileSync(`${path}.new`, bytes);
      renameSync(`${path}.new`, path);
    };
    expect(await setup.store.remove(sha256, hourAgo)).toBe(false);
    expect(hourAgo.hook).toBeUndefined();
    expect(await readBytes(setup.store, sha256)).toEqual(bytes);
    expect(await collect(setup.store.listLeftOvers())).toEqual([]);
    await setup.close();
  });

  test('is not changed by an inspection', async () => {
    const setup = await setUpFolder();
    const root = setup.store.address.slice('file:'.length);
    const sha256 = await putBytes(setup.store, randomBytes(10));
    await writeFile(join(root, 'leaving', `${sha256}.x`), 'old');
    const inspected = await openFolderStore({ kind: 'folder', path: root }, { isOnlyInspected: true });
    await inspected.check();
    expect(await collect(inspected.list())).toMatchObject([{ sha256 }]);
    expect(await readdir(join(root, 'leaving'))).toEqual([`${sha256}.x`]);
    const empty = join(root, 'empty');
    await mkdir(empty);
    const unused = await openFolderStore({ kind: 'folder', path: empty }, { isOnlyInspected: true });
    await unused.checkWriting();
    expect(await collect(unused.list())).toEqual([]);
    expect(await readdir(empty)).toEqual([]);
    const absent = await openFolderStore({ kind: 'folder', path: join(root, 'none') }, { isOnlyInspected: true });
    await expect(absent.check()).rejects.toMatchObject({ code: 'missing' });
    await setup.close();
  });

  test('restores a file whose removal was interrupted', async () => {
    const setup = await setUpFolder();
    const bytes = randomBytes(10);
    const sha256 = await putBytes(setup.store, bytes);
    const path = setup.store.address.slice('file:'.length);
    const aside = join(path, 'leaving', `${sha256}.interrupted`);
    await writeFile(aside, bytes);
    await rm(join(path, 'files', sha256.slice(0, 2), sha256));
    await utimes(aside, PAST, PAST);
    await setup.store.removeLeftOvers(PAST);
    expect(await readBytes(setup.store, sha256)).toEqual(bytes);
    // The restored file may replace one that was just put.
    expect(await setup.store.remove(sha256, new Date(Date.now() - 60_000))).toBe(false);
    await setup.close();
  });

  test('keeps each file in one place that no other file shares', async () => {
    const setup = await setUpFolder();
    const sha256 = await putBytes(setup.store, Buffer.from('one'));
    const path = setup.store.address.slice('file:'.length);
    expect(await readFile(join(path, 'files', sha256.slice(0, 2), sha256), 'utf8')).toBe('one');
    expect(await readdir(join(path, 'incoming'))).toEqual([]);
    await setup.close();
  });

  test('is reported if it is a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-files-'));
    const path = join(folder, 'assets');
    await writeFile(path, '');
    const opening = openFileStore({ kind: 'folder', path });
    await expect(opening).rejects.toThrow(`The file store file:${path} does not work. The path is not a folder`);
    await expect(opening).rejects.toBeInstanceOf(FileStoreError);
    await rm(folder, { recursive: true });
  });

  test('is reported if it disappears', async () => {
    const setup = await setUpFolder();
    await setup.close();
    await expect(setup.store.check()).rejects.toMatchObject({ code: 'missing' });
    await expect(putBytes(setup.store, Buffer.from('one'))).rejects.toMatchObject({ code: 'missing' });
  });
});

describe('a bucket', () => {
  test('receives large files in several requests, and aborts uploads that fail', async () => {
    await using server = await startBucketServer('pictures', '');
    const store = openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS });
    const bytes = randomBytes(20_000_000);
    const sha256 = await putBytes(store, bytes);
    expect(server.requests.get('PUT upload')).toBe(3);
    expect(digest(await server.readObject(`files/${sha256}`))).toBe(sha256);
    await store.put(chunk(bytes), bytes.length - 1);
    expect(server.requests.get('DELETE upload')).toBe(1);
    await store.close();
  });

  test('is reported if it does not exist', async () => {
    await using server = await startBucketServer('pictures', '');
    const store = openBucketStore({ ...server.location, bucket: 'missing' }, { credentials: BUCKET_CREDENTIALS });
    await expect(store.check()).rejects.toThrow('The file store s3://missing does not work. The bucket does not exist');
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

  test('delays transactions only briefly if it does not respond', async () => {
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
    const reason = 'The file store s3://pictures/galley does not work. The service cannot be reached';
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
    const bytes = randomBytes(3 * MEGABYTE);
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
    const client = new S3Client({
      endpoint: location.endpoint ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: BUCKET_CREDENTIALS,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
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
