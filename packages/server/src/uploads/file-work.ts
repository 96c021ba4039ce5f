// Work that reads all bytes of an upload. It runs on a separate thread, because a large or hostile file could block other requests for
// seconds. Jobs run one at a time, so only one file is in memory. A job that takes too long is terminated together with its thread.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StoredFile } from '../files/file-store.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import { WorkThread } from '../storage/work-thread.ts';

export type FileJob =
  | { readonly kind: 'inspect'; readonly path: string; readonly name: string }
  /** Changes the file in place. */
  | { readonly kind: 'sanitise'; readonly path: string }
  | { readonly kind: 'remove-location'; readonly path: string; readonly type: string };

export interface SanitisedSvg extends StoredFile {
  readonly width: number | null;
  readonly height: number | null;
}

export type FileOutcome =
  | { readonly kind: 'inspected'; readonly file: InspectedFile }
  | { readonly kind: 'sanitised'; readonly svg: SanitisedSvg }
  /** The reason is a sentence. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** `file` is null if there was nothing to remove. */
  | { readonly kind: 'without-location'; readonly file: StoredFile | null }
  /** The job took too long. */
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

const PROGRAM = join(import.meta.dirname, `file-work-thread${extname(import.meta.filename)}`);
/** Sanitising the largest SVG file needs about half of this. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/** Sanitising the largest SVG file takes about three seconds. */
const BASE_MS = 20_000;
/** The speed of a disk that is busy with other work. */
const SLOWEST_BYTES_PER_MS = 5 * 1024;

function findLongestMs(bytes: number): number {
  return BASE_MS + bytes / SLOWEST_BYTES_PER_MS;
}

const LATE: FileOutcome = { kind: 'late' };

type Thread = WorkThread<FileJob, FileOutcome>;

function createThread(): Thread {
  return new WorkThread(() => new Worker(PROGRAM, { resourceLimits: MEMORY }));
}

export class FileThread {
  readonly #findLongestMs: (bytes: number) => number;
  #thread: Thread = createThread();
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param longestMs how long a job may take for a file of this size, not counting the time in the queue */
  constructor(longestMs = findLongestMs) {
    this.#findLongestMs = longestMs;
  }

  /** @param bytes the size of the file */
  do(job: FileJob, bytes: number): Promise<FileOutcome> {
    const mine = this.#last.then(() => this.#run(job, bytes));
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #run(job: FileJob, bytes: number): Promise<FileOutcome> {
    const thread = this.#thread;
    const { promise: lateness, resolve } = Promise.withResolvers<FileOutcome>();
    const timer = setTimeout(() => resolve(LATE), this.#findLongestMs(bytes));
    try {
      const outcome = await Promise.race([thread.do(job), lateness]);
      if (outcome === LATE) await this.#replace(thread);
      return outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the thread has ended, so nothing is writing to the file any more. */
  async #replace(thread: Thread): Promise<void> {
    if (!this.#isClosed) this.#thread = createThread();
    await thread.abandon();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#thread.close();
  }
}
