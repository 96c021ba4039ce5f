// Copies files from one store to another. It copies only the files that the target lacks, so an interrupted copy can be resumed. The
// target gets a file only if its bytes match its digest.

import { createHash } from 'node:crypto';
import { type FileStore, MOST_FILE_BYTES, type StoredFile } from './file-store.ts';
import { joinFiles } from './join-files.ts';

export interface CopiedFiles {
  /** Files that the target has now. */
  readonly files: number;
  readonly bytes: number;
  /** Files that the target did not have before. */
  readonly copied: number;
  readonly copiedBytes: number;
  /** Files that the source does not have. */
  readonly missing: LostFiles;
  /** Files whose bytes in the source do not match their digest. */
  readonly damaged: LostFiles;
}

export interface LostFiles {
  readonly total: number;
  /** The digests of the first few files. */
  readonly digests: readonly string[];
}

export interface CopyOptions {
  /** Copies nothing, and only counts the files that would be copied. */
  readonly isDryRun?: boolean;
  /** Called with the number of files that the target has so far. */
  readonly onProgress?: (files: number) => void;
}

const COPIES_AT_ONCE = 4;
const LOST_SHOWN = 20;

/** @param recorded sorted by digest */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  recorded: AsyncIterable<StoredFile>,
  { isDryRun = false, onProgress = () => {} }: CopyOptions = {},
): Promise<CopiedFiles> {
  const count = { files: 0, bytes: 0, copied: 0, copiedBytes: 0 };
  const lost = { missing: openTally(), damaged: openTally() };

  async function copy(file: StoredFile): Promise<void> {
    const outcome = isDryRun ? await look(from, file.sha256) : await copyFile(from, to, file.sha256);
    if (outcome !== 'copied') {
      lost[outcome].add(file.sha256);
      return;
    }
    count.copied += 1;
    count.copiedBytes += file.bytes;
    add(file);
  }

  function add({ bytes }: StoredFile): void {
    count.files += 1;
    count.bytes += bytes;
    onProgress(count.files);
  }

  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];

  function start(file: StoredFile): void {
    const task = copy(file)
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => running.delete(task));
    running.add(task);
  }

  try {
    for await (const { recorded: file, stored } of joinFiles(recorded, to.list())) {
      if (file === undefined) continue;
      if (stored?.bytes === file.bytes) {
        add(file);
        continue;
      }
      start(file);
      if (running.size >= COPIES_AT_ONCE) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return { ...count, missing: lost.missing.finish(), damaged: lost.damaged.finish() };
}

type Outcome = 'copied' | 'missing' | 'damaged';

async function look(from: FileStore, sha256: string): Promise<Outcome> {
  return (await from.has(sha256)) ? 'copied' : 'missing';
}

async function copyFile(from: FileStore, to: FileStore, sha256: string): Promise<Outcome> {
  const reading = await from.read(sha256);
  if (reading === undefined) return 'missing';
  try {
    const put = await to.put(verify(reading.stream, sha256), MOST_FILE_BYTES);
    return put.ok ? 'copied' : 'damaged';
  } catch (error) {
    if (error instanceof DamagedFile) return 'damaged';
    throw error;
  } finally {
    reading.stream.destroy();
  }
}

class DamagedFile extends Error {}

/** Throws at the end if the bytes do not match the digest. The target then stores nothing. */
async function* verify(source: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new DamagedFile();
}

function openTally() {
  let total = 0;
  const digests: string[] = [];
  return {
    add(sha256: string): void {
      total += 1;
      if (digests.length < LOST_SHOWN) digests.push(sha256);
    },
    finish: (): LostFiles => ({ total, digests }),
  };
}
