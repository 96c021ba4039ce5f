// The thread that runs the statements for slow lists. It has its own read-only connection and little memory. Its statements check the
// time themselves, so they can be stopped from outside. It loads no other code, so it starts quickly.

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Cells, SqlValue } from '../statement.ts';
import type { FromWorkThread, ToWorkThread } from '../work-thread.ts';

export interface ReaderTask {
  readonly path: string;
  /** The function that statements call to check the time. */
  readonly timeCheck: string;
  /** A single number: the deadline for the current statement, in `process.hrtime` nanoseconds. */
  readonly endsAt: SharedArrayBuffer;
}

/** All statements until `end` see the same snapshot. `start` returns as soon as the thread has started. */
export type ReaderJob =
  | { readonly kind: 'start' }
  | { readonly kind: 'run'; readonly text: string; readonly values: readonly SqlValue[] }
  | { readonly kind: 'end' };

/** `rows` contains the rows that were not already sent as parts of the result. */
export type ReadOutcome =
  | { readonly kind: 'done'; readonly columns: readonly string[]; readonly rows: readonly Cells[] }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: number | undefined };

const NO_ROWS: ReadOutcome = { kind: 'done', columns: [], rows: [] };

/**
 * The cache has room for the pages of about 1,500 objects that are far apart in the file. Temporary tables that do not fit in memory are
 * stored in files.
 */
const SETTINGS = ['cache_size = -16000', 'temp_store = file', 'query_only = 1'] as const;
/**
 * Each statement takes up about 25 KB. Node frees this memory when the database is closed or V8 collects garbage, which rarely happens
 * here.
 */
const MOST_STATEMENTS = 50;
/** Rows are sent in batches, because bodies can be large and this thread has little memory. */
const CHARACTERS_AT_ONCE = 2 ** 18;

class Reader {
  readonly #port: MessagePort;
  readonly #task: ReaderTask;
  readonly #endsAt: BigInt64Array;
  #database: DatabaseSync;
  /** Whether the statement was stopped because its time was up. SQLite's error does not reveal this. */
  #isLate = false;
  readonly #statements = new Map<string, StatementSync>();
  #prepared = 0;

  constructor(port: MessagePort, task: ReaderTask) {
    this.#port = port;
    this.#task = task;
    this.#endsAt = new BigInt64Array(task.endsAt);
    this.#database = this.#open();
  }

  #open(): DatabaseSync {
    const { path, timeCheck } = this.#task;
    const database = new DatabaseSync(path, { timeout: 1000, readOnly: true });
    for (const setting of SETTINGS) database.exec(`pragma ${setting}`);
    database.function(timeCheck, () => this.#checkTime());
    return database;
  }

  receive(message: ToWorkThread<ReaderJob>): void {
    if (message.kind === 'job') this.#tell({ no: message.no, done: this.#do(message.no, message.job) });
    else if (message.kind === 'end') this.#close();
  }

  #do(no: number, job: ReaderJob): ReadOutcome {
    if (job.kind === 'run') return this.#tryToRun(no, job.text, job.values);
    if (job.kind === 'end') this.#end();
    return NO_ROWS;
  }

  #tryToRun(no: number, text: string, values: readonly SqlValue[]): ReadOutcome {
    this.#isLate = false;
    try {
      this.#checkTime();
      return this.#run(no, text, values);
    } catch (error) {
      // A statement that was stopped early would fail on its next run.
      this.#statements.delete(text);
      return this.#isLate ? { kind: 'late' } : describeFailure(error);
    }
  }

  #end(): void {
    if (this.#database.isTransaction) this.#database.exec('commit');
    // The compile cache is written now, because the process may be killed before the thread ends. With the cache, the next thread starts
    // faster and needs less memory.
    flushCompileCache();
    if (this.#prepared < MOST_STATEMENTS) return;
    this.#prepared = 0;
    try {
      const database = this.#open();
      this.#database.close();
      this.#database = database;
      this.#statements.clear();
    } catch {
      // If the database cannot be opened again, the old connection stays in use.
    }
  }

  #run(no: number, text: string, values: readonly SqlValue[]): ReadOutcome {
    if (!this.#database.isTransaction) this.#database.exec('begin');
    const statement = this.#prepare(text);
    const columns = statement.columns().map(({ name }) => name);
    let rows: Cells[] = [];
    let characters = 0;
    for (const row of statement.iterate(...values)) {
      const cells = asCells(row);
      rows.push(cells);
      for (const cell of cells) characters += typeof cell === 'string' ? cell.length : 8;
      if (characters < CHARACTERS_AT_ONCE) continue;
      this.#tell({ no, part: rows });
      rows = [];
      characters = 0;
    }
    return { kind: 'done', columns, rows };
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    statement.setReturnArrays(true);
    this.#statements.set(text, statement);
    this.#prepared += 1;
    return statement;
  }

  #checkTime(): number {
    this.#isLate = process.hrtime.bigint() > Atomics.load(this.#endsAt, 0);
    if (this.#isLate) throw new Error('The statement took too long');
    return 1;
  }

  #tell(message: FromWorkThread<ReadOutcome, readonly Cells[]>): void {
    this.#port.postMessage(message);
  }

  #close(): void {
    this.#database.close();
    this.#port.close();
  }
}

function describeFailure(error: unknown): ReadOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return { kind: 'failed', message, code: typeof code === 'number' ? code : undefined };
}

/** The schema has only numbers, text and nulls, and the statement returns arrays. */
function asCells(row: unknown): Cells {
  return row as Cells;
}

if (parentPort === null) throw new Error('This file must run in a worker thread');
// Fast requests take priority over this thread. On Linux each thread has its own priority; on other systems, lowering it would slow down
// the whole process.
if (process.platform === 'linux') setPriority(5);
const reader = new Reader(parentPort, workerData);
parentPort.on('message', (message: ToWorkThread<ReaderJob>) => reader.receive(message));
