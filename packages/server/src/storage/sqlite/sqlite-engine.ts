// The embedded engine: Node's built-in SQLite. One connection reads and one writes, so readers never wait for a writer. A procedure sees
// a single snapshot, because it either runs without interruption or is part of the only writing transaction. Slow lists run on a separate
// thread.

import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type CallerName,
  type ColumnTypes,
  type Engine,
  type Snapshot,
  StorageUnavailable,
  TookTooLong,
  type Transaction,
  type TransactionOptions,
} from '../engine.ts';
import { awaitTurn, WRITE_PATIENCE, type WritePatience } from '../retry.ts';
import type { Procedure } from '../statement.ts';
import type { Checkpoint } from './checkpoint-thread.ts';
import type { Checkpoints } from './checkpoints.ts';
import { fillWithoutIndexes } from './fill-without-indexes.ts';
import { ImportMark } from './import-mark.ts';
import { LongReads } from './long-reads.ts';
import { MainThreadTime, Turns } from './main-thread-time.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { isBusy, translateCommitError } from './sqlite-errors.ts';

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  serial: 'integer primary key',
  integer: 'integer',
  number: 'real',
  text: 'text',
  narrowTable: 'without rowid',
};

/** A large import may have to sort more rows than fit in memory, so they are sorted in a file. */
const WRITER_SETTINGS = 'pragma synchronous = full; pragma busy_timeout = 0; pragma temp_store = file';

export class SqliteEngine implements Engine {
  readonly #path: string;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #longReads: LongReads;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #time = new MainThreadTime();
  readonly #importMark: ImportMark;
  readonly #patience: WritePatience;
  readonly #closeSnapshot = () => this.#reader.closeSnapshot();
  #lastWrite: Promise<unknown> = Promise.resolve();
  #isStopping = false;
  #pollsAtSnapshot = 0;

  /**
   * @param checkpoints without them, commits copy the log themselves
   * @param settings the settings for the engine's connections
   */
  constructor(path: string, checkpoints: Checkpoints | undefined, patience = WRITE_PATIENCE, settings = '') {
    // The database contains drafts and key hashes, so a new folder is accessible only to the current user.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The same applies to a new file. SQLite assigns the same permissions to the files next to it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    this.#path = path;
    this.#importMark = new ImportMark(path);
    this.#patience = patience;
    this.#checkpoints = checkpoints;
    const ownCheckpoints = checkpoints === undefined ? '' : 'pragma wal_autocheckpoint = 0;';
    this.#writer = new SqliteConnection(path, `${WRITER_SETTINGS}; ${ownCheckpoints} ${settings}`);
    this.#reader = new SqliteConnection(path, `pragma query_only = 1; ${settings}`);
    this.#longReads = new LongReads(path);
  }

  read<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome {
    this.#reader.closeSnapshot();
    try {
      return this.#reader.runInSnapshot(build);
    } finally {
      this.#reader.closeSnapshot();
    }
  }

  // Node determines which connections have data, and then serves them one after another. Their requests can share a snapshot, because all
  // of them were sent before the first of them opened the snapshot. Requests that Node finds later do not use it.
  readForRequest<Outcome>(
    build: (stamp: number) => Procedure<Outcome>,
    caller: CallerName,
  ): Outcome | Promise<Outcome> {
    this.peekStamp();
    try {
      return this.#reader.runInSnapshot(build, this.#time);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      return this.#longReads.read(build, caller);
    }
  }

  readNewestForRequest<Outcome>(
    build: (stamp: number) => Procedure<Outcome>,
    caller: CallerName,
  ): Outcome | Promise<Outcome> {
    return this.readForRequest(build, caller);
  }

  async readList<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome> {
    this.#reader.closeSnapshot();
    try {
      return this.#reader.runInSnapshot(build, this.#time);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      return this.#longReads.read(build, caller);
    } finally {
      this.#reader.closeSnapshot();
    }
  }

  peekStamp(): number {
    const polls = countPolls();
    if (this.#reader.hasSnapshot && polls !== this.#pollsAtSnapshot) this.#reader.closeSnapshot();
    if (!this.#reader.hasSnapshot) {
      this.#pollsAtSnapshot = polls;
      setImmediate(this.#closeSnapshot);
    }
    return this.#reader.openSnapshot();
  }

  outageMs(): undefined {
    return undefined;
  }

  figures(): undefined {
    return undefined;
  }

  /** Uses a separate connection, so it does not affect the snapshots that requests use. */
  async snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome> {
    const reader = new SqliteConnection(this.#path, 'pragma query_only = 1');
    try {
      reader.holdSnapshot();
      return await work({ run: async (procedure) => reader.run(procedure) });
    } finally {
      reader.close();
    }
  }

  transaction<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    { isImport = false }: TransactionOptions = {},
  ): Promise<Outcome> {
    const askedAt = performance.now();
    return this.#takeTurn(async () => {
      await this.#beginWriting(askedAt);
      const outcome = await (isImport ? this.#writeMarked(work) : this.#writeAlone(work));
      this.#copyLongLog();
      return outcome;
    });
  }

  #takeTurn<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#lastWrite.then(work);
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  /** In SQLite, every commit changes the stamp, including this one. */
  writeUnseen(procedure: Procedure<void>): Promise<void> {
    return this.transaction((transaction) => transaction.run(procedure));
  }

  #beginWriting(askedAt: number): Promise<void> {
    return awaitTurn({
      askedAt,
      patience: this.#patience,
      begin: (waitMs) => beginWriting(this.#writer, waitMs),
      isBusy: isHeldByOther,
      isImportRunning: () => this.#importMark.isSet(),
      isStopping: () => this.#isStopping,
    });
  }

  /** The mark is kept until the transaction is over, because the commit may take a while too. */
  async #writeMarked<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    let takeAway: (() => void) | undefined;
    try {
      return await this.#writeAlone((transaction) => {
        takeAway = this.#importMark.set();
        return work(transaction);
      });
    } finally {
      takeAway?.();
    }
  }

  /** Runs in the open transaction. */
  async #writeAlone<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    const writer = this.#writer;
    const turns = new Turns();
    let isOver = false;
    let hasFailed = false;
    try {
      const outcome = await work({
        run: async (procedure) => {
          if (isOver) throw new Error('The transaction is over');
          return writer.runInTurns(procedure, turns);
        },
        fill: async (mayGo, filling) => {
          if (isOver) throw new Error('The transaction is over');
          hasFailed = true;
          const filled = await fillWithoutIndexes(writer, mayGo, filling);
          hasFailed = false;
          return filled;
        },
      });
      if (hasFailed) throw new Error('The transaction cannot be committed: its rows could not be written');
      isOver = true;
      if (turns.isLong()) await turns.giveWay();
      commit(writer);
      this.#reader.closeSnapshot();
      return outcome;
    } catch (error) {
      isOver = true;
      writer.rollBack();
      throw error;
    }
  }

  #copyLongLog(): void {
    if (this.#checkpoints === undefined || this.#checkpoints.areRunning) return;
    try {
      const [, pages, copied] = this.#writer.readPragma('wal_checkpoint(noop)');
      if (Number(pages) - Number(copied) >= LONG_LOG_PAGES) void this.#checkpoint('passive');
    } catch {
      // The transaction is already committed, so this error does not matter. The next commit tries again.
    }
  }

  eraseTraces(): Promise<void> {
    return this.#takeTurn(() => this.#longReads.whileIdle(() => this.#emptyLog()));
  }

  /** The write-ahead log still contains old pages. It can be emptied only while no connection is reading from it. */
  async #emptyLog(): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      this.#reader.closeSnapshot();
      if (await this.#checkpoint('truncate')) return;
      await setTimeout(LOOK_AGAIN_MS);
    }
  }

  /** Without a thread, the writing connection copies the log. */
  async #checkpoint(checkpoint: Checkpoint): Promise<boolean> {
    const isCopied = await this.#checkpoints?.run(checkpoint);
    if (isCopied !== undefined) return isCopied;
    try {
      const [isHeld] = this.#writer.readPragma(`wal_checkpoint(${checkpoint})`);
      return isHeld === 0;
    } catch {
      return false;
    }
  }

  stopWaiting(): void {
    this.#isStopping = true;
  }

  async close(): Promise<void> {
    this.stopWaiting();
    await this.#lastWrite;
    await this.#longReads.close();
    await this.#checkpoints?.close();
    this.#reader.close();
    this.#writer.close();
  }
}

/** The same limit as for SQLite's own checkpoints. */
const LONG_LOG_PAGES = 1000;
const LOOK_AGAIN_MS = 20;
/** The maximum number of attempts to empty the log. */
const MOST_ATTEMPTS = 10;

/**
 * Increases each time Node checks which connections have data, and again once it has served them. A `setImmediate` or timer callback
 * runs before the next check, so a snapshot that it opens may be older than the requests that Node then finds.
 */
function countPolls(): number {
  const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
  return loopCount + events;
}

/** If SQLite itself waited, it would block the whole process. We retry instead, and serve readers between the attempts. */
async function beginWriting(writer: SqliteConnection, waitMs: number): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      writer.execute('begin immediate');
      return;
    } catch (error) {
      if (!isHeldByOther(error) || performance.now() >= giveUpAt) throw error;
    }
    // The pause is random, so two processes do not keep colliding.
    await setTimeout(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
}

function commit(writer: SqliteConnection): void {
  try {
    writer.execute('commit');
  } catch (error) {
    throw translateCommitError(error);
  }
}

function isHeldByOther(error: unknown): boolean {
  return error instanceof StorageUnavailable && isBusy(error.cause);
}
