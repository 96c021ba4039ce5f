// `galley doctor` compares the store with the records, and a sweep removes files that no record refers to; both are tested with each
// engine and each store.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Swept, sweepFiles } from '../../src/authoring/file-sweep.ts';
import { checkFiles, type FileChecks } from '../../src/doctor/check-files.ts';
import { BUCKET_CREDENTIALS } from '../../src/files/bucket-server.fixture.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { openStorage } from '../../src/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importText } from '../import/export-database.ts';
import { addAsset, exchange, putBytes, TEST_STORES, type TestStore } from '../support/asset-store.ts';
import { makeFolder } from '../support/galley-command.ts';
import { runSql } from '../support/run-sql.ts';
import { siteRecord, toLines } from '../support/small-site.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe.each([
  ['sqlite', ...TEST_STORES[1]],
  ['postgres', ...TEST_STORES[0]],
] as const)('on %s, the files in %s', (engine, _, makeStore) => {
  const given = { ...process.env };
  let database: TestDatabase;
  let storage: Storage;
  let place: TestStore;
  let store: FileStore;

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = BUCKET_CREDENTIALS.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = BUCKET_CREDENTIALS.secretAccessKey;
    database = await createTestDatabase(engine);
    storage = await openStorage(database.url, Date.now());
    await using folder = await makeFolder();
    await importText(storage, folder.path, toLines([siteRecord()]));
  });

  afterAll(async () => {
    await storage.close();
    await database.remove();
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      if (given[name] === undefined) delete process.env[name];
      else process.env[name] = given[name];
    }
  });

  beforeEach(async () => {
    place = await makeStore();
    store = place.store;
    for (const table of ['asset_files', 'assets']) await runSql(storage, `delete from ${table}`);
    return () => place[Symbol.asyncDispose]();
  });

  function compare(now = Date.now(), assetsKeepDays = 7): Promise<FileChecks> {
    const settings = { assetsUrl: place.location, assetsKeepDays, databaseUrl: { engine: 'sqlite' } } as const;
    return checkFiles(settings, { read: (procedure) => storage.read(procedure), isBackup: false }, now);
  }

  const sweep = (database: Storage = storage): Promise<Swept> =>
    sweepFiles({ storage: database, store, now: Date.now(), keepDays: 7 });

  /** The messages of all checks that did not pass, by name. */
  async function findFaults(now?: number, keepDays?: number): Promise<Readonly<Record<string, string>>> {
    const { checks } = await compare(now, keepDays);
    expect(checks.map(({ name }) => name)).toEqual(['file store', 'asset files', 'unused files', 'unfinished uploads']);
    const faults = checks.filter(({ status }) => status !== 'ok');
    return Object.fromEntries(faults.map(({ name, status, message }) => [name, `${status}: ${message}`]));
  }

  async function listStored(): Promise<readonly string[]> {
    const digests: string[] = [];
    for await (const { sha256 } of store.list()) digests.push(sha256);
    return digests;
  }

  test('are reported as complete if every asset has its file', async () => {
    for (const id of ['a_1', 'a_2', 'a_3', 'a_4']) await addAsset(storage, store, { id, bytes: randomBytes(500) });
    const { checks, removable } = await compare(Date.now() + 2 * DAY_MS);
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(checks[1]?.message).toBe('4 files, 2.0 kB, all stored');
    expect(removable).toEqual({ files: 0, bytes: 0, leftOvers: 0 });
  });

  test('are listed with their assets if they are missing', async () => {
    const shared = randomBytes(100);
    const sha256 = await addAsset(storage, store, { id: 'a_one', bytes: shared });
    await addAsset(storage, store, { id: 'a_two', bytes: shared });
    await addAsset(storage, store, { id: 'a_fine', bytes: randomBytes(100) });
    await store.remove(sha256, new Date(Date.now() + DAY_MS));
    expect(await findFaults()).toEqual({
      'asset files': 'problem: 1 file missing from the store: s_small/a_one (a_one), s_small/a_two (a_two)',
    });
  });

  test('are reported as missing if they were replaced but should still be restorable', async () => {
    const old = await addAsset(storage, store, { id: 'a_1', bytes: randomBytes(100) });
    await exchange(storage, store, 'a_1', randomBytes(100));
    await store.remove(old, new Date(Date.now() + DAY_MS));
    expect(await findFaults()).toMatchObject({ 'asset files': expect.stringContaining('1 file missing') });
    expect(await findFaults(Date.now() + 8 * DAY_MS)).toEqual({});
    expect(await findFaults(Date.now() + 1, 0)).toEqual({});
  });

  test('are removed only if no record refers to them and they are a day old', async () => {
    const used = await addAsset(storage, store, { id: 'a_1', bytes: randomBytes(100) });
    const replaced = await addAsset(storage, store, { id: 'a_2', bytes: randomBytes(100) });
    const current = await exchange(storage, store, 'a_2', randomBytes(100));
    for (const sha256 of [used, replaced, current]) await place.makeOld(sha256);
    const unused: string[] = [];
    for (let count = 0; count < 13; count++) unused.push(await putBytes(store, randomBytes(1000)));
    for (const sha256 of unused) await place.makeOld(sha256);
    const young = await putBytes(store, randomBytes(100));
    expect(await findFaults()).toEqual({ 'unused files': 'warning: 13 stored files (13 kB) without an asset' });
    expect(await sweep()).toEqual({ files: 13, bytes: 13_000, leftOvers: 0 });
    expect(await listStored()).toEqual([used, replaced, current, young].toSorted());
    expect(await findFaults()).toEqual({});
  });

  test('count as unused if their record marks them as removed', async () => {
    const old = await addAsset(storage, store, { id: 'a_1', bytes: randomBytes(100) });
    await exchange(storage, store, 'a_1', randomBytes(100));
    await runSql(storage, `update asset_files set is_removed = 1 where sha256 = '${old}'`);
    await place.makeOld(old);
    expect(await findFaults()).toEqual({ 'unused files': 'warning: 1 stored file (100 bytes) without an asset' });
    expect(await sweep()).toMatchObject({ files: 1 });
    expect(await store.has(old)).toBe(false);
  });

  test('are kept if an upload of the same bytes commits its record after they were compared', async () => {
    const bytes = randomBytes(100);
    const sha256 = await putBytes(store, bytes);
    await place.makeOld(sha256);
    let isCommitted = false;
    const late: Storage = {
      ...storage,
      async read(procedure) {
        const outcome = await storage.read(procedure);
        if (!isCommitted) {
          isCommitted = true;
          await addAsset(storage, store, { id: 'a_1', bytes });
          await place.makeOld(sha256);
        }
        return outcome;
      },
    };
    expect(await sweep(late)).toMatchObject({ files: 0 });
    expect(await store.has(sha256)).toBe(true);
  });

  test('are found and removed if they were never completed', async () => {
    await place.leaveBehind();
    expect(await findFaults()).toEqual({ 'unfinished uploads': 'warning: 1 part of abandoned uploads' });
    expect(await sweep()).toEqual({ files: 0, bytes: 0, leftOvers: 1 });
    expect(await findFaults()).toEqual({});
  });

  test('are found if they belong to an abandoned resumable upload', async () => {
    await store.partial.create('ab'.repeat(16), 'note');
    expect(await findFaults()).toEqual({});
    expect(await findFaults(Date.now() + 2 * DAY_MS)).toEqual({
      'unfinished uploads': 'warning: 1 part of abandoned uploads',
    });
  });

  test('are compared page by page, however many there are', async () => {
    const stored = await addAsset(storage, store, { id: 'a_1', bytes: randomBytes(100) });
    const rows = Array.from({ length: 2500 }, () => {
      const sha256 = randomBytes(32).toString('hex');
      return `(1, (select no from assets), '${sha256.slice(0, 16)}', '${sha256}', 'x.bin', 'bin', 'application/octet-stream', 100, 1)`;
    });
    await runSql(
      storage,
      `insert into asset_files (site_no, asset_no, version, sha256, file_name, extension, mime_type, size, put_at)
      values ${rows.join(', ')}`,
    );
    expect(await findFaults()).toMatchObject({
      'asset files': expect.stringContaining('2500 files missing from the store: '),
    });
    await place.makeOld(stored);
    expect(await sweep()).toMatchObject({ files: 0 });
  });
});
