// The contract that every kind of file store must fulfil.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chunk,
  collect,
  digest,
  FUTURE,
  MEGABYTE,
  PAST,
  putBytes,
  readBytes,
  type StoreSetup,
  setUpBucket,
  setUpFolder,
} from './file-store.fixture.ts';
import { type FileStore, MOST_FILE_BYTES } from './file-store.ts';

async function listDigests(store: FileStore): Promise<readonly string[]> {
  return (await collect(store.list())).map(({ sha256 }) => sha256).toSorted();
}

describe.each([
  ['a folder', setUpFolder, ['in the folder for incoming files', 'elsewhere']],
  ['a bucket', setUpBucket, ['elsewhere']],
] as const)('files in %s', (_, setUp, places) => {
  let setup: StoreSetup;
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
    ['more than one part', 9_000_000],
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
    ['several parts', 9_000_000],
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
    ['after the first part', 9_000_000],
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
    const puts = [store, setup.other, store].map((each) => putBytes(each, bytes));
    expect(new Set(await Promise.all(puts))).toEqual(new Set([digest(bytes)]));
    expect(digest((await readBytes(store, digest(bytes))) ?? Buffer.of())).toBe(digest(bytes));
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are removed only if they were last put before the given time', async () => {
    const bytes = randomBytes(100);
    const sha256 = await putBytes(store, bytes);
    expect(await store.remove(sha256, PAST)).toBe(false);
    await setup.makeOld(sha256);
    await putBytes(setup.other, bytes);
    expect(await store.remove(sha256, new Date(Date.now() - 3_600_000))).toBe(false);
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
    for (let round = 0; round < 12; round += 1) {
      await setup.makeOld(sha256);
      const removal = setup.remover.remove(sha256, hourAgo);
      const [isRemoved] = await Promise.all([removal, putBytes(store, bytes)]);
      removals += isRemoved ? 1 : 0;
      expect(await readBytes(store, sha256)).toEqual(bytes);
    }
    expect(removals).toBeGreaterThan(0);
  });

  test.each(places)('can come from a local file %s', async (place) => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-local-'));
    const path = join(place === 'elsewhere' ? folder : (store.incoming ?? folder), 'local');
    const bytes = randomBytes(9 * MEGABYTE);
    const file = { sha256: digest(bytes), bytes: bytes.length };
    await writeFile(path, bytes);
    await store.putFile(path, file);
    expect((await readBytes(setup.other, file.sha256))?.equals(bytes)).toBe(true);
    expect(await store.remove(file.sha256, FUTURE)).toBe(true);
    expect(await store.has(file.sha256)).toBe(false);
    await store.putFile(path, file);
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
    const bytes = randomBytes(1000);
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
    for (let round = 0; round < 12; round += 1) {
      await setup.makeOld(file.sha256);
      await Promise.all([setup.remover.remove(file.sha256, hourAgo), store.putFile(path, file)]);
      expect(await readBytes(store, file.sha256)).toEqual(bytes);
    }
    await rm(path);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('are listed in digest order, with their sizes and times, over several pages', async () => {
    const contents = Array.from({ length: 7 }, (_each, index) => randomBytes(50 + index));
    const start = Date.now();
    for (const bytes of contents) await putBytes(store, bytes);
    const listed = await collect(store.list());
    const digests = listed.map(({ sha256 }) => sha256);
    expect(digests).toEqual(digests.toSorted());
    const entries = new Map(listed.map((entry) => [entry.sha256, entry]));
    for (const bytes of contents) {
      const entry = entries.get(digest(bytes));
      expect(entry?.bytes).toBe(bytes.length);
      expect(entry?.lastPut.getTime()).toBeGreaterThan(start - 2000);
      expect(entry?.lastPut.getTime()).toBeLessThan(Date.now() + 2000);
    }
  });

  test('are listed as leftovers if they are unfinished, and removed when they are old', async () => {
    await setup.leaveBehind();
    expect(await collect(store.listLeftOvers())).toMatchObject([{ name: 'incoming/unfinished' }]);
    expect(await store.removeLeftOvers(PAST)).toBe(0);
    expect(await collect(store.listLeftOvers())).toHaveLength(1);
    expect(await store.removeLeftOvers(FUTURE)).toBe(1);
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });

  test('belong to the installation that last claimed the store, whose mark is not listed', async () => {
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

  test('can be checked without leaving anything behind', async () => {
    await expect(store.check()).resolves.toBeUndefined();
    await expect(store.checkWriting()).resolves.toBeUndefined();
    expect(await collect(store.listLeftOvers())).toEqual([]);
  });
});
