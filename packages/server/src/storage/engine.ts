// What a database engine offers to the rest of storage. Everything else is written once, for all engines.

import type { Procedure } from './statement.ts';

export interface Transaction {
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /**
   * For work that writes a great part of all that its tables will hold. An engine may take indexes away meanwhile and
   * make them again at the end. Where the work fails, so does the transaction.
   * @param mayGo tells which indexes the work does not need
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

/** Who asks for something that may take long. Callers take turns, so that one who asks for much keeps no other waiting for long. */
export type CallerName = string;

export interface Engine {
  /**
   * Runs a procedure that only reads; all its queries see one moment of the database.
   * An engine that has the data at hand answers at once: a promise would cost as much as the read.
   * @param build gets the stamp of that moment: two moments with the same stamp hold the same data.
   */
  read<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome | Promise<Outcome>;
  /**
   * The same for a list, within the time that one request may take: what takes longer fails with `TookTooLong`.
   * @param build may be called again
   */
  readList<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome>;
  /**
   * The same, for requests as they come in: those that were waiting together may share a moment. It is never older than
   * the arrival of a request.
   * @param build may be called again, where its stamp turns out to be old or the server fails: what the procedure of
   * before would have come to is not asked for
   */
  readForRequest<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Outcome | Promise<Outcome>;
  /** The same, where an engine has several servers always from the one that is written to. */
  readNewestForRequest<Outcome>(
    build: (stamp: number) => Procedure<Outcome>,
    caller: CallerName,
  ): Outcome | Promise<Outcome>;
  /**
   * The stamp of the moment that `readForRequest` would read now; undefined where only the database knows it. What other
   * nodes write may be missing for as long as the engine was told to bear with.
   */
  peekStamp(): number | undefined;
  /** While the database cannot be reached, how many milliseconds ago it last could. */
  outageMs(): number | undefined;
  /** Of a server that is shared; undefined where there is none. */
  figures(): DatabaseFigures | undefined;
  /** For reads that take their time: all of them see one moment, and nobody waits for them. */
  snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome>;
  /** One writer at a time; all of it is kept, or nothing. */
  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    options?: TransactionOptions,
  ): Promise<Outcome>;
  /** Writes what is never remembered under a stamp: where an engine can, it leaves the moment its stamp. */
  writeUnseen(procedure: Procedure<void>): Promise<void>;
  /** Erases what rows that were deleted left in files beside the database, unless another process reads all the while. */
  eraseTraces(): Promise<void>;
  /** From now on, writes do not wait for the end of an import: the process is about to stop. */
  stopWaiting(): void;
  close(): Promise<void>;
}

export interface PoolFigures {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseFigures {
  /** How long ago the newest stamp was known to be that; undefined before the first time. */
  readonly stampAgeMs: number | undefined;
  readonly failedPolls: number;
  readonly isListening: boolean;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly replicas: readonly ReplicaFigures[];
}

export interface ReplicaFigures {
  /** Such as `10.0.0.2:5432/galley`. */
  readonly name: string;
  /** Whether requests are read from it. */
  readonly isUsed: boolean;
  /** How late it is, as far as this node can tell. */
  readonly lagMs: number;
  readonly pool: PoolFigures;
}

/** How an engine spells what the schema needs. */
export interface ColumnTypes {
  /** An integer primary key that the database hands out. */
  readonly serial: string;
  /** Holds times in milliseconds. */
  readonly integer: string;
  readonly number: string;
  /** Text that is compared byte by byte. */
  readonly text: string;
  /** What ends the definition of a table that is read only through its primary key and indexes. */
  readonly narrowTable: string;
}

/** The database cannot be used now; the request may succeed later. */
export class StorageUnavailable extends Error {}

/** A request has used up the time that it may take, or too many that take long wait for their turn. */
export class TookTooLong extends StorageUnavailable {}

/** Another process imports a bundle, and has done so for longer than a write waits. */
export class ImportRunning extends StorageUnavailable {}

/** A connection that worked was ended in the middle. The server may be there all the same, and a read can be tried again. */
export class ConnectionLost extends StorageUnavailable {}

/** The connection or the disk failed during a commit: the change may have been kept, or not. Every other failure keeps nothing. */
export class OutcomeUnknown extends StorageUnavailable {
  /** The fault of the disk or the database that caused it, if there is one. */
  get fault(): StorageFault | undefined {
    return this.cause instanceof StorageFault ? this.cause : undefined;
  }
}

/** No space is left; the database takes no writes; files cannot be read or written; a thread of the service fails. */
export type Obstacle = 'full' | 'read-only' | 'failing' | 'thread';

/** The database or its disk does not work, and somebody has to put that right. Mostly, reading goes on. */
export class StorageFault extends StorageUnavailable {
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle, message: string, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/** The database cannot be opened as it is; the message is for the person who started the service. */
export class DatabaseUnusable extends Error {}

/** A write would have broken a rule that the schema keeps, such as a slug used twice. */
export class ConstraintViolation extends Error {}
