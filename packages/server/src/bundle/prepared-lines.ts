// The lines of a bundle with their content prepared, by a thread of its own. What goes wrong there goes wrong here.

import { on } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  FromPreparation,
  PreparationAnswer,
  PreparationQuestion,
  PreparationTask,
  PreparedLine,
  ToPreparation,
} from './preparation-messages.ts';
import { BundleFault } from './read-bundle-lines.ts';

const THREAD = join(import.meta.dirname, `preparation-thread${extname(import.meta.filename)}`);

/** What is made there is sent and dropped at once: more room would only be filled with it. */
const YOUNG_MB = 16;

/** A thread that was started must be closed. */
export class PreparedLines {
  readonly #worker: Worker;
  readonly #messages: AsyncIterableIterator<unknown[]>;

  /** @param program of the thread */
  constructor(task: PreparationTask, program: string | URL = THREAD) {
    this.#worker = new Worker(program, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] });
  }

  /** @param answer tells the thread what stands in the database */
  async *read(
    answer: (question: PreparationQuestion) => Promise<PreparationAnswer>,
  ): AsyncGenerator<readonly PreparedLine[], void, undefined> {
    for await (const [message] of this.#messages) {
      const told = asMessage(message);
      if (told.kind === 'end') return;
      if (told.kind === 'fault') throw new BundleFault(told.line, told.message);
      if (told.kind === 'question') {
        this.#tell({ kind: 'answer', answer: await answer(told.question) });
        continue;
      }
      yield told.lines;
      this.#tell({ kind: 'more' });
    }
    throw new Error('The thread that prepares content ended before the file did');
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #tell(message: ToPreparation): void {
    this.#worker.postMessage(message);
  }
}

/** Both ends are ours. */
function asMessage(message: unknown): FromPreparation {
  return message as FromPreparation;
}
