// An open database: reads for the delivery API, and one transaction at a time for everything that writes.

import { tryWriting } from './accounts/idempotent-calls.ts';
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

/** What another thread needs to open the same database. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export interface Storage {
  readonly address: DatabaseAddress;
  readonly delivery: DeliveryReads;
  /**
   * A key of 32 bytes that all processes and nodes of this database share, for signing and sealing.
   * @param label names the purpose; each purpose has its own key
   */
  deriveKey(label: string): Buffer;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * A list, within the time limit of a request: a list that takes longer fails with `TookTooLong`.
   * @param build may be called again
   */
  readList<Outcome>(build: () => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /** For long reads: all of them see one moment, and nobody waits for them. */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** A separate transaction for data that no answer depends on. Engines that can do so keep all caches valid. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** Passes on the outcome of a write that another thread makes to this database. When it resolves, reads see the write. */
  followElsewhere<Outcome>(write: Promise<Outcome>): Promise<Outcome>;
  /** From now on, writes do not wait for an import: the process is about to stop. */
  stopWaiting(): void;
  /** Aborted by `stopWaiting`. */
  readonly stopping: AbortSignal;
  /** Why writes fail at the moment, although reads work; undefined if no fault is known. */
  writeFault(): StorageFault | undefined;
  listenToWrites(listener: WriteListener): void;
  /** Resolves when the database answers and has the schema that this release knows. */
  check(): Promise<void>;
  /** Figures of a shared server; undefined for an embedded database. */
  figures(): DatabaseFigures | undefined;
  /** Erases the traces of deleted rows from files beside the database, unless another process keeps reading them. */
  eraseTraces(): Promise<void>;
  close(): Promise<void>;
}

export function buildStorage(engine: Engine, installationKey: Buffer, address: DatabaseAddress): Storage {
  const stopping = new AbortController();
  const writes = new WriteWatch(() => engine.writeUnseen(tryWriting()));
  return {
    address,
    delivery: new DeliveryReads(engine),
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
        // The database is unreachable now, but the write was kept.
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
        // The deletion itself was kept. The next deletion, or the end of the process, erases the traces.
        if (!(error instanceof StorageFault)) throw error;
      }
    },
    async close() {
      await writes.close();
      await engine.close();
    },
  };
}

/** A read that only makes the engine look for new writes. */
function* readNothing(): Procedure<void> {}
