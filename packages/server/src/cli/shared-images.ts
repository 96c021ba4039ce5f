// The image processes that all workers share. They belong to the primary process, so there are never more of them than cores, and all
// workers use the same queue. Each worker decides whether its jobs may start, because it counts the time that its clients have used.

import type { Worker } from 'node:cluster';
import { isJsonObject } from '../content/strict-json.ts';
import {
  type ImageJob,
  type ImageOutcome,
  type ImagePool,
  ImageProcesses,
  type JobTerms,
} from '../images/image-processes.ts';

/** A worker needs an image process for a job. */
interface JobMessage {
  readonly imageJob: number;
  readonly job: ImageJob;
  /** Whether the worker must be asked before the job starts. */
  readonly hasTerms: boolean;
}

/** A process is free. The worker answers with a `StartMessage`. */
interface FreeMessage {
  readonly imageFree: number;
  /** Identifies the answer. */
  readonly question: number;
}

interface StartMessage {
  readonly imageStart: number;
  readonly mayStart: boolean;
}

interface DoneMessage {
  readonly imageDone: number;
  readonly outcome: ImageOutcome;
  /** How long the job kept a process busy; null if it was not started. */
  readonly ms: number | null;
}

function isJobMessage(message: unknown): message is JobMessage {
  return isJsonObject(message) && typeof message.imageJob === 'number';
}

function isFreeMessage(message: unknown): message is FreeMessage {
  return isJsonObject(message) && typeof message.imageFree === 'number';
}

function isStartMessage(message: unknown): message is StartMessage {
  return isJsonObject(message) && typeof message.imageStart === 'number';
}

function isDoneMessage(message: unknown): message is DoneMessage {
  return isJsonObject(message) && typeof message.imageDone === 'number';
}

interface WaitingJob {
  readonly terms: JobTerms | undefined;
  readonly settle: (outcome: ImageOutcome) => void;
}

/** Runs in a worker. */
export function openSharedImages(): ImagePool {
  const jobs = new Map<number, WaitingJob>();
  let lastNo = 0;
  let isClosed = false;

  async function decide({ imageFree, question }: FreeMessage): Promise<void> {
    const job = jobs.get(imageFree);
    const mayStart = job !== undefined && ((await job.terms?.mayStart()) ?? true);
    process.send?.({ imageStart: question, mayStart } satisfies StartMessage);
  }

  function finish({ imageDone, outcome, ms }: DoneMessage): void {
    const job = jobs.get(imageDone);
    jobs.delete(imageDone);
    if (ms !== null) job?.terms?.noteTime(ms);
    job?.settle(outcome);
  }

  process.on('message', (message) => {
    if (isFreeMessage(message)) void decide(message);
    if (isDoneMessage(message)) finish(message);
  });
  return {
    do(job, terms) {
      if (isClosed) return Promise.resolve({ kind: 'closed' });
      const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
      lastNo += 1;
      jobs.set(lastNo, { terms, settle: resolve });
      process.send?.({ imageJob: lastNo, job, hasTerms: terms !== undefined } satisfies JobMessage);
      return promise;
    },
    async close() {
      isClosed = true;
      for (const { settle } of jobs.values()) settle({ kind: 'closed' });
      jobs.clear();
    },
  };
}

/** If the worker is too busy to answer, the job starts after this time. Until then, a process is reserved for it. */
const LONGEST_QUESTION_MS = 5_000;

/** Runs in the primary process. */
export class SharedImages {
  readonly #processes = new ImageProcesses();
  readonly #questions = new Map<number, (mayStart: boolean) => void>();
  #lastQuestion = 0;

  take(worker: Worker, message: unknown): void {
    if (isJobMessage(message)) void this.#do(worker, message);
    if (isStartMessage(message)) this.#questions.get(message.imageStart)?.(message.mayStart);
  }

  async #do(worker: Worker, { imageJob, job, hasTerms }: JobMessage): Promise<void> {
    let ms: number | null = null;
    const outcome = await this.#processes.do(job, {
      mayStart: () => (hasTerms ? this.#ask(worker, imageJob) : worker.isConnected()),
      noteTime(spent) {
        ms = spent;
      },
    });
    if (worker.isConnected()) worker.send({ imageDone: imageJob, outcome, ms } satisfies DoneMessage);
  }

  async #ask(worker: Worker, imageFree: number): Promise<boolean> {
    if (!worker.isConnected()) return false;
    this.#lastQuestion += 1;
    const question = this.#lastQuestion;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = (): void => resolve(false);
    const timer = setTimeout(() => resolve(true), LONGEST_QUESTION_MS);
    worker.once('disconnect', giveUp);
    this.#questions.set(question, resolve);
    worker.send({ imageFree, question } satisfies FreeMessage);
    const mayStart = await promise;
    clearTimeout(timer);
    worker.off('disconnect', giveUp);
    this.#questions.delete(question);
    return mayStart;
  }
}
