// Computes an upload's digest. A small upload is hashed immediately. Hashing a large upload takes almost as long as
// receiving it, and would keep other requests waiting, so a separate thread does this while the rest of the upload is arriving.

import { createHash, type Hash } from 'node:crypto';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkThread } from '../storage/work-thread.ts';

export interface DigestJob {
  readonly path: string;
  /** How many bytes of the file have been written. */
  readonly bytes: number;
  readonly isLast: boolean;
}

export type DigestOutcome =
  | { readonly kind: 'begun' }
  | { readonly kind: 'finished'; readonly sha256: string }
  | { readonly kind: 'failed'; readonly error: unknown };

export type DigestThread = WorkThread<DigestJob, DigestOutcome>;

const PROGRAM = join(import.meta.dirname, `digest-thread${extname(import.meta.filename)}`);
const MEMORY = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };
/** If the thread ended while an upload was paused, a new thread would have to read the file from the start again. */
const IDLE_MS = 10 * 60_000;

export function openDigestThread(): DigestThread {
  return new WorkThread(() => new Worker(PROGRAM, { resourceLimits: MEMORY }), IDLE_MS);
}

/** Starting the thread takes longer than hashing this much. */
const MOST_BYTES_AT_ONCE = 4 * 1024 ** 2;
const STEP_BYTES = 4 * 1024 ** 2;

export class UploadDigest {
  readonly #thread: DigestThread;
  readonly #path: string;
  /** Undefined once the upload is large. */
  #hash: Hash | undefined = createHash('sha256');
  #bytes = 0;
  #digested = 0;
  #step: Promise<unknown> | undefined;

  /** @param path the file to which the upload is being written */
  constructor(thread: DigestThread, path: string) {
    this.#thread = thread;
    this.#path = path;
  }

  /** Call this with each chunk. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES_AT_ONCE) this.#hash = undefined;
    this.#hash?.update(chunk);
  }

  /** Call this when the given number of bytes has been written to the file. */
  noteWritten(bytes: number): void {
    if (this.#hash !== undefined || this.#step !== undefined || bytes - this.#digested < STEP_BYTES) return;
    this.#digested = bytes;
    this.#step = this.#thread
      .do({ path: this.#path, bytes, isLast: false })
      // The last step tries again.
      .catch(() => {})
      .finally(() => {
        this.#step = undefined;
      });
  }

  /** Call this when all bytes have been written to the file. */
  async finish(): Promise<string> {
    if (this.#hash !== undefined) return this.#hash.digest('hex');
    const outcome = await this.#thread.do({ path: this.#path, bytes: this.#bytes, isLast: true });
    if (outcome.kind === 'finished') return outcome.sha256;
    throw outcome.kind === 'failed' ? outcome.error : new Error('The thread did not finish the digest');
  }
}
