// Stores uploaded files: each is stored once, under the SHA-256 of its bytes. A file that `put` has acknowledged is durable.
//
// `remove` and `put` may run for the same bytes at the same time, in different processes. No acknowledged file is ever lost:
// - `put` always writes the file, even if the store already has it, so the file's time is that of its last put.
// - `remove` keeps a file whose last put is not older than `putBefore`. A caller that removes unused files passes a time far enough
//   in the past that any upload whose `put` was earlier has committed its record. So an upload in progress keeps its file.
// - A put can still complete after `remove` has read the time. A folder then undoes the removal. A bucket can do so only within one
//   process. So a caller commits a record in a transaction that excludes removals of this file, and calls `has` in it: if the file is
//   gone, the caller calls `put` again. A removal checks for records in a transaction of the same kind.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { fail, ok, type Result } from '../content/result.ts';
import { freeChunks } from './free-chunks.ts';
import type { PartialFiles } from './partial-files.ts';

/** S3 copies at most this much in one request. */
export const MOST_FILE_BYTES = 5 * 1024 ** 3;

export interface StoredFile {
  /** In lowercase hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface PutProblem {
  readonly code: 'too_large';
  readonly limit: number;
}

/** Both ends are included, as in HTTP. Without an end, the range extends to the end of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface FileReading {
  /** The bytes of the range that lie within the file. The caller must read or destroy the stream. */
  readonly stream: Readable;
  /** The size of the whole file. */
  readonly bytes: number;
}

export interface FileEntry extends StoredFile {
  readonly lastPut: Date;
}

/** The installation whose database has the records for the files. */
export interface StoreOwner {
  readonly name: string;
  /** When the installation last claimed the store, by the store's clock. */
  readonly claimedAt: Date;
}

/** The remains of an upload that was not completed. */
export interface LeftOver {
  readonly name: string;
  readonly lastChange: Date;
}

/** Files that can be generated again from others, such as smaller pictures. All nodes share them, so each is generated only once. */
export interface DerivedFiles {
  read(name: string): Promise<FileReading | undefined>;
  /** Copies a local file into the store. @param name letters, digits and dots */
  put(name: string, path: string): Promise<void>;
  /** Removes all files whose names start with `prefix`, and returns the number removed. */
  remove(prefix: string): Promise<number>;
}

export interface FileStore {
  /** The location of the files, for messages. It contains no secrets. */
  readonly address: string;
  /** The folder for files that will be put into the store; null if the store is not local. `putFile` need not copy files from there. */
  readonly incoming: string | null;
  /** Null if the store is local; in that case, derived files can be in any local folder. */
  readonly derived: DerivedFiles | null;
  /** Files that have not fully arrived. They are kept separate from the others. */
  readonly partial: PartialFiles;
  /** The file's path for programs on this machine; null if the store is not local. The file may not exist. */
  locate(sha256: string): string | null;
  /** Throws a FileStoreError unless the store can be used. */
  check(): Promise<void>;
  /** Like `check`, but also checks that files can be written and removed. It leaves nothing behind. */
  checkWriting(): Promise<void>;
  /** Stores nothing if the source has more than `limit` bytes or throws. */
  put(source: AsyncIterable<Uint8Array>, limit: number): Promise<Result<StoredFile, PutProblem>>;
  /**
   * Stores a local file whose digest is known, without computing it again. The file must not change in the meantime. If it is in
   * `incoming`, it must never change. The caller removes it.
   */
  putFile(path: string, file: StoredFile): Promise<void>;
  read(sha256: string, range?: ByteRange): Promise<FileReading | undefined>;
  has(sha256: string): Promise<boolean>;
  /** Removes the file if its last put was before `putBefore`, and returns whether it did. */
  remove(sha256: string, putBefore: Date): Promise<boolean>;
  /** Sorted by digest. */
  list(): AsyncIterable<FileEntry>;
  /** Returns undefined if no installation has claimed the store. */
  readOwner(): Promise<StoreOwner | undefined>;
  /** Claims the store for an installation, even if another one has claimed it. */
  writeOwner(name: string): Promise<void>;
  listLeftOvers(): AsyncIterable<LeftOver>;
  /** Removes the leftovers that have not changed since `before`, and returns the number removed. */
  removeLeftOvers(before: Date): Promise<number>;
  close(): Promise<void>;
}

export type FileStoreErrorCode = 'unreachable' | 'forbidden' | 'missing' | 'full' | 'failed';

/** The store cannot be used, and an operator must fix it. The message names the store and the reason. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';
  readonly code: FileStoreErrorCode;

  constructor(code: FileStoreErrorCode, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface Meter {
  /** Counts the bytes and returns whether they are within the limit. */
  add(chunk: Uint8Array): boolean;
  finish(): StoredFile;
}

/** Counts and hashes bytes as they pass through. */
export function openMeter(limit: number): Meter {
  if (!Number.isSafeInteger(limit) || limit < 0 || limit > MOST_FILE_BYTES) {
    throw new RangeError(`A file's size limit must be between 0 and ${MOST_FILE_BYTES} bytes, not ${limit}.`);
  }
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      if (bytes > limit) return false;
      hash.update(chunk);
      return true;
    },
    finish: () => ({ sha256: hash.digest('hex'), bytes }),
  };
}

export const READ_BYTES = 256 * 1024;

/** Stores the bytes that the meter accepts. Returns undefined, and stores nothing, if the meter refuses a chunk. */
export type StoreMetered = (source: AsyncIterable<Uint8Array>, meter: Meter) => Promise<StoredFile | undefined>;

export async function putWithin(
  store: StoreMetered,
  source: AsyncIterable<Uint8Array>,
  limit: number,
): ReturnType<FileStore['put']> {
  const stored = await store(source, openMeter(limit));
  return stored === undefined ? fail({ code: 'too_large', limit }) : ok(stored);
}

const CHANGED = 'The size of the file has changed since its digest was computed.';

/**
 * Opens a local file when its first chunk is requested. If the file were opened earlier, a missing file would end the process, because
 * nothing listens for errors until the first request.
 */
export async function* readLocalFile(path: string): AsyncGenerator<Buffer, void, void> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES });
}

/** `putFile` for a store that has to copy the local file. */
export async function putCopy(store: StoreMetered, path: string, file: StoredFile): Promise<void> {
  const source = freeChunks(readLocalFile(path));
  if ((await store(source, openSizeMeter(file))) === undefined) throw new Error(CHANGED);
}

/** Only counts the bytes: hashing a large file again would keep the main thread busy for seconds. */
function openSizeMeter(file: StoredFile): Meter {
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      return bytes <= file.bytes;
    },
    finish() {
      if (bytes !== file.bytes) throw new Error(CHANGED);
      return file;
    },
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

export function isSha256(text: string): boolean {
  return SHA256.test(text);
}

/** A digest becomes part of a path, so an invalid digest is a bug in the caller. */
export function requireSha256(text: string): string {
  if (!isSha256(text)) throw new TypeError('The name of a file must be 64 lowercase hexadecimal digits.');
  return text;
}

export function requireRange({ start, end }: ByteRange): void {
  const isValid = Number.isSafeInteger(start) && start >= 0 && (end === undefined || Number.isSafeInteger(end));
  if (!isValid || (end !== undefined && end < start)) {
    throw new RangeError(`A range must start at 0 or later and must not end before its start; got ${start} to ${end}.`);
  }
}
