// Files that nothing needs are removed from both kinds of store, a folder and a bucket, on each engine.

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { deleteAsset, findAsset } from '../../src/authoring/assets.ts';
import { FileSweep, nameInstallation, type SweptStore, sweepFiles } from '../../src/authoring/file-sweep.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { openStorage } from '../../src/open-storage.ts';
import { selectAssetFiles } from '../../src/storage/sites/asset-files.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importText } from '../import/export-database.ts';
import { addAsset, exchange, putBytes, TEST_STORES, type TestStore } from '../support/asset-store.ts';
import { makeFolder } from '../support/galley-command.ts';
import { siteRecord, toLines } from '../support/small-site.ts';
import { createTestDatabase } from '../support/test-database.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const KEEP_DAYS = 7;
const KEEP_MS = KEEP_DAYS * DAY_MS;

function* selectRemoved(assetId: string): Procedure<readonly number[]> {
  const { no } = yield* findAsset(1, assetId);
  return (yield* selectAssetFiles(no)).map(({ is_removed }) => is_removed);
}

describe.each([
  ['sqlite', ...TEST_STORES[1]],
  ['postgres', ...TEST_STORES[0]],
] as const)('on %s, in %s', (engine, _, makeStore) => {
  const resources = new AsyncDisposableStack();
  let storage: Storage;
  let files: TestStore;

  beforeAll(async () => {
    const folder = resources.use(await makeFolder());
    const database = await createTestDatabase(engine);
    resources.defer(() => database.remove());
    storage = await openStorage(database.url, Date.now());
    resources.defer(() => storage.close());
    await importText(storage, folder.path, toLines([siteRecord()]));
    files = resources.use(await makeStore());
  });

  afterAll(() => resources.disposeAsync());

  const sweep = async (now: number): Promise<number> =>
    (await sweepFiles({ storage, store: files.store, now, keepDays: KEEP_DAYS })).files;

  test('a replaced file is removed when it can no longer be restored, and the current one is kept', async () => {
    const { store } = files;
    const first = await addAsset(storage, store, { id: 'a_replaced', bytes: Buffer.from('first') });
    const second = await exchange(storage, store, 'a_replaced', Buffer.from('second'));
    for (const sha256 of [first, second]) await files.makeOld(sha256);
    expect(await sweep(Date.now() + KEEP_MS - DAY_MS)).toBe(0);
    expect(await sweep(Date.now() + KEEP_MS + DAY_MS)).toBe(1);
    expect([await store.has(first), await store.has(second)]).toEqual([false, true]);
    expect(await storage.read(selectRemoved('a_replaced'))).toEqual([0, 1]);
    await exchange(storage, store, 'a_replaced', Buffer.from('first'));
    expect(await store.has(first)).toBe(true);
    expect(await storage.read(selectRemoved('a_replaced'))).toEqual([0, 0, 0]);
  });

  test('a file without a record is removed after a day', async () => {
    const sha256 = await putBytes(files.store, Buffer.from('nobody needs this'));
    expect(await sweep(Date.now())).toBe(0);
    await files.makeOld(sha256);
    expect(await sweep(Date.now())).toBe(1);
    expect(await files.store.has(sha256)).toBe(false);
  });

  test('a replaced file that another asset uses is kept, and the next sweep opens no transaction', async () => {
    const shared = Buffer.from('shared');
    const sha256 = await addAsset(storage, files.store, { id: 'a_sharing', bytes: shared });
    await addAsset(storage, files.store, { id: 'a_keeping', bytes: shared });
    const other = await exchange(storage, files.store, 'a_sharing', Buffer.from('other'));
    for (const each of [sha256, other]) await files.makeOld(each);
    const reading: Storage = {
      ...storage,
      transaction: () => Promise.reject(new Error('The sweep opened a transaction')),
    };
    const now = Date.now() + KEEP_MS + DAY_MS;
    await sweep(now);
    expect(await sweepFiles({ storage: reading, store: files.store, now, keepDays: KEEP_DAYS })).toMatchObject({
      files: 0,
      bytes: 0,
    });
    expect(await files.store.has(sha256)).toBe(true);
  });

  test('a replaced file that is missing from the store can no longer be restored', async () => {
    const old = await addAsset(storage, files.store, { id: 'a_lost', bytes: Buffer.from('lost') });
    await exchange(storage, files.store, 'a_lost', Buffer.from('found'));
    await files.store.remove(old, new Date(Date.now() + DAY_MS));
    await sweep(Date.now() + KEEP_MS + DAY_MS);
    expect(await storage.read(selectRemoved('a_lost'))).toEqual([0, 1]);
  });

  test('files are removed even if the images made from them cannot be removed', async () => {
    const digests = [
      await putBytes(files.store, Buffer.from('one picture')),
      await putBytes(files.store, Buffer.from('another picture')),
    ];
    for (const sha256 of digests) await files.makeOld(sha256);
    await files.store.writeOwner(nameInstallation(storage));
    const sweeper = new FileSweep({
      storage,
      log: pino({ level: 'silent' }),
      now: () => Date.now() + HOUR_MS,
      keepDays: KEEP_DAYS,
      openStore: async () => files.store,
      onRemoved: () => Promise.reject(new Error('The cache is read-only')),
      firstAfterMs: 0,
    });
    await expect.poll(() => Promise.all(digests.map((sha256) => files.store.has(sha256)))).toEqual([false, false]);
    await sweeper.close();
  });

  test('unfinished uploads are removed after a day', async () => {
    const { partial } = files.store;
    const id = 'ab'.repeat(16);
    await partial.create(id, 'note');
    await partial.append(id, 0, bytesOf('half'));
    await sweep(Date.now() + DAY_MS / 2);
    expect(await partial.find(id)).toMatchObject({ note: 'note', bytes: 4 });
    await sweep(Date.now() + 2 * DAY_MS);
    expect(await partial.find(id)).toBeUndefined();
  });

  test('a store that belongs to another database is left unchanged', async () => {
    await using own = new AsyncDisposableStack();
    const { store, makeOld } = own.use(await makeStore());
    const database = await createTestDatabase(engine);
    own.defer(() => database.remove());
    const opened = await openStorage(database.url, Date.now());
    own.defer(() => opened.close());
    // On PostgreSQL, all test databases are copies with the same key.
    const empty: Storage = { ...opened, deriveKey: () => Buffer.from('another installation') };
    let hours = 0;
    /** Runs a service's sweep again and again, each time an hour later, until `isOver` returns true. Returns the messages logged. */
    const sweepAlone = async (
      service: Storage,
      isOver: (messages: readonly string[]) => boolean | Promise<boolean>,
    ): Promise<readonly string[]> => {
      const messages: string[] = [];
      const log = pino({ base: null }, { write: (line) => messages.push(JSON.parse(line).msg) });
      const openStore = async () => store;
      hours += 1;
      const now = () => Date.now() + hours * HOUR_MS;
      const parts = { storage: service, log, now, keepDays: KEEP_DAYS, openStore, firstAfterMs: 0 };
      const sweeper = new FileSweep(parts);
      await expect.poll(() => isOver(messages)).toBe(true);
      await sweeper.close();
      return messages;
    };
    const hasLogged = (messages: readonly string[]): boolean => messages.length > 0;
    const refused = [expect.stringContaining('the stored files seem to belong to another database')];
    const sha256 = await addAsset(storage, store, { id: 'a_owned', bytes: Buffer.from('owned') });
    await makeOld(sha256);
    expect(await sweepAlone(empty, hasLogged)).toEqual(refused);
    expect(await sweepAlone(storage, async () => (await store.readOwner()) !== undefined)).toEqual([]);
    await deleteAsset(createDesk(storage), COMMAND_ACTOR, 's_small', 'a_owned');
    expect(await sweepAlone(empty, hasLogged)).toEqual(refused);
    expect(await store.has(sha256)).toBe(true);
    expect(await sweepAlone(storage, hasLogged)).toEqual(['removed unused files']);
    expect(await store.has(sha256)).toBe(false);
  });

  test('deleting an asset removes its files immediately, unless the deletion fails', async () => {
    const sweeper = new FileSweep({
      storage,
      log: pino({ level: 'silent' }),
      now: Date.now,
      keepDays: KEEP_DAYS,
      openStore: async () => files.store,
    });
    const desk = { ...createDesk(storage), releaseFiles: sweeper.release };
    const sha256 = await addAsset(storage, files.store, { id: 'a_gone', bytes: Buffer.from('gone') });
    await storage
      .transaction(async (transaction) => {
        const inside: Storage = { ...storage, transaction: (work) => work(transaction), eraseTraces: async () => {} };
        await deleteAsset({ ...desk, storage: inside }, COMMAND_ACTOR, 's_small', 'a_gone');
        throw new Error('The deletion fails');
      })
      .catch(() => {});
    sweeper.release([sha256]);
    await putBytes(files.store, Buffer.from('another'));
    expect(await files.store.has(sha256)).toBe(true);
    await deleteAsset(desk, COMMAND_ACTOR, 's_small', 'a_gone');
    await expect.poll(() => files.store.has(sha256)).toBe(false);
    await sweeper.close();
  });

  test('a file is kept if it is uploaded again before it can be removed', async () => {
    const bytes = Buffer.from('uploaded again');
    const sha256 = await putBytes(files.store, bytes);
    let isUploaded = false;
    const uploadFirst: Storage = {
      ...storage,
      async transaction(work, options) {
        if (!isUploaded) await addAsset(storage, files.store, { id: 'a_again', bytes });
        isUploaded = true;
        return storage.transaction(work, options);
      },
    };
    await sweepFiles({ storage: uploadFirst, store: files.store, now: Date.now() + 2 * DAY_MS, keepDays: KEEP_DAYS });
    expect(isUploaded).toBe(true);
    expect(await files.store.has(sha256)).toBe(true);
  });

  test('an upload whose file is removed before its record is committed stores the file again', async () => {
    let removed = 0;
    const sweepFirst: Storage = {
      ...storage,
      async transaction(work, options) {
        removed += await sweep(Date.now() + 2 * DAY_MS);
        return storage.transaction(work, options);
      },
    };
    const sha256 = await addAsset(sweepFirst, files.store, { id: 'a_late', bytes: Buffer.from('stored again') });
    expect(removed).toBe(1);
    expect(await files.store.has(sha256)).toBe(true);
  });

  test('only one of several processes sweeps, and the next sweep takes place an hour later', async () => {
    const { store } = files;
    await store.writeOwner(nameInstallation(storage));
    let sweeps = 0;
    const counted: SweptStore = {
      ...store,
      list() {
        sweeps += 1;
        return store.list();
      },
    };
    /** Lets three processes try to sweep at the same time, and returns how many of them sweep. */
    const sweepTogether = async (): Promise<number> => {
      sweeps = 0;
      let begun = 0;
      const openStore = async (): Promise<SweptStore> => {
        begun += 1;
        return counted;
      };
      const log = pino({ level: 'silent' });
      const parts = { storage, log, now: Date.now, keepDays: KEEP_DAYS, openStore, firstAfterMs: 0 };
      const sweepers = Array.from({ length: 3 }, () => new FileSweep(parts));
      await expect.poll(() => begun).toBe(3);
      for (const sweeper of sweepers) await sweeper.close();
      return sweeps;
    };
    await files.makeClaimOld();
    expect(await sweepTogether()).toBe(1);
    expect(await sweepTogether()).toBe(0);
    await files.makeClaimOld();
    expect(await sweepTogether()).toBe(1);
  });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}
