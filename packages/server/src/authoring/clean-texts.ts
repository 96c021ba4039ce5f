// HTML that is too long to be cleaned while others wait. Work that needs it ends with `UncleanTexts`; the texts are cleaned on a
// thread, and the work starts again with the outcome. Nothing is locked meanwhile.

import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** By the text that was given; undefined for what is nested too deep. */
export type CleanedTexts = ReadonlyMap<string, string | undefined>;

/** What the work cannot go on without. */
export class UncleanTexts extends Error {
  override readonly name = 'UncleanTexts';
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    super(`${texts.length} texts must be cleaned first`);
    this.texts = texts;
  }
}

/** @param work has changed nothing when it ends with `UncleanTexts` */
export async function withCleanTexts<Outcome>(work: (cleaned: CleanedTexts) => Promise<Outcome>): Promise<Outcome> {
  const cleaned = new Map<string, string | undefined>();
  for (;;) {
    try {
      return await work(cleaned);
    } catch (error) {
      if (!(error instanceof UncleanTexts)) throw error;
      // One by one, so that whoever has little to clean waits for one text of each of the others, not for all of them.
      for (const text of error.texts) cleaned.set(text, await THREAD.clean(text));
    }
  }
}

const PROGRAM = join(import.meta.dirname, `cleaning-thread${extname(import.meta.filename)}`);
/** Its memory is worth more than the time of its start. */
const IDLE_MS = 10_000;
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 };

/** One for the process. It starts when it is needed, ends when it is not, and does not keep the process from ending. */
class CleaningThread {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;

  clean(text: string): Promise<string | undefined> {
    this.#waiting += 1;
    clearTimeout(this.#idle);
    const turn = this.#last.then(() => this.#cleanNow(text));
    this.#last = turn.then(
      () => this.#rest(),
      () => this.#rest(),
    );
    return turn;
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
    const worker = new Worker(PROGRAM, { resourceLimits: LIMITS });
    worker.unref();
    worker.on('error', () => {
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  #rest(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate();
      this.#worker = undefined;
    }, IDLE_MS).unref();
  }
}

const THREAD = new CleaningThread();

/** Both ends are ours. */
function asKept(message: unknown): string | undefined {
  return message as string | undefined;
}
