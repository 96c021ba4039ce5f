// The commands for uploaded files: doctor, backup with files, and copies between stores. Each is tested with a folder and with a bucket.

import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { deleteAsset } from '../../src/authoring/assets.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { openFolderStore } from '../../src/files/folder-store.ts';
import { openStorage } from '../../src/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { addAsset, digest, putBytes, TEST_STORES, type TestStore } from '../support/asset-store.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { siteRecord, toLines } from '../support/small-site.ts';

interface Installation extends AsyncDisposable {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly place: TestStore;
  readonly storage: Storage;
  /** The bytes of the three assets a_0, a_1 and a_2. */
  readonly files: readonly Buffer[];
}

async function install(makeStore: () => Promise<TestStore>): Promise<Installation> {
  await using made = new AsyncDisposableStack();
  const { path: cwd } = made.use(await makeFolder());
  const place = made.use(await makeStore());
  await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
  await runForJson(['import', 'site.ndjson'], { cwd });
  const url = { engine: 'sqlite', path: join(cwd, 'data/galley.db') } as const;
  const storage = made.adopt(await openStorage(url, Date.now()), (each) => each.close());
  const files = [100, 2000, 30_000].map((size) => randomBytes(size));
  for (const [index, bytes] of files.entries()) await addAsset(storage, place.store, { id: `a_${index}`, bytes });
  const kept = made.move();
  return { cwd, env: place.env, place, storage, files, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Finding {
  readonly group: string;
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

/** The findings about files, by name. */
async function examine(
  { cwd, env }: Pick<Installation, 'cwd' | 'env'>,
  ...args: readonly string[]
): Promise<Readonly<Record<string, Finding>>> {
  const { stdout } = await runGalley(['doctor', '--json', ...args], { cwd, env });
  const { checks }: { checks: readonly Finding[] } = JSON.parse(stdout);
  return Object.fromEntries(checks.filter(({ group }) => group === 'Files').map((check) => [check.name, check]));
}

async function findFaults(...given: Parameters<typeof examine>): Promise<Readonly<Record<string, string>>> {
  const faults = Object.values(await examine(...given)).filter(({ status }) => status !== 'ok');
  return Object.fromEntries(faults.map(({ name, status, message }) => [name, `${status}: ${message}`]));
}

describe.each(TEST_STORES)('with the files in %s', (kind, makeStore) => {
  test('galley doctor checks them, and removes unused ones only with --fix', async () => {
    await using site = await install(makeStore);
    const { place, files } = site;
    expect(await findFaults(site)).toEqual({});
    expect((await examine(site))['asset files']?.message).toBe('3 files, 32 kB, all stored');
    const unused = await putBytes(place.store, randomBytes(100));
    await place.makeOld(unused);
    await place.leaveBehind();
    const warnings = {
      'unused files': 'warning: 1 stored file (100 bytes) without an asset',
      'unfinished uploads': 'warning: 1 part of abandoned uploads',
    };
    expect(await findFaults(site)).toEqual(warnings);
    expect(await place.store.has(unused)).toBe(true);
    const removed = { files: 1, bytes: 100, unfinished_uploads: 1 };
    expect(await runForJson(['doctor', '--fix'], site)).toMatchObject({ removed });
    expect(await findFaults(site)).toEqual({});
    for (const bytes of files) expect(await place.store.has(digest(bytes))).toBe(true);
    const { stdout } = await runGalley(['doctor', '--fix'], site);
    expect(stdout).toContain('Deleted: 0 unused files (0 bytes) and 0 parts of abandoned uploads.');
    await place.store.remove(digest(files[1] ?? Buffer.of()), new Date('2100-01-01'));
    expect(await findFaults(site)).toEqual({
      'asset files': 'problem: 1 file missing from the store: s_small/a_1 (a_1)',
    });
    expect((await runGalley(['doctor', '--fix'], site)).status).toBe(1);
  });

  test('galley backup --with-assets copies all of them, and the backup can be restored', async () => {
    await using site = await install(makeStore);
    const { cwd, env, files } = site;
    const first = await runForJson(['backup', '--with-assets', 'backups/one'], { cwd, env });
    const assets = { files: 3, bytes: 32_100, copied: 3, copied_bytes: 32_100, missing: 0, damaged: 0 };
    expect(first).toEqual({ folder: 'backups/one', database: './data/galley.db', bytes: expect.any(Number), assets });
    expect((await readdir(join(cwd, 'backups/one'))).sort()).toEqual(['assets', 'galley.db']);
    expect((await stat(join(cwd, 'backups/one'))).mode & 0o777).toBe(0o700);

    await using other = await makeFolder();
    await mkdir(join(other.path, 'data'));
    await rename(join(cwd, 'backups/one/galley.db'), join(other.path, 'data/galley.db'));
    await cp(join(cwd, 'backups/one/assets'), join(other.path, 'data/assets'), { recursive: true });
    expect(await findFaults({ cwd: other.path, env: {} })).toEqual({});
    const restored = await openFolderStore({ kind: 'folder', path: join(other.path, 'data/assets') });
    for (const bytes of files) expect(await restored.has(digest(bytes))).toBe(true);
  });

  test('galley backup --with-assets resumes, and replaces an existing backup only with --force', async () => {
    await using site = await install(makeStore);
    const { cwd, env, storage, place } = site;
    await runForJson(['backup', '--with-assets', 'copy'], { cwd, env });
    await addAsset(storage, place.store, { id: 'a_new', bytes: randomBytes(50) });
    const { status, stderr } = await runGalley(['backup', '--with-assets', 'copy'], { cwd, env });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error: copy/galley.db already exists. Use --force to replace it.\n',
    });
    const { stdout } = await runGalley(['backup', '--with-assets', '--force', 'copy'], { cwd, env });
    expect(stdout).toMatch(/^Backed up .* and 4 files \(32 kB, 1 of them new\) to copy\.\n$/);
    // An interrupted backup has files but no database.
    await rm(join(cwd, 'copy/galley.db'));
    const lost = digest(site.files[0] ?? Buffer.of());
    await rm(join(cwd, 'copy/assets/files', lost.slice(0, 2), lost));
    expect(await runForJson(['backup', '--with-assets', 'copy'], { cwd, env })).toMatchObject({
      assets: { files: 4, copied: 1 },
    });
  });

  test('galley backup --with-assets reports missing and damaged files, and backs up the rest', async () => {
    await using site = await install(makeStore);
    const { cwd, env, place, files } = site;
    const [gone = '', altered = ''] = files.map(digest);
    await place.store.remove(gone, new Date('2100-01-01'));
    await place.damage(altered, randomBytes(2000));
    const { status, stderr } = await runGalley(['backup', '--with-assets', 'copy'], { cwd, env });
    expect(status).toBe(1);
    expect(stderr).toContain(`1 file missing from ${place.store.address}: ${gone}\n`);
    expect(stderr).toContain(`1 file damaged in ${place.store.address}: ${altered}\n`);
    expect(stderr).toContain('Everything else was backed up.\n');
    const copy = await openFolderStore({ kind: 'folder', path: join(cwd, 'copy/assets') });
    expect(await Promise.all(files.map((bytes) => copy.has(digest(bytes))))).toEqual([false, false, true]);
    expect((await readFile(join(cwd, 'copy/galley.db'))).length).toBeGreaterThan(0);
  });

  test('galley copy-assets copies them to another store and back', async () => {
    await using site = await install(makeStore);
    const { cwd, env, place, files } = site;
    expect(await runForJson(['copy-assets', '--to', 'file:copy', '--dry-run'], { cwd, env })).toMatchObject({
      dry_run: true,
      copied: 3,
    });
    expect(await readdir(cwd)).not.toContain('copy');
    const { stdout } = await runGalley(['copy-assets', '--to', 'file:copy'], { cwd, env });
    expect(stdout).toBe(`Copied 3 files (32 kB) from ${place.store.address} to file:${join(cwd, 'copy')}.\n`);
    const lost = digest(files[2] ?? Buffer.of());
    await place.store.remove(lost, new Date('2100-01-01'));
    expect(await runForJson(['copy-assets', '--from', 'file:copy'], { cwd, env })).toMatchObject({
      ...{ dry_run: false, to: place.store.address, files: 3, copied: 1, copied_bytes: 30_000 },
    });
    expect(await place.store.has(lost)).toBe(true);
  });

  test('a backup has every file that its database refers to, even while assets are being added and deleted', async () => {
    await using site = await install(makeStore);
    const { cwd, env, storage, place } = site;
    const desk = createDesk(storage);
    let isOver = false;
    const editing = (async () => {
      for (let count = 0; !isOver; count++) {
        const id = `a_more_${count}`;
        const sha256 = await addAsset(storage, place.store, { id, bytes: randomBytes(300) });
        if (count % 2 === 0) continue;
        await deleteAsset(desk, COMMAND_ACTOR, 's_small', id);
        await place.store.remove(sha256, new Date('2100-01-01'));
      }
    })();
    try {
      for (const name of ['one', 'two']) await runForJson(['backup', '--with-assets', name], { cwd, env });
    } finally {
      isOver = true;
      await editing;
    }
    for (const name of ['one', 'two']) {
      const copy = { GALLEY_DATABASE_URL: `sqlite:${name}/galley.db`, GALLEY_ASSETS_URL: `file:${name}/assets` };
      expect(await findFaults({ cwd, env: copy }), `${kind}, ${name}`).toEqual({});
    }
  });
});

describe('galley doctor', () => {
  test('does not create the file store', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
    await runForJson(['import', 'site.ndjson'], { cwd });
    expect(await findFaults({ cwd, env: {} })).toEqual({});
    expect(await readdir(join(cwd, 'data'))).not.toContain('assets');
    await mkdir(join(cwd, 'data/assets'));
    expect(await findFaults({ cwd, env: {} })).toEqual({});
    expect(await readdir(join(cwd, 'data/assets'))).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp, RegExp]>([
    ['a file instead of a folder', { GALLEY_ASSETS_URL: 'file:site.ndjson' }, /is not a folder$/, /file:PATH/],
    [
      'a folder that cannot be created',
      { GALLEY_ASSETS_URL: 'file:site.ndjson/assets' },
      /does not exist, and cannot be created/,
      /write access/,
    ],
    [
      'a bucket that cannot be reached',
      {
        GALLEY_ASSETS_URL: 's3://pictures?region=us-east-1&endpoint=http://127.0.0.1:1&path_style=true',
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'hidden',
      },
      /s3:\/\/pictures cannot be used\. The service cannot be reached/,
      /network/,
    ],
  ])('says what to do about %s', async (_, env, message, advice) => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
    await runForJson(['import', 'site.ndjson'], { cwd });
    const { 'file store': found, ...others } = await examine({ cwd, env });
    expect(others).toEqual({});
    expect(found).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
    expect(JSON.stringify(found)).not.toContain('hidden');
  });

  test('says what to do if the bucket rejects the credentials, or does not exist', async () => {
    const [, [, makeBucket]] = TEST_STORES;
    await using site = await install(makeBucket);
    const wrong = { ...site.env, AWS_ACCESS_KEY_ID: 'unknown' };
    expect((await examine({ ...site, env: wrong }))['file store']).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('s3:PutObject'),
    });
    const absent = {
      ...site.env,
      GALLEY_ASSETS_URL: site.env.GALLEY_ASSETS_URL?.replace('//pictures/', '//none/') ?? '',
    };
    expect((await examine({ ...site, env: absent }))['file store']).toMatchObject({
      status: 'problem',
      advice: 'Create the bucket, or correct GALLEY_ASSETS_URL.',
    });
  });

  test('checks a backup against the store, but never removes files that only newer databases refer to', async () => {
    const [[, makeFolderStore]] = TEST_STORES;
    await using site = await install(makeFolderStore);
    const { cwd, storage, place } = site;
    await runForJson(['backup', 'copy.db'], site);
    const sha256 = await addAsset(storage, place.store, { id: 'a_new', bytes: randomBytes(50) });
    await place.makeOld(sha256);
    const env = { ...site.env, GALLEY_DATABASE_URL: 'sqlite:copy.db' };
    expect(await findFaults({ cwd, env })).toEqual({});
    const { status, stderr } = await runGalley(['doctor', '--fix'], { cwd, env });
    expect(status).toBe(1);
    expect(stderr).toContain('nothing was deleted');
    expect(await place.store.has(sha256)).toBe(true);
  });
});

describe('commands that copy files', () => {
  test.each([
    [['backup', '--with-assets', 'data'], 'data/galley.db is the database itself'],
    [['backup', '--with-assets', 'site.ndjson'], 'site.ndjson is a file'],
    [['copy-assets', '--to', 'file:./data/assets'], 'already in'],
    [['copy-assets', '--to', 'ftp://x'], 'starts with neither file: nor s3://'],
    [['copy-assets'], '--from or --to is missing'],
  ])('%j is refused: %s', async (args, reason) => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
    await runForJson(['import', 'site.ndjson'], { cwd });
    const { status, stdout, stderr } = await runGalley(args, { cwd });
    expect(status).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(reason);
  });

  test('galley backup refuses to write the files into the store itself', async () => {
    const [[, makeFolderStore]] = TEST_STORES;
    await using site = await install(makeFolderStore);
    const env = { GALLEY_ASSETS_URL: 'file:copy/assets' };
    const { status, stderr } = await runGalley(['backup', '--with-assets', 'copy'], { ...site, env });
    expect([status, stderr]).toEqual([1, 'error: The files cannot be copied to the store that they are already in.\n']);
  });

  test('galley backup --with-assets backs up a database that has no files yet', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
    await runForJson(['import', 'site.ndjson'], { cwd });
    expect(await runForJson(['backup', '--with-assets', 'copy'], { cwd })).toMatchObject({ assets: { files: 0 } });
    expect(await readdir(join(cwd, 'data'))).not.toContain('assets');
  });
});
