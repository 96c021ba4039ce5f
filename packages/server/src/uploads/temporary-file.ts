// The file to which an upload is written first. If the store is a folder, this file is on the same file system, so nothing has to be
// copied. Otherwise it is in its own private folder.

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdtemp, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore, StoredFile } from '../files/file-store.ts';
import { buildFolderError } from '../files/folder-errors.ts';
import { FILE_MODE } from '../files/folder-store.ts';
import { writeChunks } from '../files/write-chunks.ts';
import { type DigestThread, UploadDigest } from './upload-digest.ts';

export interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
  /** Stops reading and returns undefined if the source has more than `mostBytes` bytes. */
  receive(source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<StoredFile | undefined>;
}

const PREFIX = 'galley-upload-';
/** No upload pauses for this long, so the process that wrote the file has ended. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

export interface TemporaryFileTools {
  readonly store: FileStore;
  /** The folder in which upload folders are created if the store is not on this machine. */
  readonly folder: string;
  readonly digests: DigestThread;
}

export async function openTemporaryFile({ store, folder, digests }: TemporaryFileTools): Promise<TemporaryFile> {
  const place = `The uploads folder ${store.incoming ?? folder}`;
  const own = store.incoming === null ? await translate(place, mkdtemp(join(folder, PREFIX))) : undefined;
  const path = own === undefined ? join(store.incoming ?? folder, randomUUID()) : join(own, 'file');
  return {
    path,

    async receive(source, mostBytes) {
      const digest = new UploadDigest(digests, path);
      let bytes = 0;
      const handle = await translate(place, open(path, 'wx', FILE_MODE));
      const writer = new BatchWriter(handle);
      try {
        for await (const chunk of source) {
          bytes += chunk.length;
          if (bytes > mostBytes) return undefined;
          digest.add(chunk);
          if (writer.add(chunk)) digest.noteWritten(await translate(place, writer.flush()));
        }
        await translate(place, writer.finish());
        // The store syncs the file again, in case its contents have changed in the meantime. By then, little is left to write.
        const syncing = store.incoming === null ? undefined : translate(place, handle.datasync());
        const [sha256] = await Promise.all([digest.finish(), syncing]);
        return { sha256, bytes };
      } finally {
        await writer.stop();
        await handle.close();
      }
    },

    async [Symbol.asyncDispose]() {
      await rm(own ?? path, { recursive: true, force: true });
    },
  };
}

/** Removes the files left behind by processes that ended in the middle of an upload. */
export async function removeAbandoned(store: FileStore, folder: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_MS);
  if (store.incoming === null) await removeFolders(folder, before);
  else await store.removeLeftOvers(before);
}

async function removeFolders(folder: string, before: Date): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isDirectory() || !entry.name.startsWith(PREFIX)) continue;
    const path = join(folder, entry.name);
    if (await isAbandoned(path, before)) await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(path: string, before: Date): Promise<boolean> {
  try {
    // Writing to the file does not change its folder's modification time.
    const found = await stat(join(path, 'file')).catch(() => stat(path));
    return found.mtime < before && (process.getuid === undefined || found.uid === process.getuid());
  } catch {
    // Another process has just removed the file.
    return false;
  }
}

async function translate<Value>(place: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw buildFolderError(place, error);
  }
}

/** Much larger writes would be no faster, and would take up more memory. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_CHUNKS = 512;

/** Writes one batch of chunks while the next one is arriving. */
class BatchWriter {
  readonly #handle: FileHandle;
  #batch: Uint8Array[] = [];
  #bytes = 0;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Returns whether the batch is full. */
  add(chunk: Uint8Array): boolean {
    this.#batch.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes >= BATCH_BYTES || this.#batch.length >= BATCH_CHUNKS;
  }

  /** Waits for the previous batch, then starts writing this one. @returns how many bytes have been written */
  async flush(): Promise<number> {
    await this.#writing;
    const written = this.#written;
    this.#written += this.#bytes;
    this.#writing = writeChunks(this.#handle, this.#batch);
    // Node must not report a failure as unhandled before the next call awaits it.
    this.#writing.catch(() => {});
    this.#batch = [];
    this.#bytes = 0;
    return written;
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#writing;
  }

  /** Waits until nothing is using the file any more. */
  async stop(): Promise<void> {
    await this.#writing.catch(() => {});
  }
}
