// The embedded engine: Node's own SQLite. One connection reads, one writes, so readers never wait for a writer, and
// a procedure runs to its end without giving way: what it reads is one moment.

import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type ColumnTypes, type Engine, type Snapshot, StorageUnavailable, type Transaction } from '../engine.ts';
import {
  bindParameters,
  type Cells,
  EMPTY_RESULT,
  type Parameter,
  type Procedure,
  type Query,
  type ResultSet,
  readParameters,
  type SqlTraits,
  type Statement,
} from '../statement.ts';
import { enterWalMode } from './enter-wal-mode.ts';
import { fillWithoutIndexes } from './fill-without-indexes.ts';
import { isBusy, translateSqliteError } from './sqlite-errors.ts';

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  serial: 'integer primary key',
  integer: 'integer',
  number: 'real',
  text: 'text',
  narrowTable: 'without rowid',
};

const SQLITE_TRAITS: SqlTraits = { mergesParts: true, ordersMissing: true };

/** With very many connections Node looks for new ones in between. */
const MOST_READS_OF_A_SNAPSHOT = 128;

interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: readonly Parameter[];
  readonly columns: readonly string[];
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export class SqliteEngine implements Engine {
  readonly #path: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #closeSnapshot = () => this.#reader.closeSnapshot();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    // Drafts and hashes of keys lie there: a folder that we make is for us alone.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // So is a file; SQLite gives its companions the same rights.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    this.#path = path;
    this.#writer = new Connection(path, 'pragma synchronous = full; pragma busy_timeout = 0');
    this.#reader = new Connection(path, 'pragma query_only = 1');
  }

  read<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome {
    this.#reader.closeSnapshot();
    try {
      return this.#reader.runInSnapshot(build);
    } finally {
      this.#reader.closeSnapshot();
    }
  }

  // Node learns which connections have something to read, then serves them one after the other: all that they hold was
  // sent before the first of them opens the snapshot, and the snapshot is closed before Node looks again.
  readForRequest<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome {
    this.peekStamp();
    return this.#reader.runInSnapshot(build);
  }

  readNewestForRequest<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome {
    return this.readForRequest(build);
  }

  peekStamp(): number {
    if (!this.#reader.hasSnapshot) setImmediate(this.#closeSnapshot);
    return this.#reader.openSnapshot();
  }

  outageMs(): undefined {
    return undefined;
  }

  figures(): undefined {
    return undefined;
  }

  /** On a connection of its own, so that the snapshots of requests come and go meanwhile. */
  async snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome> {
    const reader = new Connection(this.#path, 'pragma query_only = 1');
    try {
      reader.holdSnapshot();
      return await work({ run: async (procedure) => reader.run(procedure) });
    } finally {
      reader.close();
    }
  }

  transaction<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#lastWrite.then(() => this.#writeAlone(work));
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  async #writeAlone<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    const writer = this.#writer;
    await beginWriting(writer);
    let isOver = false;
    let hasFailed = false;
    try {
      const outcome = await work({
        run: async (procedure) => {
          if (isOver) throw new Error('The transaction is over');
          return writer.run(procedure);
        },
        fill: async (mayGo, filling) => {
          if (isOver) throw new Error('The transaction is over');
          hasFailed = true;
          const filled = await fillWithoutIndexes(writer, mayGo, filling);
          hasFailed = false;
          return filled;
        },
      });
      if (hasFailed) throw new Error('The transaction cannot be kept: filling its tables failed');
      isOver = true;
      writer.execute('commit');
      this.#reader.closeSnapshot();
      return outcome;
    } catch (error) {
      isOver = true;
      writer.rollBack();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    this.#reader.close();
    this.#writer.close();
  }
}

/** How long a write waits for one of another process, such as a long import, before it is refused. */
const LONGEST_WAIT_MS = 5000;
const LOOK_AGAIN_MS = 20;

/** SQLite would wait by itself, and the whole process with it: readers go on while we look again now and then. */
async function beginWriting(writer: Connection): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      writer.execute('begin immediate');
      return;
    } catch (error) {
      const isHeldByOther = error instanceof StorageUnavailable && isBusy(error.cause);
      if (!isHeldByOther || performance.now() >= giveUpAt) throw error;
    }
    // Two processes that look at the same pace would meet again and again.
    await setTimeout(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
}

/**
 * A node stays small: the page cache is bounded, and the log shrinks again after a large import. The file is not mapped into
 * memory: measured, that makes no read faster, and what was read of it counts as the process's memory.
 */
const CONNECTION_SETTINGS = ['cache_size = -8000', 'journal_size_limit = 67108864', 'temp_store = memory'] as const;

/** Left as it is, or brought into the mode that the service needs. */
type JournalMode = 'kept' | 'wal';

export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new WeakMap<Statement, Prepared>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  /** Of the snapshot that is open. */
  #stamp: number | undefined;
  #reads = 0;

  constructor(path: string, mode: string, journalMode: JournalMode = 'wal') {
    this.#database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
    if (journalMode === 'wal') enterWalMode(this.#database);
    for (const setting of CONNECTION_SETTINGS) this.#database.exec(`pragma ${setting}`);
    this.#database.exec(mode);
    this.#begin = this.#database.prepare('begin');
    this.#commit = this.#database.prepare('commit');
    this.#dataVersion = this.#database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  execute(text: string): void {
    try {
      this.#database.exec(text);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** All cells of what a pragma answers. */
  readPragma(text: string): readonly unknown[] {
    return this.#database.prepare(`pragma ${text}`).all().flatMap(Object.values);
  }

  /** @param setting like `cache_size = 100`; returns the one that held before, in the same form. */
  exchangeSetting(setting: string): string {
    const [name = ''] = setting.split(' ');
    const [before] = this.readPragma(name);
    this.execute(`pragma ${setting}`);
    return `${name} = ${before}`;
  }

  rollBack(): void {
    if (this.#isInTransaction()) this.#database.exec('rollback');
  }

  get hasSnapshot(): boolean {
    return this.#stamp !== undefined;
  }

  /** Opens a snapshot where there is none, and leaves it open. Gives its stamp. */
  openSnapshot(): number {
    this.#reads += 1;
    if (this.#reads > MOST_READS_OF_A_SNAPSHOT) this.closeSnapshot();
    if (this.#stamp !== undefined) return this.#stamp;
    try {
      this.#begin.run();
      // Moves with every commit of another connection, and all writes go through another connection. Reading it
      // fixes the moment that the rest of the transaction sees.
      this.#stamp = readStamp(this.#dataVersion.get());
    } catch (error) {
      throw translateSqliteError(error);
    }
    this.#reads = 1;
    return this.#stamp;
  }

  /** In the snapshot that is open, or a new one, which stays open. */
  runInSnapshot<Outcome>(build: (stamp: number) => Procedure<Outcome>): Outcome {
    return this.run(build(this.openSnapshot()));
  }

  /** Until the connection is closed. A transaction begins to see its moment with its first read. */
  holdSnapshot(): void {
    this.execute('begin');
    this.execute('select 1 from schema_versions');
  }

  closeSnapshot(): void {
    this.#stamp = undefined;
    if (this.#isInTransaction()) this.#commit.run();
  }

  run<Outcome>(procedure: Procedure<Outcome>): Outcome {
    let step = procedure.next(EMPTY_RESULT);
    while (!step.done) {
      let result: ResultSet;
      try {
        result = this.#resultOf(step.value);
      } catch (error) {
        throw translateSqliteError(error);
      }
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
    const compiled = statement.build(SQLITE_TRAITS).compile(compiler);
    const native = this.#database.prepare(compiled.sql);
    native.setReturnArrays(true);
    const columns = native.columns().map((column) => column.name);
    const prepared = { statement: native, parameters: readParameters(compiled.parameters), columns };
    this.#prepared.set(statement, prepared);
    return prepared;
  }

  #isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** The schema has numbers, texts and nulls only; statements return arrays, which are cheaper than Node's row objects. */
function asCells(rows: readonly unknown[]): readonly Cells[] {
  return rows as readonly Cells[];
}

function readStamp(row: unknown): number {
  const [stamp] = asCells([row])[0] ?? [];
  if (typeof stamp !== 'number') throw new Error('SQLite gave no data version');
  return stamp;
}
