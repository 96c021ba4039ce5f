// Large answers are made on a thread with a connection to the database of its own: reading, joining and encoding one takes up to a
// second, and nobody else waits for that. One is made at a time, which bounds the memory, and callers take turns. The thread starts
// when it is needed and ends when it is not.

import { Worker } from 'node:worker_threads';
import type { Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import {
  DamagedContent,
  FairTurns,
  type Obstacle,
  StorageFault,
  StorageUnavailable,
  TookTooLong,
} from '../storage/port.ts';
import type { LargeAnswer, LargeRequest } from './make-large-answer.ts';

const TURNS = { atOnce: 1, atOnceOfOne: 1, waiting: 500, waitingOfOne: 100, longestMs: 30_000 } as const;
/** Its memory is worth more than the time of its start. */
const IDLE_MS = 10_000;
/** Texts take up to two bytes a character, and the largest answer is held twice: what was read, and what was joined from it. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 } as const;
/** A thread that is asked to end gets this long to close its connections. */
const LONGEST_END_MS = 1000;

export type ToAnswerThread = { readonly kind: 'make'; readonly request: LargeRequest } | { readonly kind: 'end' };

/** Bytes are handed over. */
export type FromAnswerThread =
  | { readonly kind: 'made'; readonly made: Result<Omit<LargeAnswer, 'body'> & { readonly body: Uint8Array }, Problem> }
  | { readonly kind: 'failed'; readonly failure: Failure };

type Failure =
  | { readonly kind: 'damaged'; readonly contentId: string }
  | { readonly kind: 'fault'; readonly obstacle: Obstacle; readonly message: string }
  | { readonly kind: 'late'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'bug'; readonly error: unknown };

export class LargeAnswers {
  readonly #startThread: () => Worker;
  readonly #turns = new FairTurns(TURNS);
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param program of the thread
   * @param task is handed to it
   */
  constructor(program: string, task: object) {
    this.#startThread = () => new Worker(program, { workerData: task, resourceLimits: MEMORY });
  }

  /** Rejects with `TookTooLong` where there is no turn in time, or too many wait. */
  async inTurn<Outcome>(caller: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const turn = await this.#turns.begin(caller);
    clearTimeout(this.#idle);
    try {
      return await work();
    } finally {
      this.#turns.end(turn);
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  /** Within a turn. */
  async make(request: LargeRequest): Promise<Result<LargeAnswer, Problem>> {
    const thread = this.#thread ?? this.#start();
    const answered = receive(thread);
    tell(thread, { kind: 'make', request });
    const message = await answered;
    if (message.kind === 'failed') throw rebuildError(message.failure);
    const { made } = message;
    if (!made.ok) return made;
    const { buffer, byteOffset, byteLength } = made.value.body;
    return { ok: true, value: { ...made.value, body: Buffer.from(buffer, byteOffset, byteLength) } };
  }

  #start(): Worker {
    // Some may still wait for their turn, or within it for room.
    if (this.#isClosed) throw new StorageUnavailable('Large answers are not made any more');
    const thread = this.#startThread();
    // A process that has nothing else to do may end.
    thread.unref();
    // Whoever waits for the thread gets the error; the next one starts another.
    const forget = (): void => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    thread.on('error', forget).once('exit', forget);
    thread.on('messageerror', () => {
      forget();
      void thread.terminate();
    });
    this.#thread = thread;
    return thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    tell(thread, { kind: 'end' });
    const timer = setTimeout(() => void thread.terminate(), LONGEST_END_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Who asks from now on is refused with `StorageUnavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }
}

/** The next message; rejects where it cannot be read, or the thread fails or ends before it. */
function receive(thread: Worker): Promise<FromAnswerThread> {
  const { promise, resolve, reject } = Promise.withResolvers<FromAnswerThread>();
  const onError = (cause: unknown): void => reject(new Error('The thread that makes large answers failed', { cause }));
  const onExit = (): void => reject(new StorageUnavailable('The thread that makes large answers has ended'));
  thread.once('message', resolve).once('messageerror', onError).once('error', onError).once('exit', onExit);
  return promise.finally(() =>
    thread.off('message', resolve).off('messageerror', onError).off('error', onError).off('exit', onExit),
  );
}

function tell(thread: Worker, message: ToAnswerThread): void {
  thread.postMessage(message);
}

/** Threads pass on what an error holds, but not what it is. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof DamagedContent) return { kind: 'damaged', contentId: error.contentId };
  if (error instanceof StorageFault) return { kind: 'fault', obstacle: error.obstacle, message: error.message };
  if (error instanceof TookTooLong) return { kind: 'late', message: error.message };
  if (error instanceof StorageUnavailable) return { kind: 'unavailable', message: error.message };
  return { kind: 'bug', error };
}

function rebuildError(failure: Failure): unknown {
  switch (failure.kind) {
    case 'damaged':
      return new DamagedContent(failure.contentId);
    case 'fault':
      return new StorageFault(failure.obstacle, failure.message);
    case 'late':
      return new TookTooLong(failure.message);
    case 'unavailable':
      return new StorageUnavailable(failure.message);
    case 'bug':
      return failure.error;
  }
}
