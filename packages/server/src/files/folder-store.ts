// Keeps files in a folder. A file is written to `incoming`, synced, and renamed to `files/ab/abcd…`, so a reader never
// sees an incomplete file. Both folders are on one file system, which several processes may share.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { FolderLocation } from './assets-url.ts';
import {
  type ByteRange,
  type FileEntry,
  type FileReading,
  type FileStore,
  isSha256,
  type LeftOver,
  putCopy,
  putWithin,
  READ_BYTES,
  requireRange,
  requireSha256,
  type StoreMetered,
} from './file-store.ts';
import { buildFolderError, ignoreMissing, readCode } from './folder-errors.ts';
import { createFolderPartials } from './folder-partial.ts';
import { writeChunks } from './write-chunks.ts';

/** The operator's group may read stored files, for backups. */
export const FILE_MODE = 0o640;
/** The file system does not support hard links, or limits their number. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const ALL_ACCESS = constants.R_OK | constants.W_OK | constants.X_OK;

export interface FolderOptions {
  /** If false, opening the store creates its folders and restores files whose removal was interrupted. */
  readonly isOnlyInspected?: boolean;
}

export async function openFolderStore(
  { path }: FolderLocation,
  { isOnlyInspected = false }: FolderOptions = {},
): Promise<FileStore> {
  const root = resolve(path);
  const files = join(root, 'files');
  const incoming = join(root, 'incoming');
  // Files that `remove` is about to delete.
  const leaving = join(root, 'leaving');
  const ownerPath = join(root, 'owner');

  function pathOf(sha256: string): string {
    return join(files, requireSha256(sha256).slice(0, 2), sha256);
  }

  async function translate<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw buildFolderError(`The file store file:${root}`, error);
    }
  }

  /** Gives a complete, synced file its final name. */
  async function publish(temporary: string, sha256: string): Promise<void> {
    const target = pathOf(sha256);
    const folder = dirname(target);
    const created = await mkdir(folder, { recursive: true });
    await rename(temporary, target);
    // If both names already refer to the same file, `rename` keeps both.
    await ignoreMissing(unlink(temporary));
    await syncFolder(folder);
    if (created !== undefined) await syncFolder(files);
  }

  /** The file is treated as newly stored, because it may replace one that has just been stored. */
  async function giveBack(aside: string, sha256: string): Promise<void> {
    const now = new Date();
    await ignoreMissing(utimes(aside, now, now).then(() => publish(aside, sha256)));
  }

  /** Restores files whose removal was interrupted. A later removal finds them again. */
  async function restoreLeaving(): Promise<void> {
    for await (const { name } of listFolder(leaving)) {
      const [sha256 = ''] = name.split('.');
      if (isSha256(sha256)) await giveBack(join(leaving, name), sha256);
    }
  }

  async function check(): Promise<void> {
    for (const folder of [files, incoming, leaving]) {
      const checked = access(folder, ALL_ACCESS).then(() => true);
      const isThere = await translate(isOnlyInspected ? ignoreMissing(checked) : checked);
      if (isThere === undefined) await translate(access(root, ALL_ACCESS));
    }
  }

  if (!isOnlyInspected) {
    await translate(
      (async () => {
        for (const folder of [files, incoming, leaving]) await mkdir(folder, { recursive: true });
        await restoreLeaving();
      })(),
    );
  }

  const store: StoreMetered = async (source, meter) => {
    const temporary = join(incoming, randomUUID());
    const handle = await translate(open(temporary, 'wx', FILE_MODE));
    let isPublished = false;
    try {
      for await (const chunk of source) {
        const written = writeChunks(handle, [chunk]);
        // The write runs in another thread while this one computes the digest.
        const fits = meter.add(chunk);
        await translate(written);
        if (!fits) return undefined;
      }
      const stored = meter.finish();
      const now = new Date();
      await translate(handle.utimes(now, now).then(() => handle.sync()));
      await translate(publish(temporary, stored.sha256));
      isPublished = true;
      return stored;
    } finally {
      await handle.close();
      if (!isPublished) await ignoreMissing(unlink(temporary));
    }
  };

  /** Stores a hard link instead of a copy. Returns false if the file system cannot do that. */
  async function putLink(path: string, sha256: string): Promise<boolean> {
    const temporary = join(incoming, randomUUID());
    try {
      await link(path, temporary);
    } catch (error) {
      if (NO_LINKS.has(readCode(error) ?? '')) return false;
      throw error;
    }
    try {
      const handle = await open(temporary, 'r+');
      try {
        const now = new Date();
        await handle.utimes(now, now);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await publish(temporary, sha256);
    } finally {
      await ignoreMissing(unlink(temporary));
    }
    return true;
  }

  return {
    address: `file:${root}`,
    incoming,
    derived: null,
    partial: createFolderPartials(join(root, 'uploads'), translate),
    locate: pathOf,
    check,
    checkWriting: check,

    put: (source, limit) => putWithin(store, source, limit),

    async putFile(path, file) {
      requireSha256(file.sha256);
      // Files outside `incoming` may be modified by other programs, so they are copied.
      const isOurs = dirname(resolve(path)) === incoming;
      if (!isOurs || !(await translate(putLink(path, file.sha256)))) await putCopy(store, path, file);
    },

    async read(sha256, range) {
      if (range !== undefined) requireRange(range);
      const handle = await translate(ignoreMissing(open(pathOf(sha256), 'r')));
      return handle === undefined ? undefined : translate(openReading(handle, range));
    },

    async has(sha256) {
      return (await translate(ignoreMissing(stat(pathOf(sha256))))) !== undefined;
    },

    async remove(sha256, putBefore) {
      const path = pathOf(sha256);
      const found = await translate(ignoreMissing(stat(path)));
      if (found === undefined || found.mtime >= putBefore) return false;
      const aside = join(leaving, `${sha256}.${randomUUID()}`);
      return translate(
        (async () => {
          if ((await ignoreMissing(rename(path, aside).then(() => true))) === undefined) return false;
          // Another `put` may have replaced the file since we checked its time. Nothing can change the file that we have set aside.
          const setAside = await ignoreMissing(stat(aside));
          if (setAside === undefined) return false;
          if (setAside.mtime >= putBefore) {
            await giveBack(aside, sha256);
            return false;
          }
          return (await ignoreMissing(unlink(aside).then(() => true))) !== undefined;
        })(),
      );
    },

    async *list(): AsyncGenerator<FileEntry> {
      for (const shard of await translate(listNames(files))) {
        const folder = join(files, shard);
        for (const name of await translate(listNames(folder))) {
          const found = isSha256(name) ? await translate(ignoreMissing(stat(join(folder, name)))) : undefined;
          if (found !== undefined) yield { sha256: name, bytes: found.size, lastPut: found.mtime };
        }
      }
    },

    async readOwner() {
      const found = await translate(ignoreMissing(stat(ownerPath)));
      const name = found === undefined ? undefined : await translate(ignoreMissing(readFile(ownerPath, 'utf8')));
      return found === undefined || name === undefined ? undefined : { name, claimedAt: found.mtime };
    },

    async writeOwner(name) {
      const temporary = join(incoming, randomUUID());
      await translate(writeFile(temporary, name, { flag: 'wx', mode: FILE_MODE, flush: true }));
      await translate(rename(temporary, ownerPath));
    },

    async *listLeftOvers(): AsyncGenerator<LeftOver> {
      for await (const { name, lastChange } of listFolder(incoming)) yield { name: `incoming/${name}`, lastChange };
      for await (const { name, lastChange } of listFolder(leaving)) yield { name: `leaving/${name}`, lastChange };
    },

    async removeLeftOvers(before) {
      let removed = 0;
      for await (const { name, lastChange } of listFolder(incoming)) {
        if (lastChange >= before) continue;
        if (await translate(ignoreMissing(unlink(join(incoming, name)).then(() => true)))) removed += 1;
      }
      await translate(restoreLeaving());
      return removed;
    },

    async close() {},
  };
}

/** A renamed file survives a power failure only if its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, but its file systems journal renames.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openReading(handle: FileHandle, range: ByteRange | undefined): Promise<FileReading> {
  try {
    const { size } = await handle.stat();
    const start = range?.start ?? 0;
    if (start >= size) {
      await handle.close();
      return { stream: Readable.from([]), bytes: size };
    }
    const end = Math.min(range?.end ?? size - 1, size - 1);
    return { stream: handle.createReadStream({ start, end, highWaterMark: READ_BYTES }), bytes: size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Sorted. A folder contains about 1/256 of all files, so their names fit in memory. */
async function listNames(folder: string): Promise<readonly string[]> {
  const names = await ignoreMissing(readdir(folder));
  return names?.toSorted() ?? [];
}

interface FolderEntry {
  readonly name: string;
  readonly lastChange: Date;
}

/** Entries may disappear while they are being listed. */
async function* listFolder(folder: string): AsyncGenerator<FolderEntry> {
  const entries = await ignoreMissing(opendir(folder));
  if (entries === undefined) return;
  for await (const { name } of entries) {
    const found = await ignoreMissing(stat(join(folder, name)));
    if (found !== undefined) yield { name, lastChange: found.mtime };
  }
}
