// The interface of a database engine. All other storage code is written once, for all engines.

import type { Procedure } from './statement.ts';

export interface Transaction {
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * Runs work that writes most of the rows in its tables. An engine may drop indexes before the work and rebuild them
   * afterwards. If the work fails, the transaction fails too.
   * @param mayGo returns true for an index that the work does not need
   */
  fill<Outcome>(mayGo: (index: string) => boolean, work: () => Promise<Outcome>): Promise<Outcome>;
}

export interface TransactionOptions {
  /** Whether the transaction is an import. Other writes wait longer for an import, and their errors say that an import is running. */
  readonly isImport?: boolean;
}

/** A view of the database at one point in time, held open for several reads. */
export interface Snapshot {
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
}

/** The caller of a slow request. Callers take turns, so no caller has to wait long while another one sends many requests. */
export type CallerName = string;

export interface Engine {
  /**
   * Runs a read-only procedure; all its queries see the same snapshot of the database. An embedded engine returns the outcome
   * synchronously, because a promise would take as much time as the read itself.
   * @param build receives the stamp of that snapshot. Two snapshots with the same stamp contain the same data.
   */
  read<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome | Promise<Outcome>;
  /**
   * Like `read`, but for a list, and with a request's time limit. A list that takes longer fails with `TookTooLong`.
   * @param build may be called again
   */
  readList<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /**
   * Like `read`, but for incoming requests. Requests that wait at the same time may share a snapshot, which is never older than any of
   * these requests.
   * @param build may be called again, even with the same stamp; the first procedure is then abandoned
   */
  readForRequest<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Outcome | Promise<Outcome>;
  /** Like `readForRequest`, but always from the primary if the engine has several servers. */
  readNewestForRequest<Outcome>(
    build: (stamp: number) => Procedure<Outcome>,
    caller: CallerName,
  ): Outcome | Promise<Outcome>;
  /**
   * The stamp of the snapshot that `readForRequest` would read now; undefined if it cannot be determined without a database read. Writes
   * that other nodes made within the configured freshness period may be missing.
   */
  peekStamp(): number | undefined;
  /** While the database is unreachable, the number of milliseconds since it was last reached. */
  outageMs(): number | undefined;
  /** Statistics about a shared server; undefined for an embedded database. */
  figures(): DatabaseFigures | undefined;
  /**
   * Used for long reads: all of them see the database at the same point in time, and no other work has to wait for
   * them.
   */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  /** Only one transaction writes at a time. It is committed completely or not at all. */
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** Writes data that is never cached under a stamp. Engines that can leave the stamp unchanged do so. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** Erases the traces of deleted rows from the files next to the database, unless another process is still reading them. */
  eraseTraces(): Promise<void>;
  /** From now on, writes do not wait for an import, because the process is about to stop. */
  stopWaiting(): void;
  close(): Promise<void>;
}

export interface PoolFigures {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseFigures {
  /** How long ago the latest stamp was last confirmed; undefined before the first confirmation. */
  readonly stampAgeMs: number | undefined;
  readonly failedPolls: number;
  readonly isListening: boolean;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly replicas: readonly ReplicaFigures[];
}

export interface ReplicaFigures {
  /** Such as `10.0.0.2:5432/galley`. */
  readonly name: string;
  /** Whether the server serves requests. */
  readonly isUsed: boolean;
  /** How far the server lags behind the primary, according to this node. */
  readonly lagMs: number;
  readonly pool: PoolFigures;
}

/** The engine's SQL for the types that the schema needs. */
export interface ColumnTypes {
  /** An integer primary key assigned by the database. */
  readonly serial: string;
  /** Large enough for times in milliseconds. */
  readonly integer: string;
  readonly number: string;
  /** Text that is compared byte by byte. */
  readonly text: string;
  /** Ends the definition of a table that is only ever read through its primary key and indexes. */
  readonly narrowTable: string;
}

/** The database cannot be used at the moment. The request may succeed later. */
export class StorageUnavailable extends Error {}

/** A request has exceeded its time limit, or too many slow requests are already waiting for their turn. */
export class TookTooLong extends StorageUnavailable {}

/** Another process has been importing a bundle for longer than a write may wait. */
export class ImportRunning extends StorageUnavailable {}

/** A working connection was closed during a read. The server may still be up, so the read can be retried. */
export class ConnectionLost extends StorageUnavailable {}

/**
 * The connection or the disk failed during a commit, so the change may or may not have been saved. After any other failure, nothing was
 * saved.
 */
export class OutcomeUnknown extends StorageUnavailable {
  /** The disk or database fault that caused the failure, if any. */
  get fault(): StorageFault | undefined {
    return this.cause instanceof StorageFault ? this.cause : undefined;
  }
}

/** The disk is full, the database is read-only, files cannot be read or written, or one of the service's threads has failed. */
export type Obstacle = 'full' | 'read-only' | 'failing' | 'thread';

/** The database or its disk has a fault that someone has to fix. Reads usually still work. */
export class StorageFault extends StorageUnavailable {
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle, message: string, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/** The database cannot be opened in its current state. The message is for the person who started the service. */
export class DatabaseUnusable extends Error {}

/** A write would have violated a schema constraint, such as the uniqueness of slugs. */
export class ConstraintViolation extends Error {}
