// Child processes that decode and render pictures. An uploaded file may crash or stall a decoder. If that happens, the process is replaced,
// and only its picture fails. Jobs contain paths instead of bytes, so waiting pictures take no memory here.

import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { ImageSource } from './image-source.ts';
import type { Picture } from './inspect-picture.ts';
import type { ImagePlan } from './plan-image.ts';

export interface RenderJob {
  readonly kind: 'render';
  readonly plan: ImagePlan;
  /** The path of the original. */
  readonly picture: string;
  /** The path of the plan's mark. */
  readonly mark: string | null;
  /** The path of the result. After a failure, part of it may exist. */
  readonly output: string;
}

export interface ReadJob {
  readonly kind: 'read';
  readonly picture: string;
}

/**
 * A job for an upload. Such jobs have their own queue and run before others, because there are few of them and people are waiting for them.
 */
export interface InspectJob {
  readonly kind: 'inspect';
  readonly picture: string;
  readonly mostPixels: number;
}

export type ImageJob = RenderJob | ReadJob | InspectJob;

export type ImageAnswer =
  | { readonly kind: 'rendered'; readonly bytes: number }
  | { readonly kind: 'read'; readonly source: ImageSource }
  | { readonly kind: 'inspected'; readonly picture: Picture }
  | { readonly kind: 'too_many_pixels'; readonly pixels: number }
  /** The file is damaged, or its format is unknown. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** A bug or a disk fault. */
  | { readonly kind: 'failed'; readonly detail: string };

export type ImageOutcome = ImageAnswer | { readonly kind: Interruption | 'overloaded' | 'refused' };

/**
 * Lets the caller enforce limits. When a job is queued, nobody knows how long it will take, or how much of the limit the client will use up
 * before the job starts.
 */
export interface JobTerms {
  /** Called when a process is free for the job. If the result is false, the outcome is `refused`. */
  readonly mayStart: () => boolean | Promise<boolean>;
  /** Called with the time that the process spent on the job. */
  readonly noteTime: (ms: number) => void;
}

/** The picture took too long, its process ended, or the service has stopped. */
type Interruption = 'late' | 'crashed' | 'closed';

export interface ToImageProcess {
  readonly no: number;
  readonly job: ImageJob;
}

export interface FromImageProcess {
  readonly no: number;
  readonly answer: ImageAnswer;
}

/** The image processes of the whole service, wherever they run. */
export type ImagePool = Pick<ImageProcesses, 'do' | 'close'>;

export interface ImageProcessesOptions {
  readonly processes?: number;
  /** How many pictures may wait for a process. In addition, the same number of uploads may wait. */
  readonly mostWaiting?: number;
  /** How long one picture may take. */
  readonly limitMs?: number;
  /** A process ends after this much idle time. */
  readonly idleMs?: number;
  /** The script that the processes run. */
  readonly program?: string;
}

const PROGRAM = join(import.meta.dirname, `render-process${extname(import.meta.filename)}`);
const MOST_WAITING = 64;
const LIMIT_MS = 20_000;
const IDLE_MS = 30_000;

/** The processes get no other variables, because the environment contains secrets. */
const PASSED_VARIABLES = ['PATH', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'];

interface Task {
  readonly no: number;
  readonly job: ImageJob;
  readonly terms: JobTerms;
  readonly settle: (outcome: ImageOutcome) => void;
}

const NO_TERMS: JobTerms = { mayStart: () => true, noteTime: () => {} };

interface Slot {
  readonly child: ChildProcess;
  task: Task | null;
  /** When the process got its task. */
  startedAt: number;
  /** The time limit while the process is working, and the idle timeout while it is not. */
  timer: NodeJS.Timeout | undefined;
}

/** One core is left for other requests. */
function countImageProcesses(): number {
  return Math.max(1, availableParallelism() - 1);
}

export class ImageProcesses {
  readonly #options: Required<ImageProcessesOptions>;
  readonly #slots = new Set<Slot>();
  readonly #idle: Slot[] = [];
  readonly #waitingUploads: Task[] = [];
  readonly #waiting: Task[] = [];
  /** Jobs that have left the queue and are waiting for `mayStart`. A process is reserved for each. */
  #asking = 0;
  #lastNo = 0;
  #isClosed = false;

  constructor(options: ImageProcessesOptions = {}) {
    this.#options = {
      // The processes have a low priority, so content requests come first even if all processes are busy.
      processes: countImageProcesses(),
      mostWaiting: MOST_WAITING,
      limitMs: LIMIT_MS,
      idleMs: IDLE_MS,
      program: PROGRAM,
      ...options,
    };
  }

  /** Never rejects. */
  do(job: ImageJob, terms: JobTerms = NO_TERMS): Promise<ImageOutcome> {
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' });
    const queue = job.kind === 'inspect' ? this.#waitingUploads : this.#waiting;
    if (!this.#hasRoom() && queue.length >= this.#options.mostWaiting) return Promise.resolve({ kind: 'overloaded' });
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.#lastNo += 1;
    queue.push({ no: this.#lastNo, job, terms, settle: resolve });
    this.#assign();
    return promise;
  }

  /** The ids of the running processes. */
  listProcesses(): readonly number[] {
    return [...this.#slots].flatMap(({ child }) => child.pid ?? []);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of [this.#waitingUploads, this.#waiting]) {
      for (const task of queue.splice(0)) task.settle({ kind: 'closed' });
    }
    const ending = [...this.#slots].map(async (slot) => {
      const { child } = slot;
      // Node does not wait for idle processes, and would exit in the middle of this call.
      child.ref();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      this.#lose(slot, 'closed');
      await ended;
    });
    await Promise.all(ending);
  }

  #hasRoom(): boolean {
    return this.#idle.length + this.#options.processes - this.#slots.size > this.#asking;
  }

  #assign(): void {
    while (this.#hasRoom()) {
      const task = this.#waitingUploads.shift() ?? this.#waiting.shift();
      if (task === undefined) return;
      this.#asking += 1;
      void this.#begin(task);
    }
  }

  async #begin(task: Task): Promise<void> {
    const mayStart = await task.terms.mayStart();
    this.#asking -= 1;
    if (this.#isClosed) task.settle({ kind: 'closed' });
    else if (mayStart) this.#give(task);
    else {
      task.settle({ kind: 'refused' });
      this.#assign();
    }
  }

  #give(task: Task): void {
    const slot = this.#idle.pop() ?? this.#start();
    clearTimeout(slot.timer);
    slot.task = task;
    slot.startedAt = performance.now();
    slot.timer = setTimeout(() => this.#lose(slot, 'late'), this.#options.limitMs);
    slot.child.ref();
    slot.child.channel?.ref();
    const message: ToImageProcess = { no: task.no, job: task.job };
    // If the process has just ended, its exit settles the task.
    slot.child.send(message, () => {});
  }

  #start(): Slot {
    const env = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]]));
    const child = fork(this.#options.program, {
      execArgv: [],
      // Without this limit, the allocator would spread pictures over more and more arenas.
      env: { ...env, MALLOC_ARENA_MAX: '2', VIPS_WARNING: '0' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const slot: Slot = { child, task: null, startedAt: 0, timer: undefined };
    this.#slots.add(slot);
    child.on('message', (message) => {
      if (!isAnswer(message) || slot.task?.no !== message.no) return;
      this.#settle(slot, message.answer);
      this.#release(slot);
    });
    child.on('error', () => this.#lose(slot, 'crashed'));
    child.on('exit', () => this.#lose(slot, 'crashed'));
    return slot;
  }

  #settle(slot: Slot, outcome: ImageOutcome): void {
    const { task } = slot;
    slot.task = null;
    task?.terms.noteTime(performance.now() - slot.startedAt);
    task?.settle(outcome);
  }

  #release(slot: Slot): void {
    clearTimeout(slot.timer);
    this.#idle.push(slot);
    // An idle process must not keep the service from exiting.
    slot.child.unref();
    slot.child.channel?.unref();
    slot.timer = setTimeout(() => this.#lose(slot, 'closed'), this.#options.idleMs).unref();
    this.#assign();
  }

  #lose(slot: Slot, kind: Interruption): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.timer);
    const position = this.#idle.indexOf(slot);
    if (position !== -1) this.#idle.splice(position, 1);
    slot.child.kill('SIGKILL');
    this.#settle(slot, { kind });
    if (!this.#isClosed) this.#assign();
  }
}

/** Only our own script sends messages. */
function isAnswer(message: Serializable): message is FromImageProcess & Serializable {
  return typeof message === 'object' && 'no' in message && 'answer' in message;
}
