// The embedded engine: Node's own SQLite. One connection reads, one writes, so readers never wait for a writer, and
// a procedure runs to its end without giving way: what it reads is one moment.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { ColumnTypes, Engine, Transaction } from '../engine.ts';
import { bindSlots, type Procedure, type Query, type SqlRow, type Statement } from '../statement.ts';
import { translateSqliteError } from './sqlite-errors.ts';

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  serial: 'integer primary key',
  integer: 'integer',
  number: 'real',
  text: 'text',
  narrowTable: 'without rowid',
};

interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: readonly unknown[];
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
  readonly #writer: Connection;
  readonly #reader: Connection;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#writer = new Connection(path, 'pragma synchronous = full');
    this.#reader = new Connection(path, 'pragma query_only = 1');
  }

  async read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome> {
    return this.#reader.runInTransaction('begin', procedure);
  }

  transaction<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#lastWrite.then(() => this.#writeAlone(work));
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  async #writeAlone<Outcome>(work: (transaction: Transaction) => Promise<Outcome>): Promise<Outcome> {
    const writer = this.#writer;
    writer.execute('begin immediate');
    try {
      const outcome = await work({ run: async (procedure) => writer.run(procedure) });
      writer.execute('commit');
      return outcome;
    } catch (error) {
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

class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new WeakMap<Statement, Prepared>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;

  constructor(path: string, mode: string) {
    this.#database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
    // Rows of a read come from the page cache or the memory map; 16 MB of each keep a node small.
    for (const setting of ['journal_mode = wal', 'cache_size = -16000', 'mmap_size = 268435456', 'temp_store = memory']) {
      this.#database.exec(`pragma ${setting}`);
    }
    this.#database.exec(mode);
    this.#begin = this.#database.prepare('begin');
    this.#commit = this.#database.prepare('commit');
  }

  execute(text: string): void {
    try {
      this.#database.exec(text);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  runInTransaction<Outcome>(_kind: 'begin', procedure: Procedure<Outcome>): Outcome {
    this.#begin.run();
    try {
      return this.run(procedure);
    } finally {
      this.#commit.run();
    }
  }

  run<Outcome>(procedure: Procedure<Outcome>): Outcome {
    let step = procedure.next([]);
    while (!step.done) {
      let rows: readonly SqlRow[];
      try {
        rows = this.#rowsOf(step.value);
      } catch (error) {
        throw translateSqliteError(error);
      }
      step = procedure.next(rows);
    }
    return step.value;
  }

  #rowsOf(query: Query): readonly SqlRow[] {
    const prepared = this.#prepare(query.statement);
    return asSqlRows(prepared.statement.all(...bindSlots(prepared.parameters, query.values)));
  }

  #prepare(statement: Statement): Prepared {
    const known = this.#prepared.get(statement);
    if (known !== undefined) return known;
    const compiled = statement.build().compile(compiler);
    const prepared = { statement: this.#database.prepare(compiled.sql), parameters: compiled.parameters };
    this.#prepared.set(statement, prepared);
    return prepared;
  }

  close(): void {
    this.#database.close();
  }
}

/** SQLite gives numbers, texts and nulls for the columns that the schema has; it has no blobs. */
function asSqlRows(rows: readonly unknown[]): readonly SqlRow[] {
  return rows as readonly SqlRow[];
}
