// Calls of the management API with a large body, or about large content, are answered on a thread: parsing, cleaning, typesetting
// and hashing megabytes takes longer than anybody else may wait. One call at a time; callers take turns. The thread has a
// connection to the database and a memory of its own.

import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { nameCaller } from '../authoring/actor.ts';
import type { AdmittedCall, ServedBytes } from '../management/answer-call.ts';
import type { LargeCallOptions } from '../management/register-management.ts';
import { FairTurns, OutcomeUnknown, type Storage, StorageUnavailable } from '../storage/port.ts';
import { type FailureMessage, rebuildFailure } from './failure-message.ts';

const PROGRAM = join(import.meta.dirname, `large-call-thread${extname(import.meta.filename)}`);
/** Its memory is worth more than the time of its start. */
const IDLE_MS = 30_000;
/** Far more than a call needs: a thread that runs out of memory may take the process with it. It frees its memory after each call. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** Each call that waits holds its body in memory. While an import runs, a save waits for up to a minute. */
const TURNS = { atOnce: 1, atOnceOfOne: 1, waiting: 24, waitingOfOne: 8, longestMs: 75_000 };

export type ToThread =
  | { readonly kind: 'answer'; readonly call: AdmittedCall; readonly isStopping: boolean }
  | { readonly kind: 'stop-waiting' };

export type FromThread =
  | { readonly kind: 'served'; readonly served: ServedBytes; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly failure: FailureMessage };

export class LargeCalls {
  readonly #storage: Storage;
  readonly #turns = new FairTurns(TURNS);
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(storage: Storage) {
    this.#storage = storage;
    storage.stopping.addEventListener('abort', () => {
      if (this.#thread !== undefined) tell(this.#thread, { kind: 'stop-waiting' });
    });
  }

  /** As `answerCall` answers it. Rejects with `TookTooLong` where too many wait, in all or of this caller. */
  async answer(call: AdmittedCall, { setHeader, admitAgain }: LargeCallOptions): Promise<ServedBytes> {
    const turn = await this.#turns.begin(call.actor === undefined ? '' : nameCaller(call.actor));
    clearTimeout(this.#idle);
    try {
      if (this.#isClosed) throw new StorageUnavailable('The service has stopped');
      await admitAgain();
      const asking = this.#ask(call);
      const { served, headers } = await (call.method === 'GET' ? asking : this.#storage.followElsewhere(asking));
      for (const [name, value] of headers) setHeader(name, value);
      return served;
    } finally {
      this.#turns.end(turn);
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  async #ask(call: AdmittedCall): Promise<FromThread & { readonly kind: 'served' }> {
    const thread = this.#thread ?? this.#start();
    thread.ref();
    try {
      tell(thread, { kind: 'answer', call, isStopping: this.#storage.stopping.aborted });
      const message = await receive(thread).catch((cause: unknown) => {
        // The thread may have failed after it had saved something.
        const Failure = call.method === 'GET' ? StorageUnavailable : OutcomeUnknown;
        throw new Failure('The thread for large calls failed', { cause });
      });
      if (message.kind === 'failed') throw rebuildFailure(message.failure);
      return message;
    } finally {
      thread.unref();
    }
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM, { workerData: this.#storage.address, resourceLimits: MEMORY });
    thread.unref();
    const forget = (): void => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    // Whoever waits for the thread gets the error; the next call starts another.
    thread.on('error', forget).once('exit', forget);
    this.#thread = thread;
    return thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }
}

function tell(thread: Worker, message: ToThread): void {
  thread.postMessage(message);
}

/** The next message; rejects where the thread fails or ends before it. */
async function receive(thread: Worker): Promise<FromThread> {
  const over = new AbortController();
  const fail = async (event: 'exit' | 'messageerror'): Promise<never> => {
    const [reason] = await once(thread, event, { signal: over.signal });
    throw new Error(`The thread gave no answer: ${event} ${reason}`);
  };
  try {
    const message = once(thread, 'message', { signal: over.signal });
    return asMessage((await Promise.race([message, fail('exit'), fail('messageerror')]))[0]);
  } finally {
    over.abort();
  }
}

/** Both ends are ours. */
function asMessage(message: unknown): FromThread {
  return message as FromThread;
}
