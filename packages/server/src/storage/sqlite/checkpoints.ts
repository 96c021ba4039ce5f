// Copies the write-ahead log into the database file, on a separate thread. After large saves this means writing tens of megabytes and
// waiting for the disk. SQLite itself would do this as part of a commit, and all other requests would have to wait.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkThread } from '../work-thread.ts';
import type { Checkpoint } from './checkpoint-thread.ts';

const THREAD = join(import.meta.dirname, `checkpoint-thread${extname(import.meta.filename)}`);
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

export class Checkpoints {
  readonly #thread: WorkThread<Checkpoint, boolean>;
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(
    path: string,
    startWorker = (): Worker => new Worker(THREAD, { workerData: path, resourceLimits: MEMORY }),
  ) {
    this.#thread = new WorkThread(startWorker);
  }

  get areRunning(): boolean {
    return this.#running > 0;
  }

  /**
   * Runs one checkpoint at a time. Resolves to true if the whole log was copied, which is not possible while another connection is using
   * it. Resolves to undefined if the thread failed or could not start.
   */
  run(checkpoint: Checkpoint): Promise<boolean | undefined> {
    this.#running += 1;
    const copied = this.#thread
      .do(checkpoint)
      .catch(() => undefined)
      .finally(() => {
        this.#running -= 1;
      });
    this.#last = copied;
    return copied;
  }

  /** Waits for a checkpoint that is running. */
  async close(): Promise<void> {
    await this.#last;
    await this.#thread.close();
  }
}
