// One connection to the database file: prepared statements, and snapshots that several reads share.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { TookTooLong } from '../engine.ts';
import {
  bindParameters,
  type Cells,
  EMPTY_RESULT,
  type Parameter,
  type Procedure,
  type Query,
  type ResultSet,
  type Statement,
  TIME_CHECK,
} from '../statement.ts';
import { compileStatement } from './compile-query.ts';
import type { MainThreadTime, Turns } from './main-thread-time.ts';
import { isBusy, translateSqliteError } from './sqlite-errors.ts';

/** Limited, because Node must accept new connections between reads, however many reads there are. */
const MOST_READS_OF_A_SNAPSHOT = 128;

interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: readonly Parameter[];
  readonly columns: readonly string[];
}

interface OwnStatements {
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly dataVersion: StatementSync;
}

/**
 * These settings limit memory and disk usage: the page cache is small, and the log shrinks again after a large import. The file is not
 * mapped into memory: in our measurements, that did not make reads faster, and the mapped pages count towards the process's memory.
 * Deleted rows are overwritten with zeros, which made no measurable difference to imports and publishing.
 */
const CONNECTION_SETTINGS = [
  'cache_size = -8000',
  'journal_size_limit = 67108864',
  'temp_store = memory',
  'secure_delete = on',
] as const;

/** A 4 KB page with two bodies would be one third empty. Larger pages also halve the number of pages in the log. */
const PAGE_SIZE = 'pragma page_size = 8192';

/**
 * Each statement takes up about 25 KB outside V8's heap. Node frees this memory when the database is closed, or when V8 collects garbage.
 */
const MOST_STATEMENTS = 1000;

/** Shared by all connections, so no two states of the file have the same stamp. */
let newestStamp = 0;

/** `kept` leaves the file's journal mode unchanged; the service needs `wal`. */
type JournalMode = 'kept' | 'wal';

export class SqliteConnection {
  readonly #path: string;
  readonly #mode: string;
  #own: OwnStatements;
  #database: DatabaseSync;
  #prepared = new WeakMap<Statement, Prepared>();
  #preparedCount = 0;
  /** Changes with every commit by another connection. All writes use a connection other than the reader's. */
  #dataVersion: unknown;
  #stampOfVersion = 0;
  /** When to check whether the current statement has exceeded its time limit. */
  #lookAt = Number.POSITIVE_INFINITY;
  /** CPU time, in milliseconds. */
  #mostMs = 0;
  #startUsage = process.threadCpuUsage();
  /** The stamp of the open snapshot. */
  #stamp: number | undefined;
  #reads = 0;

  constructor(path: string, mode: string, journalMode: JournalMode = 'wal') {
    this.#path = path;
    this.#mode = mode;
    this.#database = this.#open(journalMode);
    this.#own = prepareOwn(this.#database);
  }

  #open(journalMode: JournalMode): DatabaseSync {
    const database = new DatabaseSync(this.#path, { timeout: 5000, enableForeignKeyConstraints: true });
    if (journalMode === 'wal') {
      // This applies to a new file. An existing one keeps its page size.
      database.exec(PAGE_SIZE);
      enterWalMode(database);
    }
    for (const setting of CONNECTION_SETTINGS) database.exec(`pragma ${setting}`);
    database.exec(this.#mode);
    database.function(TIME_CHECK, () => this.#checkTime());
    return database;
  }

  /** Replaces a connection that has prepared too many statements. If no new one can be opened, the old one stays in use. */
  #renew(): void {
    this.#preparedCount = 0;
    try {
      const database = this.#open('kept');
      const own = prepareOwn(database);
      this.#database.close();
      this.#database = database;
      this.#own = own;
    } catch {
      return;
    }
    this.#prepared = new WeakMap();
    this.#dataVersion = undefined;
  }

  execute(text: string): void {
    try {
      this.#database.exec(text);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** All cells returned by a pragma. */
  readPragma(text: string): readonly unknown[] {
    try {
      return this.#database.prepare(`pragma ${text}`).all().flatMap(Object.values);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** Returns the previous setting in the same form. @param setting such as `cache_size = 100` */
  exchangeSetting(setting: string): string {
    const [name = ''] = setting.split(' ');
    const [before] = this.readPragma(name);
    this.execute(`pragma ${setting}`);
    return `${name} = ${before}`;
  }

  rollBack(): void {
    if (this.#isInTransaction()) this.execute('rollback');
  }

  get hasSnapshot(): boolean {
    return this.#stamp !== undefined;
  }

  /** Opens a snapshot if none is open, and leaves it open. Returns its stamp. */
  openSnapshot(): number {
    this.#reads += 1;
    if (this.#reads > MOST_READS_OF_A_SNAPSHOT) this.closeSnapshot();
    if (this.#stamp !== undefined) return this.#stamp;
    try {
      if (this.#preparedCount > MOST_STATEMENTS) this.#renew();
      this.#own.begin.run();
      // From here on, the transaction sees this snapshot.
      this.#stamp = this.#findStamp();
    } catch (error) {
      throw translateSqliteError(error);
    }
    this.#reads = 1;
    return this.#stamp;
  }

  #findStamp(): number {
    const version = asCells([this.#own.dataVersion.get()])[0]?.[0];
    if (version !== this.#dataVersion) {
      this.#dataVersion = version;
      newestStamp += 1;
      this.#stampOfVersion = newestStamp;
    }
    return this.#stampOfVersion;
  }

  /** Runs in the open snapshot, or in a new one, which stays open. */
  runInSnapshot<Outcome>(build: (stamp: number) => Procedure<Outcome>, time?: MainThreadTime): Outcome {
    return this.run(build(this.openSnapshot()), time);
  }

  /** Keeps a snapshot open until the connection is closed. The snapshot is taken by the first read in the transaction. */
  holdSnapshot(): void {
    this.execute('begin');
    this.execute('select 1 from schema_versions');
  }

  closeSnapshot(): void {
    this.#stamp = undefined;
    if (this.#isInTransaction()) this.#own.commit.run();
  }

  /** @param time the time limit for slow statements; without it, they have no limit */
  run<Outcome>(procedure: Procedure<Outcome>, time?: MainThreadTime): Outcome {
    let step = procedure.next(EMPTY_RESULT);
    while (!step.done) {
      let result: ResultSet;
      try {
        result =
          time !== undefined && step.value.statement.mayTakeLong
            ? this.#resultInTime(step.value, time)
            : this.#resultOf(step.value);
      } catch (error) {
        throw translateSqliteError(error);
      }
      step = procedure.next(result);
    }
    return step.value;
  }

  /** The time it takes to prepare the statement counts towards the limit. */
  #resultInTime(query: Query, time: MainThreadTime): ResultSet {
    const offeredMs = query.statement.takesLong ? 0 : time.offer();
    if (offeredMs === 0) throw new TookTooLong('The time allowed for slow statements has run out');
    this.#startUsage = process.threadCpuUsage();
    this.#mostMs = offeredMs;
    this.#lookAt = performance.now() + offeredMs;
    try {
      return this.#resultOf(query);
    } finally {
      this.#lookAt = Number.POSITIVE_INFINITY;
      time.spend(this.#usedMs);
    }
  }

  /** Reading the clock is much faster than reading the CPU time, and the elapsed time is never less than the CPU time. */
  #checkTime(): number {
    const now = performance.now();
    if (now <= this.#lookAt) return 1;
    const leftMs = this.#mostMs - this.#usedMs;
    if (leftMs <= 0) throw new TookTooLong('The statement took too long');
    this.#lookAt = now + leftMs;
    return 1;
  }

  get #usedMs(): number {
    const { user, system } = process.threadCpuUsage(this.#startUsage);
    return (user + system) / 1000;
  }

  /** Like `run`, but in several turns if it takes a long time. Data read by a writing transaction cannot change between turns. */
  async runInTurns<Outcome>(procedure: Procedure<Outcome>, turns: Turns): Promise<Outcome> {
    let step = procedure.next(EMPTY_RESULT);
    while (!step.done) {
      if (turns.isLong()) await turns.giveWay();
      let result: ResultSet;
      try {
        result = this.#resultOf(step.value);
      } catch (error) {
        throw translateSqliteError(error);
      }
      if (turns.isLong()) await turns.giveWay();
      step = procedure.next(result);
    }
    return step.value;
  }

  #resultOf(query: Query): ResultSet {
    const { statement, parameters, columns } = this.#prepare(query.statement);
    return { columns, rows: asCells(statement.all(...bindParameters(parameters, query))) };
  }

  #prepare(statement: Statement): Prepared {
    const known = this.#prepared.get(statement);
    if (known !== undefined) return known;
    const { text, parameters } = compileStatement(statement);
    const native = this.#database.prepare(text);
    native.setReturnArrays(true);
    const columns = native.columns().map((column) => column.name);
    const prepared = { statement: native, parameters, columns };
    this.#prepared.set(statement, prepared);
    this.#preparedCount += 1;
    return prepared;
  }

  #isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const WAL_PATIENCE_MS = 5000;
const WAL_PAUSE_MS = 5;

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/**
 * The first connection switches a new file to a write-ahead log, which requires exclusive access. If two connections try at the same time,
 * SQLite rejects one of them immediately instead of letting it wait.
 */
export function enterWalMode(database: DatabaseSync): void {
  const deadline = performance.now() + WAL_PATIENCE_MS;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(neverWoken, 0, 0, WAL_PAUSE_MS);
    }
  }
}

function prepareOwn(database: DatabaseSync): OwnStatements {
  const dataVersion = database.prepare('pragma data_version');
  dataVersion.setReturnArrays(true);
  return { begin: database.prepare('begin'), commit: database.prepare('commit'), dataVersion };
}

/** The schema has only numbers, text and nulls. Statements return arrays, which are cheaper than Node's row objects. */
function asCells(rows: readonly unknown[]): readonly Cells[] {
  return rows as readonly Cells[];
}
