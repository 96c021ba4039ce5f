// Slow lists are read on a separate thread, one at a time, so other requests do not have to wait for them. The procedure itself runs on
// this thread, like any other procedure. The separate thread only runs the procedure's statements, all in one snapshot.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type CallerName, StorageUnavailable, TookTooLong } from '../engine.ts';
import { FairTurns, type Turn } from '../fair-turns.ts';
import { type Cells, EMPTY_RESULT, type Procedure, type Query, type ResultSet, TIME_CHECK } from '../statement.ts';
import { WorkThread } from '../work-thread.ts';
import { compileQuery } from './compile-query.ts';
import type { ReaderJob, ReaderTask, ReadOutcome } from './reader-thread.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const THREAD = join(import.meta.dirname, `reader-thread${extname(import.meta.filename)}`);

const LIMITS = { atOnce: 1, atOnceOfOne: 1, waiting: 500, waitingOfOne: 100, longestMs: 2000 } as const;
/** While other lists are waiting, a turn ends after this time. */
const SLICE_MS = 500;
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

/** No snapshot has this stamp, so these reads never use anything that was cached under a stamp. */
const NO_STAMP = Number.NaN;

export class LongReads {
  readonly #turns = new FairTurns(LIMITS, () => this.#cutShort());
  readonly #endsAt = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  readonly #thread: WorkThread<ReaderJob, ReadOutcome, readonly Cells[]>;
  /** How long the current turn waited for the thread to start. This time does not count towards the list's time limit. */
  #graceMs = 0;
  #isClosed = false;

  constructor(path: string) {
    const workerData: ReaderTask = { path, timeCheck: TIME_CHECK, endsAt: this.#endsAt.buffer };
    this.#thread = new WorkThread(() => new Worker(THREAD, { workerData, resourceLimits: MEMORY }));
  }

  read<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome> {
    return this.#takeTurn(caller, (turn) => this.#run(build(NO_STAMP), turn));
  }

  /** Runs work when the thread is idle, or after some time if the thread stays busy. */
  async whileIdle(work: () => Promise<void>): Promise<void> {
    try {
      await this.#takeTurn('', work);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      await work();
    }
  }

  async #takeTurn<Outcome>(caller: CallerName, work: (turn: Turn) => Promise<Outcome>): Promise<Outcome> {
    const turn = await this.#turns.begin(caller);
    try {
      if (this.#isClosed) throw new StorageUnavailable('The database is closed');
      this.#graceMs = 0;
      return await work(turn);
    } finally {
      this.#turns.end(turn);
    }
  }

  async #run<Outcome>(procedure: Procedure<Outcome>, turn: Turn): Promise<Outcome> {
    if (!this.#thread.isRunning) await this.#startThread();
    this.#setEnd(turn);
    try {
      let step = procedure.next(EMPTY_RESULT);
      while (!step.done) {
        if (performance.now() > this.#endOf(turn)) throw new TookTooLong('Reading the list took too long');
        step = procedure.next(await this.#ask(step.value));
      }
      return step.value;
    } finally {
      if (this.#thread.isRunning) void this.#thread.do({ kind: 'end' }).catch(() => {});
    }
  }

  async #startThread(): Promise<void> {
    const startedAt = performance.now();
    await this.#thread.do({ kind: 'start' });
    this.#graceMs = performance.now() - startedAt;
  }

  /** Returns all rows that the thread reads for one query. */
  async #ask(query: Query): Promise<ResultSet> {
    // A new thread would read from a different snapshot.
    if (!this.#thread.isRunning) throw new StorageUnavailable('The thread that reads lists has ended');
    const rows: Cells[] = [];
    const add = (part: readonly Cells[]): void => {
      for (const cells of part) rows.push(cells);
    };
    const outcome = await this.#thread.do({ kind: 'run', ...compileQuery(query) }, { onPart: add });
    if (outcome.kind === 'failed') throw translateSqliteError(rebuildError(outcome));
    if (outcome.kind === 'late') throw new TookTooLong('Reading the list took too long');
    add(outcome.rows);
    return { columns: outcome.columns, rows };
  }

  #endOf(turn: Turn): number {
    const sliceEnd = this.#turns.isWantedByOthers(turn) ? turn.startedAt + SLICE_MS : Number.POSITIVE_INFINITY;
    return Math.min(turn.endsAt, sliceEnd) + this.#graceMs;
  }

  #setEnd(turn: Turn): void {
    const leftMs = this.#endOf(turn) - performance.now();
    Atomics.store(this.#endsAt, 0, process.hrtime.bigint() + BigInt(Math.round(leftMs * 1e6)));
  }

  #cutShort(): void {
    for (const turn of this.#turns.running) this.#setEnd(turn);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Only the deadline can stop a running statement.
    Atomics.store(this.#endsAt, 0, 0n);
    await this.#thread.abandon();
  }
}

function rebuildError({ message, code }: ReadOutcome & { kind: 'failed' }): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { errcode: code });
}
