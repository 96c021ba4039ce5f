// Calls of the management API with a large body, or about large content, are answered on a thread: parsing, cleaning, typesetting
// and hashing megabytes takes longer than anybody else may wait. One call at a time; callers take turns. The thread has a
// connection to the database and a memory of its own.

import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { nameCaller } from '../authoring/actor.ts';
import type { AdmittedCall, ServedBytes, SetHeader } from '../management/answer-call.ts';
import { FairTurns, OutcomeUnknown, type Storage } from '../storage/port.ts';
import { type FailureMessage, rebuildFailure } from './failure-message.ts';

const PROGRAM = join(import.meta.dirname, `large-call-thread${extname(import.meta.filename)}`);
/** Its memory is worth more than the time of its start. */
const IDLE_MS = 30_000;
/** Enough for what a body may hold. Only an import brings content that needs more; the longest line has 16 MB. */
const LEAST_HEAP_MB = 64;
/** Of heap for each byte that a call is about: it is there as text, as values, as they were before, and as the answer. */
const BYTES_FOR_A_BYTE = 12;
const YOUNG_HEAP_MB = 4;

/** Each call that waits holds its body in memory. While an import runs, a save waits for up to a minute. */
const TURNS = { atOnce: 1, atOnceOfOne: 1, waiting: 24, waitingOfOne: 8, longestMs: 75_000 };

export type ToThread = { readonly kind: 'answer'; readonly call: AdmittedCall } | { readonly kind: 'stop-waiting' };

export type FromThread =
  | { readonly kind: 'served'; readonly served: ServedBytes; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly failure: FailureMessage };

export class LargeCalls {
  readonly #storage: Storage;
  readonly #turns = new FairTurns(TURNS);
  #thread: Worker | undefined;
  #heapMb = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** As `answerCall` answers it. Rejects with `TookTooLong` where too many wait, in all or of this caller. */
  async answer(call: AdmittedCall, bytes: number, setHeader: SetHeader): Promise<ServedBytes> {
    const turn = await this.#turns.begin(call.actor === undefined ? '' : nameCaller(call.actor));
    clearTimeout(this.#idle);
    try {
      const { served, headers } = await this.#storage.followElsewhere(
        this.#ask(call, await this.#provideThread(bytes)),
      );
      for (const [name, value] of headers) setHeader(name, value);
      return served;
    } finally {
      this.#turns.end(turn);
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  async #ask(call: AdmittedCall, thread: Worker): Promise<FromThread & { readonly kind: 'served' }> {
    thread.ref();
    try {
      tell(thread, { kind: 'answer', call });
      const message = await receive(thread);
      if (message.kind === 'failed') throw rebuildFailure(message.failure);
      return message;
    } finally {
      thread.unref();
    }
  }

  /** One whose memory is not enough makes room for another. */
  async #provideThread(bytes: number): Promise<Worker> {
    const heapMb = Math.max(LEAST_HEAP_MB, Math.ceil((bytes * BYTES_FOR_A_BYTE) / 1024 / 1024));
    if (heapMb > this.#heapMb) await this.close();
    return this.#thread ?? this.#start(heapMb);
  }

  #start(heapMb: number): Worker {
    this.#heapMb = heapMb;
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_HEAP_MB, maxOldGenerationSizeMb: heapMb };
    const thread = new Worker(PROGRAM, { workerData: this.#storage.address, resourceLimits });
    thread.unref();
    const forget = (): void => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    // Whoever waits for the thread gets the error; the next call starts another.
    thread.on('error', forget).once('exit', forget);
    this.#thread = thread;
    return thread;
  }

  /** From now on, saves do not wait for the end of an import: the process is about to stop. */
  stopWaiting(): void {
    if (this.#thread !== undefined) tell(this.#thread, { kind: 'stop-waiting' });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

function tell(thread: Worker, message: ToThread): void {
  thread.postMessage(message);
}

/** The thread may have failed after it had saved something. */
async function receive(thread: Worker): Promise<FromThread> {
  const ended = new AbortController();
  const exit = once(thread, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The thread has ended');
  });
  try {
    const [message] = await Promise.race([once(thread, 'message', { signal: ended.signal }), exit]);
    return asMessage(message);
  } catch (cause) {
    throw new OutcomeUnknown('The thread for large calls failed', { cause });
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

/** Both ends are ours. */
function asMessage(message: unknown): FromThread {
  return message as FromThread;
}
