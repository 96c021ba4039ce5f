// Slow lists are read on a separate thread, one at a time, so other requests do not have to wait for them. The procedure itself runs on
// this thread, like any other. The other thread only runs its statements, all in one snapshot.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type CallerName, StorageFault, StorageUnavailable, TookTooLong } from '../engine.ts';
import { FairTurns, type Turn } from '../fair-turns.ts';
import { type Cells, EMPTY_RESULT, type Procedure, type Query, type ResultSet, TIME_CHECK } from '../statement.ts';
import { compileQuery } from './compile-query.ts';
import type { FromReader, ReaderTask, ToReader } from './reader-thread.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const THREAD = join(import.meta.dirname, `reader-thread${extname(import.meta.filename)}`);

const LIMITS = { atOnce: 1, atOnceOfOne: 1, waiting: 500, waitingOfOne: 100, longestMs: 2000 } as const;
/** While other lists are waiting, a turn ends after this time. */
const SLICE_MS = 500;
/** The thread ends after this much idle time. */
const IDLE_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

/** No snapshot has this stamp, so these reads never use anything that was cached under a stamp. */
const NO_STAMP = Number.NaN;

export class LongReads {
  readonly #path: string;
  readonly #turns = new FairTurns(LIMITS, () => this.#cutShort());
  readonly #endsAt = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  #thread: Worker | undefined;
  /** How long the current turn waited for the thread to start. This time does not count toward the list's time limit. */
  #graceMs = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  read<Outcome>(build: (stamp: number) => Procedure<Outcome>, caller: CallerName): Promise<Outcome> {
    return this.#takeTurn(caller, (turn) => this.#run(build(NO_STAMP), turn));
  }

  /** Runs work while the thread is idle, or after a while if the thread stays busy. */
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
    clearTimeout(this.#idle);
    try {
      if (this.#isClosed) throw new StorageUnavailable('The database is closed');
      this.#graceMs = 0;
      return await work(turn);
    } finally {
      this.#turns.end(turn);
      this.#idle = setTimeout(() => this.#endThread(), IDLE_MS).unref();
    }
  }

  async #run<Outcome>(procedure: Procedure<Outcome>, turn: Turn): Promise<Outcome> {
    const thread = this.#thread ?? (await this.#startThread());
    this.#setEnd(turn);
    try {
      let step = procedure.next(EMPTY_RESULT);
      while (!step.done) {
        if (performance.now() > this.#endOf(turn)) throw new TookTooLong('The list took too long');
        step = procedure.next(await ask(thread, step.value));
      }
      return step.value;
    } finally {
      tell(thread, { kind: 'end' });
    }
  }

  async #startThread(): Promise<Worker> {
    const startedAt = performance.now();
    const workerData: ReaderTask = { path: this.#path, timeCheck: TIME_CHECK, endsAt: this.#endsAt.buffer };
    const thread = new Worker(THREAD, { workerData, resourceLimits: MEMORY });
    // The caller waiting for the thread receives the error; the next caller starts another thread.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    this.#thread = thread;
    await listenUntil<void>(thread, (_message, { resolve }) => resolve());
    // The thread does not keep the process alive.
    thread.unref();
    this.#graceMs = performance.now() - startedAt;
    return thread;
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

  #endThread(): Promise<number> | undefined {
    Atomics.store(this.#endsAt, 0, 0n);
    const thread = this.#thread;
    this.#thread = undefined;
    return thread?.terminate();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#endThread();
  }
}

/** Returns all rows that the thread reads for one query. */
function ask(thread: Worker, query: Query): Promise<ResultSet> {
  const rows: Cells[] = [];
  const answered = listenUntil<ResultSet>(thread, (message, { resolve, reject }) => {
    if (message.kind === 'failed') reject(translateSqliteError(rebuildError(message)));
    else if (message.kind === 'late') reject(new TookTooLong('The list took too long'));
    else if (message.kind !== 'ready') for (const cells of message.rows) rows.push(cells);
    if (message.kind === 'done') resolve({ columns: message.columns, rows });
  });
  tell(thread, { kind: 'run', ...compileQuery(query) });
  return answered;
}

/** The promise rejects if the thread fails or ends before the listener has settled it. */
function listenUntil<Outcome>(
  thread: Worker,
  onMessage: (message: FromReader, settle: Pick<PromiseWithResolvers<Outcome>, 'resolve' | 'reject'>) => void,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const receive = (message: FromReader): void => onMessage(message, { resolve, reject });
  const onError = (cause: unknown): void =>
    reject(new StorageFault('thread', 'The thread that reads lists failed', { cause }));
  const onExit = (): void => reject(new StorageUnavailable('The thread that reads lists has ended'));
  thread.on('message', receive).once('error', onError).once('exit', onExit);
  return promise.finally(() => {
    thread.off('message', receive).off('error', onError).off('exit', onExit);
  });
}

function tell(thread: Worker, message: ToReader): void {
  thread.postMessage(message);
}

function rebuildError({ message, code }: FromReader & { kind: 'failed' }): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { errcode: code });
}
