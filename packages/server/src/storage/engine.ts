// The interface of a database engine. The rest of storage is written once, for all engines.

import type { Procedure } from './statement.ts';

export interface Transaction {
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * For work that writes a large part of all the rows that its tables will hold. An engine may drop indexes during the work and
   * rebuild them at the end. If the work fails, so does the transaction.
   * @param mayGo says whether the work can do without an index
   */
  fill<Outcome>(mayGo: (index: string) => boolean, work: () => Promise<Outcome>): Promise<Outcome>;
}

export interface TransactionOptions {
  /** Whether it is an import. Other writers wait longer for it than for other writes, and are told that one is running. */
  readonly isImport?: boolean;
}

/** A moment of the database that is held open. */
export interface Snapshot {
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
}

/** The caller of a slow request. Callers take turns, so that no caller has to wait long for the many requests of another. */
export type CallerName = string;

export interface Engine {
  /**
   * Runs a procedure that only reads; all its queries see one moment of the database.
   * An engine that has the data at hand answers synchronously: a promise would cost as much as the read.
   * @param build gets the stamp of that moment: two moments with the same stamp hold the same data.
   */
  read<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome | Promise<Outcome>;
  /**
   * The same for a list, within the time limit of a request: a list that takes longer fails with `TookTooLong`.
   * @param build may be called again
   */
  readList<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /**
   * The same for incoming requests: those that were waiting together may share a moment. The moment is never older than
   * the request.
   * @param build may be called again if its stamp turns out to be old or the server fails; the first procedure is then abandoned
   */
  readForRequest<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Outcome | Promise<Outcome>;
  /** The same, always from the primary if the engine has several servers. */
  readNewestForRequest<Outcome>(
    build: (stamp: number) => Procedure<Outcome>,
    caller: CallerName,
  ): Outcome | Promise<Outcome>;
  /**
   * The stamp of the moment that `readForRequest` would read now; undefined if only the database knows it. It may miss what other
   * nodes have written within the configured freshness.
   */
  peekStamp(): number | undefined;
  /** While the database is unreachable: how many milliseconds ago it was last reached. */
  outageMs(): number | undefined;
  /** Figures of a shared server; undefined for an embedded database. */
  figures(): DatabaseFigures | undefined;
  /** For long reads: all of them see one moment, and nobody waits for them. */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  /** One writer at a time; all of the transaction is kept, or nothing. */
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** Writes data that is never cached under a stamp. Engines that can do so keep the stamp as it is. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** Erases the traces of deleted rows from files beside the database, unless another process keeps reading them. */
  eraseTraces(): Promise<void>;
  /** From now on, writes do not wait for an import: the process is about to stop. */
  stopWaiting(): void;
  close(): Promise<void>;
}

export interface PoolFigures {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseFigures {
  /** How long ago the newest stamp was last confirmed; undefined before the first time. */
  readonly stampAgeMs: number | undefined;
  readonly failedPolls: number;
  readonly isListening: boolean;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly replicas: readonly ReplicaFigures[];
}

export interface ReplicaFigures {
  /** Such as `10.0.0.2:5432/galley`. */
  readonly name: string;
  /** Whether it serves requests. */
  readonly isUsed: boolean;
  /** How far it lags behind, as far as this node can tell. */
  readonly lagMs: number;
  readonly pool: PoolFigures;
}

/** How an engine spells what the schema needs. */
export interface ColumnTypes {
  /** An integer primary key that the database assigns. */
  readonly serial: string;
  /** Holds times in milliseconds. */
  readonly integer: string;
  readonly number: string;
  /** Text that is compared byte by byte. */
  readonly text: string;
  /** Ends the definition of a table that is only read through its primary key and indexes. */
  readonly narrowTable: string;
}

/** The database cannot be used now; the request may succeed later. */
export class StorageUnavailable extends Error {}

/** A request has used up its time, or too many slow requests are already waiting for a turn. */
export class TookTooLong extends StorageUnavailable {}

/** Another process has been importing a bundle for longer than a write waits. */
export class ImportRunning extends StorageUnavailable {}

/** A working connection was closed in the middle. The server may still be up, so a read can be retried. */
export class ConnectionLost extends StorageUnavailable {}

/** The connection or the disk failed during a commit: nobody knows whether the change was kept. Every other failure keeps nothing. */
export class OutcomeUnknown extends StorageUnavailable {
  /** The fault of the disk or the database that caused it, if there is one. */
  get fault(): StorageFault | undefined {
    return this.cause instanceof StorageFault ? this.cause : undefined;
  }
}

/** No space is left; the database takes no writes; files cannot be read or written; a thread of the service fails. */
export type Obstacle = 'full' | 'read-only' | 'failing' | 'thread';

/** The database or its disk does not work, and somebody has to fix it. Reads usually still work. */
export class StorageFault extends StorageUnavailable {
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle, message: string, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/** The database cannot be opened as it is; the message is for the person who started the service. */
export class DatabaseUnusable extends Error {}

/** A write would have broken a constraint of the schema, such as a unique slug. */
export class ConstraintViolation extends Error {}
