// Copies the write-ahead log into the database file, on a separate thread. After large saves this means writing tens of megabytes and
// waiting for the disk. SQLite would do it as part of a commit, and all other requests would have to wait.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Checkpoint } from './checkpoint-thread.ts';

const THREAD = join(import.meta.dirname, `checkpoint-thread${extname(import.meta.filename)}`);
/** The thread ends after this much idle time. */
const IDLE_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

export class Checkpoints {
  readonly #path: string;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get areRunning(): boolean {
    return this.#running > 0;
  }

  /**
   * Runs one checkpoint at a time. Resolves to true if it copied the whole log, and to false if another connection was using the log.
   * Resolves to undefined if the thread failed.
   */
  run(checkpoint: Checkpoint): Promise<boolean | undefined> {
    this.#running += 1;
    const copied = this.#last.then(() => this.#ask(checkpoint));
    this.#last = copied;
    return copied;
  }

  async #ask(checkpoint: Checkpoint): Promise<boolean | undefined> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const thread = this.#thread;
    thread.ref();
    const { promise: answered, resolve } = Promise.withResolvers<boolean | undefined>();
    const lose = (): void => resolve(undefined);
    thread.once('message', resolve).once('exit', lose);
    try {
      thread.postMessage(checkpoint);
      return await answered;
    } finally {
      thread.off('message', resolve).off('exit', lose).unref();
      this.#running -= 1;
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const thread = new Worker(THREAD, { workerData: this.#path, resourceLimits: MEMORY });
    // The next checkpoint starts a new thread.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  #end(): Promise<number> | undefined {
    const thread = this.#thread;
    this.#thread = undefined;
    return thread?.terminate();
  }

  /** Waits for a checkpoint that is running. */
  async close(): Promise<void> {
    await this.#last;
    clearTimeout(this.#idle);
    await this.#end();
  }
}
