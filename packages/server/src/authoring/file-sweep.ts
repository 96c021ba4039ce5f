// Removes files that nothing needs any more from the store. Each removal is one transaction: it excludes the transactions in which uploads
// record their files, and those check that the file is still there. So an upload of the same bytes never loses its file.

import type { Logger } from 'pino';
import { isFileNeeded, markFileRemoved, selectReplacedFiles } from '../storage/sites/asset-files.ts';
import type { Storage } from '../storage/storage.ts';

/** The part of the file store that a sweep uses. */
export interface SweptStore {
  has(sha256: string): Promise<boolean>;
  remove(sha256: string, putBefore: Date): Promise<boolean>;
  list(): AsyncIterable<{ readonly sha256: string; readonly lastPut: Date }>;
  removeLeftOvers(before: Date): Promise<number>;
  readonly partial: { removeUnchanged(before: Date): Promise<number> };
}

export interface FileSweepParts {
  readonly storage: Storage;
  readonly log: Logger;
  readonly now: () => number;
  /** How long a replaced file can be restored. */
  readonly keepMs: number;
  /** Undefined if there is no store yet. */
  readonly openStore: () => Promise<SweptStore | undefined>;
  /** Called with the digest of each file that was removed. */
  readonly onRemoved?: (sha256: string) => Promise<void>;
  readonly firstAfterMs?: number;
}

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** The service has more important things to do when it has just started. */
const FIRST_AFTER_MS = 30_000;
/** No upload takes so long from the first byte in the store to its record. */
const UNRECORDED_MS = DAY_MS;
const REPLACED_AT_ONCE = 1000;

/** Sweeps soon after the start, then every hour. Several nodes may do so at the same time. */
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
   * Removes the files of deleted assets at once, unless something else needs them. Call this inside the transaction that deletes the
   * assets: the removal waits for its end, and keeps the files if it fails.
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
        this.#parts.log.warn({ err: error }, 'unused files could not be removed; the next sweep tries again');
      }
    });
  }

  async #removeReleased(digests: readonly string[]): Promise<void> {
    const { storage, now, keepMs } = this.#parts;
    const store = await this.#parts.openStore();
    if (store === undefined) return;
    // The store may have another clock. Uploads that are under way put the file again.
    const putBefore = new Date(now() + DAY_MS);
    const options = { storage, store, onRemoved: this.#parts.onRemoved };
    for (const sha256 of digests) await removeIfUnused(options, sha256, now() - keepMs, putBefore);
  }

  async #sweep(): Promise<void> {
    const { storage, log, now, keepMs } = this.#parts;
    const store = await this.#parts.openStore();
    if (store === undefined) return;
    const isStopped = (): boolean => this.#isClosed;
    const removed = await sweepFiles({ ...this.#parts, storage, store, now: now(), keepMs, isStopped });
    if (removed > 0) log.info({ removed }, 'removed unused files');
  }
}

export interface SweepOptions {
  readonly storage: Storage;
  readonly store: SweptStore;
  readonly now: number;
  readonly keepMs: number;
  readonly isStopped?: () => boolean;
  readonly onRemoved?: FileSweepParts['onRemoved'];
}

/** Removes replaced files that can no longer be restored, files without a record, left-overs and abandoned uploads. Returns how many files it removed. */
export async function sweepFiles(options: SweepOptions): Promise<number> {
  const { storage, store, now, keepMs, isStopped = () => false } = options;
  const since = now - keepMs;
  const putBefore = new Date(now - UNRECORDED_MS);
  let removed = 0;
  for (const sha256 of await storage.read(selectReplacedFiles(since, REPLACED_AT_ONCE))) {
    if (isStopped()) return removed;
    if (await removeIfUnused(options, sha256, since, putBefore)) removed += 1;
  }
  for await (const { sha256, lastPut } of store.list()) {
    if (isStopped()) return removed;
    if (lastPut >= putBefore || (await storage.read(isFileNeeded(sha256, since)))) continue;
    if (await removeIfUnused(options, sha256, since, putBefore)) removed += 1;
  }
  await store.removeLeftOvers(putBefore);
  await store.partial.removeUnchanged(putBefore);
  return removed;
}

/** @param since a file that was replaced after this can still be restored */
async function removeIfUnused(
  { storage, store, onRemoved }: Pick<SweepOptions, 'storage' | 'store' | 'onRemoved'>,
  sha256: string,
  since: number,
  putBefore: Date,
): Promise<boolean> {
  const isRemoved = await storage.transaction(async (transaction) => {
    if (await transaction.run(isFileNeeded(sha256, since))) return false;
    const isGone = await store.remove(sha256, putBefore);
    if (isGone || !(await store.has(sha256))) await transaction.run(markFileRemoved(sha256));
    return isGone;
  });
  if (isRemoved) await onRemoved?.(sha256);
  return isRemoved;
}
