// The database, opened: reads for the delivery API, one transaction at a time for everything that writes.

import { DeliveryReads } from './delivery-reads.ts';
import type { CallerName, DatabaseFigures, Engine, Snapshot, Transaction, TransactionOptions } from './engine.ts';
import { deriveKey } from './installation-key.ts';
import { checkSchema } from './migrations.ts';
import type { Procedure } from './statement.ts';

export interface Storage {
  readonly delivery: DeliveryReads;
  /**
   * A key of 32 bytes that all processes and nodes of this database share, for signing and sealing.
   * @param label names the purpose; each purpose has a key of its own
   */
  deriveKey(label: string): Buffer;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * A list, within the time that one request may take: what takes longer fails as unavailable.
   * @param build may be called again
   */
  readList<Outcome>(build: () => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /** For reads that take their time: all of them see one moment, and nobody waits for them. */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** A transaction of its own for what no answer depends on; caches stay as they are, where the engine can do that. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** From now on, writes do not wait for the end of an import: the process is about to stop. */
  stopWaiting(): void;
  /** Resolves when the database answers and has the schema that this release knows. */
  check(): Promise<void>;
  /** Of a server that is shared; undefined where there is none. */
  figures(): DatabaseFigures | undefined;
  /** Erases what rows that were deleted left in files beside the database, unless another process reads all the while. */
  eraseTraces(): Promise<void>;
  close(): Promise<void>;
}

export function buildStorage(engine: Engine, installationKey: Buffer): Storage {
  return {
    delivery: new DeliveryReads(engine),
    deriveKey: (label) => deriveKey(installationKey, label),
    read: async (procedure) => engine.read(() => procedure),
    readList: (build, caller) => engine.readList(build, caller),
    snapshot: (work) => engine.snapshot(work),
    transaction: (work, options) => engine.transaction(work, options),
    writeUnseen: (procedure) => engine.writeUnseen(procedure),
    stopWaiting: () => engine.stopWaiting(),
    check: () => checkSchema(engine),
    figures: () => engine.figures(),
    eraseTraces: () => engine.eraseTraces(),
    close: () => engine.close(),
  };
}
