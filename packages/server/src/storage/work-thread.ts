// A thread that runs jobs. It starts on demand and ends when idle, because its memory costs more than restarting it. It does not keep
// the process alive.

import type { TransferListItem, Worker } from 'node:worker_threads';
import { StorageFault, StorageUnavailable } from './engine.ts';

const IDLE_MS = 30_000;
/** How long a thread has to close its connections when it is told to end. */
const LONGEST_END_MS = 1000;

/** The thread failed during the job. */
export class ThreadFailed extends StorageFault {
  override readonly name = 'ThreadFailed';

  constructor(message: string, options?: ErrorOptions) {
    super('thread', message, options);
  }
}

/** The service closed the thread during the job. */
export class ThreadEnded extends StorageUnavailable {
  override readonly name = 'ThreadEnded';
}

export type ToWorkThread<Job> =
  | { readonly kind: 'job'; readonly no: number; readonly job: Job }
  /** Tells the thread to stop waiting, for example for an import to end. */
  | { readonly kind: 'stop-waiting' }
  /** Tells the thread to close its resources and its port. */
  | { readonly kind: 'end' };

/** `no` is the number of the job. A job may return parts of its result before it is done. */
export type FromWorkThread<Done, Part = never> =
  | { readonly no: number; readonly part: Part }
  | { readonly no: number; readonly done: Done };

interface JobOptions<Part> {
  readonly handedOver?: readonly TransferListItem[];
  readonly onPart?: (part: Part) => void;
}

interface Waiting<Done, Part> extends PromiseWithResolvers<Done> {
  readonly onPart: ((part: Part) => void) | undefined;
}

interface Running<Done, Part> {
  readonly worker: Worker;
  /** Keyed by the number of the job. */
  readonly waiting: Map<number, Waiting<Done, Part>>;
  readonly ended: Promise<void>;
}

export class WorkThread<Job, Done, Part = never> {
  readonly #startWorker: () => Worker;
  readonly #idleMs: number;
  #running: Running<Done, Part> | undefined;
  #lastNo = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param startWorker starts a worker that receives `ToWorkThread` messages and replies with `FromWorkThread` messages */
  constructor(startWorker: () => Worker, idleMs = IDLE_MS) {
    this.#startWorker = startWorker;
    this.#idleMs = idleMs;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Rejects with `ThreadFailed` or `ThreadEnded` if the job may be partly done, and with a different error if it was not started. */
  async do(job: Job, { handedOver, onPart }: JobOptions<Part> = {}): Promise<Done> {
    if (this.#isClosed) throw new StorageUnavailable('The service has stopped');
    clearTimeout(this.#idle);
    const running = this.#running ?? this.#start();
    this.#lastNo += 1;
    const no = this.#lastNo;
    const waiting = { ...Promise.withResolvers<Done>(), onPart };
    running.waiting.set(no, waiting);
    running.worker.ref();
    try {
      tell(running.worker, { kind: 'job', no, job }, handedOver);
      return await waiting.promise;
    } finally {
      running.waiting.delete(no);
      if (running.waiting.size === 0) this.#rest(running);
    }
  }

  stopWaiting(): void {
    if (this.#running !== undefined) tell(this.#running.worker, { kind: 'stop-waiting' });
  }

  #start(): Running<Done, Part> {
    const worker = this.#startWorker();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const waiting: Running<Done, Part>['waiting'] = new Map();
    const running = { worker, waiting, ended };
    const lose = (error: ThreadFailed | ThreadEnded): void => {
      // The next job starts a new thread.
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on('message', (message: FromWorkThread<Done, Part>) => {
      const job = waiting.get(message.no);
      if ('part' in message) job?.onPart?.(message.part);
      else job?.resolve(message.done);
    });
    worker.on('error', (cause) => lose(new ThreadFailed('A thread failed', { cause })));
    worker.on('messageerror', (cause) => {
      lose(new ThreadFailed('A thread sent an unreadable message', { cause }));
      void worker.terminate();
    });
    worker.once('exit', () => {
      lose(this.#isClosed ? new ThreadEnded('The service has stopped') : new ThreadFailed('A thread has ended'));
      end();
    });
    this.#running = running;
    return running;
  }

  #rest(running: Running<Done, Part>): void {
    running.worker.unref();
    if (this.#running !== running) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(LONGEST_END_MS), this.#idleMs).unref();
  }

  async #end(longestMs: number): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    // Otherwise a process with nothing else to do would exit before its thread has ended.
    running.worker.ref();
    tell(running.worker, { kind: 'end' });
    const timer = setTimeout(() => void running.worker.terminate(), longestMs).unref();
    await running.ended;
    clearTimeout(timer);
  }

  /** Refuses new jobs with `StorageUnavailable`, and gives running jobs a moment to finish. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end(LONGEST_END_MS);
  }

  /** Like `close`, but ends running jobs immediately. Use it for jobs that change nothing, once nobody is waiting for them. */
  async abandon(): Promise<void> {
    if ((this.#running?.waiting.size ?? 0) === 0) return this.close();
    this.#isClosed = true;
    await this.#end(0);
  }
}

function tell(worker: Worker, message: ToWorkThread<unknown>, handedOver: readonly TransferListItem[] = []): void {
  worker.postMessage(message, handedOver);
}
