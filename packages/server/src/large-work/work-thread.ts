// A thread that does jobs, several at a time, and answers each. It starts when it is needed and ends when it is not: its memory is
// worth more than the time of its start. It does not keep the process from ending.

import { once } from 'node:events';
import type { TransferListItem, Worker } from 'node:worker_threads';
import { StorageUnavailable } from '../storage/port.ts';

const IDLE_MS = 30_000;
/** A thread that is asked to end gets this long to close its connections. */
const LONGEST_END_MS = 1000;

/** The thread failed in the middle of its jobs. */
export class ThreadFailed extends Error {
  override readonly name = 'ThreadFailed';
}

export type ToWorkThread<Job> =
  | { readonly kind: 'job'; readonly no: number; readonly job: Job }
  | { readonly kind: 'stop-waiting' }
  /** The thread closes what it has open, and its port. */
  | { readonly kind: 'end' };

export interface FromWorkThread<Done> {
  /** Of the job. */
  readonly no: number;
  readonly done: Done;
}

export class WorkThread<Job, Done> {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<Done>>();
  #lastNo = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param start a worker that takes `ToWorkThread` and answers jobs with `FromWorkThread` */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Rejects with `ThreadFailed` where the thread fails before it has answered, and with `StorageUnavailable` where it was ended. */
  async do(job: Job, handedOver: readonly TransferListItem[] = []): Promise<Done> {
    if (this.#isClosed) throw new StorageUnavailable('The service has stopped');
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#startWorker();
    this.#lastNo += 1;
    const no = this.#lastNo;
    const waiting = Promise.withResolvers<Done>();
    this.#waiting.set(no, waiting);
    worker.ref();
    try {
      tell(worker, { kind: 'job', no, job }, handedOver);
      return await waiting.promise;
    } finally {
      this.#waiting.delete(no);
      if (this.#waiting.size === 0) this.#rest(worker);
    }
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  /** What the thread waits for while it holds nobody up, such as the end of an import, it gives up. */
  stopWaiting(): void {
    if (this.#worker !== undefined) tell(this.#worker, { kind: 'stop-waiting' });
  }

  #startWorker(): Worker {
    const worker = this.#start();
    const lose = (error: Error): void => {
      // The next job starts another.
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      void worker.terminate();
    };
    const fail = (cause: unknown): void => {
      if (this.#worker === worker) lose(new ThreadFailed('A thread failed', { cause }));
    };
    worker.on('message', (message) => this.#receive(message));
    worker.on('error', fail).on('messageerror', fail);
    worker.once('exit', () => {
      if (this.#worker === worker) lose(new StorageUnavailable('A thread has ended'));
    });
    this.#worker = worker;
    return worker;
  }

  #receive({ no, done }: FromWorkThread<Done>): void {
    this.#waiting.get(no)?.resolve(done);
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    tell(worker, { kind: 'end' });
    const timer = setTimeout(() => void worker.terminate(), LONGEST_END_MS);
    await ended;
    clearTimeout(timer);
    for (const { reject } of this.#waiting.values()) reject(new StorageUnavailable('The service has stopped'));
  }

  /** Who asks from now on is refused with `StorageUnavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }
}

function tell(worker: Worker, message: ToWorkThread<unknown>, handedOver: readonly TransferListItem[] = []): void {
  worker.postMessage(message, handedOver);
}
