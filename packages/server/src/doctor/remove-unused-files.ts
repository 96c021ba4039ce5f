// Removes stored files that no record names, and the parts of abandoned uploads. It can run while the service runs: see the rules for
// removals in files/file-store.ts.

import type { FileEntry, FileStore } from '../files/file-store.ts';
import { joinFiles } from '../files/join-files.ts';
import { isFileRecorded, readRecordedFiles } from '../storage/sites/asset-files.ts';
import type { Storage } from '../storage/storage.ts';
import { type Removable, SETTLED_MS } from './check-files.ts';

/** Nobody can save while a transaction is open, and a bucket takes a while for each removal. */
const REMOVED_AT_ONCE = 10;

export async function removeUnusedFiles(storage: Storage, store: FileStore, now: number): Promise<Removable> {
  const before = new Date(now - SETTLED_MS);
  const removed = { files: 0, bytes: 0 };

  async function remove(candidates: readonly FileEntry[]): Promise<void> {
    if (candidates.length === 0) return;
    await storage.transaction(async (transaction) => {
      for (const { sha256, bytes } of candidates) {
        if (await transaction.run(isFileRecorded(sha256))) continue;
        if (!(await store.remove(sha256, before))) continue;
        removed.files += 1;
        removed.bytes += bytes;
      }
    });
  }

  let candidates: FileEntry[] = [];
  const records = readRecordedFiles((procedure) => storage.read(procedure), 0);
  for await (const { recorded, stored } of joinFiles(records, store.list())) {
    if (recorded !== undefined || stored === undefined || stored.lastPut >= before) continue;
    candidates.push(stored);
    if (candidates.length < REMOVED_AT_ONCE) continue;
    await remove(candidates);
    candidates = [];
  }
  await remove(candidates);
  const leftOvers = (await store.removeLeftOvers(before)) + (await store.partial.removeUnchanged(before));
  return { ...removed, leftOvers };
}
