// Removes files from the store once nothing needs them any more. Each removal is one transaction: it cannot overlap with the transactions
// in which uploads record their files, and those transactions check that the file is still there. So an upload of the same bytes never
// loses its file.

import type { Logger } from 'pino';
import { DAY_MS } from '../content/timestamp.ts';
import {
  findOldestRestorable,
  markFileRemoved,
  selectNeededFiles,
  selectReplacedFiles,
  UNRECORDED_MS,
} from '../storage/sites/asset-files.ts';
import type { Storage } from '../storage/storage.ts';

/** The part of the file store that a sweep uses. */
export interface SweptStore {
  has(sha256: string): Promise<boolean>;
  remove(sha256: string, putBefore: Date): Promise<boolean>;
  list(): AsyncIterable<DatedFile>;
  removeLeftOvers(before: Date): Promise<number>;
  readOwner(): Promise<{ readonly name: string; readonly claimedAt: Date } | undefined>;
  writeOwner(name: string): Promise<void>;
  readonly partial: {
    list(): AsyncIterable<{ readonly id: string; readonly lastChange: Date }>;
    remove(id: string): Promise<void>;
  };
}

interface SweptFile {
  readonly sha256: string;
  readonly bytes: number;
}

interface DatedFile extends SweptFile {
  readonly lastPut: Date;
}

export interface FileSweepParts {
  readonly storage: Storage;
  readonly log: Logger;
  readonly now: () => number;
  /** How long a replaced file can be restored. */
  readonly keepDays: number;
  /** Undefined if there is no store yet. */
  readonly openStore: () => Promise<SweptStore | undefined>;
  /** Called with the digest of each file that was removed. */
  readonly onRemoved?: (sha256: string) => Promise<void>;
  readonly firstAfterMs?: number;
}

const HOUR_MS = 60 * 60_000;
/** How long a claim keeps other processes from sweeping. It is less than an hour, so the same process can sweep every hour. */
const CLAIM_MS = 50 * 60_000;
/** The service has more important things to do right after it has started. */
const FIRST_AFTER_MS = 30_000;
const REPLACED_AT_ONCE = 1000;
const COMPARED_AT_ONCE = 256;

/** Sweeps soon after the service starts, then every hour, unless another process or node has done so in the meantime. */
export class FileSweep {
  readonly #parts: FileSweepParts;
  readonly #timers: readonly NodeJS.Timeout[];
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: FileSweepParts) {
    this.#parts = parts;
    const sweep = (): void => this.#enqueue(() => this.#sweep());
    this.#timers = [
      setTimeout(sweep, parts.firstAfterMs ?? FIRST_AFTER_MS).unref(),
      setInterval(sweep, HOUR_MS).unref(),
    ];
  }

  /**
   * Removes the files of deleted assets immediately, unless something else needs them. Call this inside the transaction
   * that deletes the assets: the removal waits for the transaction to end, and keeps the files if the transaction
   * fails.
   */
  readonly release = (digests: readonly string[]): void => {
    if (digests.length > 0) this.#enqueue(() => this.#removeReleased(digests));
  };

  /** Resolves once nothing is running. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    return this.#working;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#working = this.#working.then(async () => {
      if (this.#isClosed) return;
      try {
        await work();
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'unused files could not be removed; the next sweep will try again');
      }
    });
  }

  async #removeReleased(digests: readonly string[]): Promise<void> {
    const { storage, now, keepDays } = this.#parts;
    const store = await this.#parts.openStore();
    if (store === undefined) return;
    const since = findOldestRestorable(now(), keepDays);
    // This time is in the future, because the store's clock may be ahead of ours. An upload in progress stores its file again if it is
    // removed.
    const putBefore = new Date(now() + DAY_MS);
    const removal = { storage, store, since, putBefore, onRemoved: this.#forgetImages };
    for (const sha256 of digests) await removeIfUnused(removal, sha256);
  }

  async #sweep(): Promise<void> {
    const { storage, log, now, keepDays } = this.#parts;
    const store = await this.#parts.openStore();
    if (store === undefined) return;
    const claim = await claimStore(storage, store, now());
    if (claim === 'foreign') {
      log.error(
        'the stored files seem to belong to another database, so none were removed; if GALLEY_ASSETS_URL and GALLEY_DATABASE_URL are correct, run galley doctor --fix',
      );
    }
    if (claim !== 'claimed') return;
    const isStopped = (): boolean => this.#isClosed;
    const swept = await sweepFiles({ storage, store, now: now(), keepDays, isStopped, onRemoved: this.#forgetImages });
    if (swept.files > 0) log.info({ removed: swept.files, bytes: swept.bytes }, 'removed unused files');
  }

  /** If the image cache cannot be used, the files are removed anyway. */
  readonly #forgetImages = async (sha256: string): Promise<void> => {
    try {
      await this.#parts.onRemoved?.(sha256);
    } catch (error) {
      this.#parts.log.warn(
        { err: error, file: sha256 },
        'the images that were made from a removed file could not be deleted',
      );
    }
  };
}

/** `swept`: another process in this installation claimed the store less than `CLAIM_MS` ago. */
type Claim = 'claimed' | 'swept' | 'foreign';

/**
 * Refuses a store that belongs to another installation. Without this, a service that somebody starts with the wrong database or an empty
 * one would remove all files.
 */
async function claimStore(storage: Storage, store: SweptStore, now: number): Promise<Claim> {
  const own = nameInstallation(storage);
  const readClaim = async (): Promise<Claim | undefined> => {
    const owner = await store.readOwner();
    if (owner === undefined) return undefined;
    if (owner.name !== own) return 'foreign';
    // The store's clock may be ahead of ours.
    return Math.abs(now - owner.claimedAt.getTime()) < CLAIM_MS ? 'swept' : 'claimed';
  };
  const claim = await readClaim();
  if (claim === 'swept' || claim === 'foreign') return claim;
  if (claim === undefined && !(await isKnown(storage, store))) return 'foreign';
  // Only one process at a time can be in a transaction, so if several check at once, only one of them claims the store.
  return storage.transaction(async () => {
    const current = (await readClaim()) ?? 'claimed';
    if (current === 'claimed') await store.writeOwner(own);
    return current;
  });
}

/** The name under which an installation claims a store. All its nodes, copies and backups have the same name. */
export function nameInstallation(storage: Storage): string {
  return storage.deriveKey('file store').toString('hex');
}

/** Whether the store is empty, or the database has a record of one of its files. */
async function isKnown(storage: Storage, store: SweptStore): Promise<boolean> {
  let isEmpty = true;
  for await (const batch of listInBatches(store)) {
    isEmpty = false;
    const digests = batch.map(({ sha256 }) => sha256);
    if ((await storage.read(selectNeededFiles(digests, 0))).size > 0) return true;
  }
  return isEmpty;
}

async function* listInBatches(store: SweptStore): AsyncGenerator<readonly DatedFile[]> {
  let batch: DatedFile[] = [];
  for await (const file of store.list()) {
    batch.push(file);
    if (batch.length < COMPARED_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export interface SweepOptions {
  readonly storage: Storage;
  readonly store: SweptStore;
  readonly now: number;
  readonly keepDays: number;
  readonly isStopped?: () => boolean;
  readonly onRemoved?: FileSweepParts['onRemoved'];
}

/** The number of files and bytes that a sweep has removed. */
export interface Swept {
  readonly files: number;
  readonly bytes: number;
  /** Parts of abandoned uploads. */
  readonly leftOvers: number;
}

/** Removes replaced files that can no longer be restored, files without a record, leftovers and abandoned uploads. */
export async function sweepFiles(options: SweepOptions): Promise<Swept> {
  const { storage, store, now, keepDays, isStopped = () => false, onRemoved } = options;
  const since = findOldestRestorable(now, keepDays);
  const putBefore = new Date(now - UNRECORDED_MS);
  const removal: Removal = { storage, store, since, putBefore, onRemoved };
  const removed = { files: 0, bytes: 0 };
  for await (const { sha256, bytes } of listUnneeded(removal)) {
    if (isStopped()) return { ...removed, leftOvers: 0 };
    if (!(await removeIfUnused(removal, sha256))) continue;
    removed.files += 1;
    removed.bytes += bytes;
  }
  const leftOvers = (await store.removeLeftOvers(putBefore)) + (await removeAbandoned(store, putBefore));
  return { ...removed, leftOvers };
}

/** Removes uploads that nobody has continued since `before`, and returns how many. */
async function removeAbandoned({ partial }: SweptStore, before: Date): Promise<number> {
  let removed = 0;
  for await (const { id, lastChange } of partial.list()) {
    if (lastChange >= before) continue;
    await partial.remove(id);
    removed += 1;
  }
  return removed;
}

interface Removal {
  readonly storage: Storage;
  readonly store: SweptStore;
  /** A file that was replaced after this time can still be restored. */
  readonly since: number;
  readonly putBefore: Date;
  readonly onRemoved: FileSweepParts['onRemoved'];
}

async function* listUnneeded({ storage, store, since, putBefore }: Removal): AsyncGenerator<SweptFile> {
  for await (const batch of listInBatches(store)) {
    const old = batch.filter(({ lastPut }) => lastPut < putBefore);
    const needed = await storage.read(
      selectNeededFiles(
        old.map(({ sha256 }) => sha256),
        since,
      ),
    );
    yield* old.filter(({ sha256 }) => !needed.has(sha256));
  }
  // The other replaced files are no longer in the store: a process ended before it could record the removal.
  yield* await storage.read(selectReplacedFiles(since, REPLACED_AT_ONCE));
}

async function removeIfUnused(
  { storage, store, since, putBefore, onRemoved }: Removal,
  sha256: string,
): Promise<boolean> {
  const isRemoved = await storage.transaction(async (transaction) => {
    if ((await transaction.run(selectNeededFiles([sha256], since))).has(sha256)) return false;
    const isGone = await store.remove(sha256, putBefore);
    if (isGone || !(await store.has(sha256))) await transaction.run(markFileRemoved(sha256));
    return isGone;
  });
  if (isRemoved) await onRemoved?.(sha256);
  return isRemoved;
}
