import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collect, PAST, putBytes, readBytes, setUpFolder } from './file-store.fixture.ts';
import { FileStoreError, putCopy } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openFileStore } from './open-file-store.ts';

/** Calls `hook` when a store first compares a time with this date. */
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
    // The restored file may replace one that has just been stored.
    expect(await setup.store.remove(sha256, new Date(Date.now() - 60_000))).toBe(false);
    await setup.close();
  });

  test('reports a missing file to the caller even if reading starts late', async () => {
    const setup = await setUpFolder();
    const { partial, address } = setup.store;
    const id = '0'.repeat(32);
    const content = partial.read(id);
    const copied = putCopy(
      async (source) => {
        // Wait for two answers from the file system. If the file was opened too early, this gives the error enough time to occur.
        for (let answers = 0; answers < 2; answers += 1) expect(await partial.find(id)).toBeUndefined();
        await setImmediate();
        await collect(source);
        return undefined;
      },
      join(address.slice('file:'.length), 'missing'),
      { sha256: '', bytes: 0 },
    );
    await expect(copied).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(collect(content)).rejects.toMatchObject({ code: 'ENOENT' });
    await setup.close();
  });

  test('stores each file at a path of its own', async () => {
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
    await expect(opening).rejects.toThrow(`The file store file:${path} cannot be used. The path is not a folder`);
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
