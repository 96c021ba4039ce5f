// Processes that share a port, kept at their number: one that dies is replaced, until all are told to stop.

import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { HARD_STOP_MS, STUCK_CLOSE_MS } from '../http/drain.ts';
import { CommandFailure } from './command-failure.ts';
import type { Place } from './listening.ts';
import { SharedTraffic } from './shared-traffic.ts';
import { isReadyMessage, STOP_MESSAGE } from './worker-message.ts';
import { answerQuestions } from './worker-questions.ts';

/** What timers may be late by, and what the system needs to end a process with its threads, on a busy machine. */
const SLACK_MS = 1_000;
/** Longer than a worker takes that has to cut off its last requests, once it has stopped listening. Service managers must wait longer than this and the time before. */
export const LONGEST_STOP_MS = HARD_STOP_MS + STUCK_CLOSE_MS + SLACK_MS;
/** Whoever dies sooner would likely do so again at once, so the next one waits. */
const SHORT_LIFE_MS = 1_000;

export interface WorkerGroupOptions {
  readonly count: number;
  /** How long workers go on accepting connections after they are told to stop. */
  readonly drainMs: number;
  readonly log: Logger;
}

export class WorkerGroup {
  readonly #count: number;
  readonly #drainMs: number;
  readonly #log: Logger;
  readonly #alive = new Set<Worker>();
  readonly #ready = new Set<Worker>();
  readonly #traffic = new SharedTraffic();
  readonly #answer = answerQuestions({
    metrics: () => this.#collectMetrics(),
    traffic: ({ accountNo = 0 }) => this.#traffic.read(this.#ready, accountNo),
  });
  #metrics: Promise<() => Promise<string>> | undefined;
  #isStopping = false;

  constructor({ host, port }: Place, { count, drainMs, log }: WorkerGroupOptions) {
    this.#count = count;
    this.#drainMs = drainMs;
    this.#log = log;
    cluster.setupPrimary({ args: ['serve', '--host', host, '--port', String(port)] });
  }

  /** Resolves with the address when all workers listen on it. */
  async start(): Promise<string> {
    // What keeps the first from starting would keep all others, and one complaint about it is enough.
    const url = await this.#startWorker();
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#startWorker()));
    return url;
  }

  stopAtOnce(signal: NodeJS.Signals): void {
    this.#log.warn({ signal }, 'stopped at once');
    this.#killAll();
    process.exit(0);
  }

  /** Lets the requests under way end, and then ends the process. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    this.#log.info({ signal }, 'stopping');
    for (const worker of this.#alive) {
      if (this.#ready.has(worker)) worker.send(STOP_MESSAGE);
      else worker.process.kill();
    }
    setTimeout(() => {
      this.#log.error('closing did not end');
      this.#killAll();
      process.exit(1);
    }, this.#drainMs + LONGEST_STOP_MS).unref();
    this.#endWhenAlone();
  }

  /** Where nobody asks for them, nothing is loaded that would collect them. */
  async #collectMetrics(): Promise<string> {
    this.#metrics ??= import('./shared-metrics.ts').then(({ createMetricsCollection }) => createMetricsCollection());
    try {
      const collect = await this.#metrics;
      return await collect();
    } catch (error) {
      this.#log.error({ err: error }, 'metrics could not be collected');
      this.#metrics = undefined;
      throw error;
    }
  }

  #startWorker(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const startedAt = performance.now();
    const worker = cluster.fork();
    this.#alive.add(worker);
    worker.on('message', (message: unknown) => {
      this.#answer(worker, message);
      this.#traffic.take(message);
      if (!isReadyMessage(message)) return;
      this.#ready.add(worker);
      resolve(message.url);
    });
    worker.once('exit', (code, signal) => {
      this.#alive.delete(worker);
      const wasReady = this.#ready.delete(worker);
      if (this.#isStopping) return this.#endWhenAlone();
      if (!wasReady) return reject(new CommandFailure('A worker could not start.'));
      this.#log.error({ worker: worker.id, code, signal }, 'a worker died');
      this.#replaceWorker(performance.now() - startedAt < SHORT_LIFE_MS ? SHORT_LIFE_MS : 0);
    });
    return promise;
  }

  #replaceWorker(pauseMs: number): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      this.#startWorker().then(
        () => this.#log.info('a worker was replaced'),
        () => this.#replaceWorker(SHORT_LIFE_MS),
      );
    }, pauseMs);
  }

  #endWhenAlone(): void {
    if (this.#alive.size > 0) return;
    this.#log.info('stopped');
    process.exit(0);
  }

  #killAll(): void {
    for (const worker of this.#alive) worker.process.kill('SIGKILL');
  }
}
