// An open database: reads for the delivery API, and one transaction at a time for all writes.

import { tryWriting } from './accounts/idempotent-calls.ts';
import { AssetReads } from './asset-reads.ts';
import { DeliveryReads } from './delivery-reads.ts';
import {
  type CallerName,
  type DatabaseFigures,
  type Engine,
  type Snapshot,
  StorageFault,
  type Transaction,
  type TransactionOptions,
} from './engine.ts';
import { deriveKey } from './installation-key.ts';
import { checkSchema } from './migrations.ts';
import { moveOnce } from './publication/announce.ts';
import { againIfLost } from './retry.ts';
import type { Procedure } from './statement.ts';
import { type WriteListener, WriteWatch } from './write-watch.ts';

/** The information that another thread needs to open the same database. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export interface Storage {
  readonly address: DatabaseAddress;
  readonly delivery: DeliveryReads;
  readonly assets: AssetReads;
  /**
   * A 32-byte key for signing and encryption, shared by all processes and nodes that use this database.
   * @param label identifies the purpose; each purpose has its own key
   */
  deriveKey(label: string): Buffer;
  /** The key that signs a site's image URLs. */
  imageKey(siteId: string): string;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * Reads a list within a request's time limit. A list that takes longer fails with `TookTooLong`.
   * @param build may be called again
   */
  readList<Outcome>(build: () => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /** For long reads: all of them see the database at the same point in time, and no other work has to wait for them. */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** A separate transaction for data that no response depends on. Engines that can keep all caches valid do so. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** Returns the outcome of a write to this database by another thread. Once the promise resolves, reads see the write. */
  followElsewhere<Outcome>(write: Promise<Outcome>): Promise<Outcome>;
  /** From now on, writes do not wait for an import, because the process is about to stop. */
  stopWaiting(): void;
  /** Aborted by `stopWaiting`. */
  readonly stopping: AbortSignal;
  /** The fault that makes writes fail while reads still work; undefined if none is known. */
  writeFault(): StorageFault | undefined;
  listenToWrites(listener: WriteListener): void;
  /** Resolves if the database responds and has this release's schema version. */
  check(): Promise<void>;
  /** Statistics about a shared server; undefined for an embedded database. */
  figures(): DatabaseFigures | undefined;
  /** Erases the traces of deleted rows from the files next to the database, unless another process is still reading them. */
  eraseTraces(): Promise<void>;
  close(): Promise<void>;
}

export function buildStorage(engine: Engine, installationKey: Buffer, address: DatabaseAddress): Storage {
  const stopping = new AbortController();
  const imageKey = (siteId: string): string => deriveKey(installationKey, `images ${siteId}`).toString('base64url');
  const writes = new WriteWatch(() => engine.writeUnseen(tryWriting()));
  return {
    address,
    delivery: new DeliveryReads(engine),
    assets: new AssetReads(engine, imageKey),
    imageKey,
    deriveKey: (label) => deriveKey(installationKey, label),
    read: async (procedure) => engine.read(() => procedure),
    readList: (build, caller) => engine.readList(build, caller),
    snapshot: (work) => engine.snapshot(work),
    transaction: (work, options) =>
      writes.follow(engine.transaction((transaction) => moveOnce(transaction, work), options)),
    writeUnseen: (procedure) => writes.follow(engine.writeUnseen(procedure)),
    async followElsewhere(write) {
      const outcome = await writes.follow(write);
      try {
        await engine.read(readNothing);
      } catch {
        // The database is unreachable now, but the write was committed.
      }
      return outcome;
    },
    stopping: stopping.signal,
    stopWaiting() {
      engine.stopWaiting();
      stopping.abort();
    },
    writeFault: () => writes.fault,
    listenToWrites: (listener) => writes.listen(listener),
    check: () => againIfLost(() => checkSchema(engine)),
    figures: () => engine.figures(),
    async eraseTraces() {
      try {
        await writes.follow(engine.eraseTraces());
      } catch (error) {
        // The deletion itself is committed. The next deletion, or the end of the process, erases the traces.
        if (!(error instanceof StorageFault)) throw error;
      }
    },
    async close() {
      await writes.close();
      await engine.close();
    },
  };
}

/** A read whose only purpose is to make the engine check for new writes. */
function* readNothing(): Procedure<void> {}
