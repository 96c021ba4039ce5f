// Long HTML is cleaned on a thread, one text at a time. Callers take turns, so nobody waits for all that another one saves.

import { once } from 'node:events';
import { extname, join } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { FairTurns } from '../storage/port.ts';
import { sanitiseHtml } from './contents/sanitise-html.ts';

const PROGRAM = join(import.meta.dirname, `cleaning-thread${extname(import.meta.filename)}`);
/** Its memory is worth more than the time of its start. */
const IDLE_MS = 10_000;
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** A text as long as a field takes is cleaned in about a second. Each one that waits holds the body of its request in memory. */
const TURNS = { atOnce: 1, atOnceOfOne: 1, waiting: 100, waitingOfOne: 20, longestMs: 30_000 };

/** One for the process. It starts when it is needed, ends when it is not, and does not keep the process from ending. */
class CleaningThread {
  #worker: Worker | undefined;
  readonly #turns = new FairTurns(TURNS);
  #idle: NodeJS.Timeout | undefined;

  async clean(text: string, caller: string): Promise<string | undefined> {
    const turn = await this.#turns.begin(caller);
    clearTimeout(this.#idle);
    try {
      return await this.#cleanNow(text);
    } finally {
      this.#turns.end(turn);
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  async #cleanNow(text: string): Promise<string | undefined> {
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      worker.postMessage(text);
      // Rejects where the thread fails, such as for want of memory.
      const [kept] = await once(worker, 'message');
      return asKept(kept);
    } finally {
      worker.unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, { resourceLimits: MEMORY });
    worker.unref();
    worker.on('error', () => {
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

const THREAD = new CleaningThread();

/** Rejects with `TookTooLong` where too many wait, in all or of this caller. A thread that answers calls cleans by itself. */
export async function cleanText(text: string, caller: string): Promise<string | undefined> {
  return isMainThread ? THREAD.clean(text, caller) : sanitiseHtml(text);
}

/** Both ends are ours. */
function asKept(message: unknown): string | undefined {
  return message as string | undefined;
}
