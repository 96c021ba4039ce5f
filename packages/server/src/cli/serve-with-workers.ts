// Runs the service in several processes that share a port. The primary process serves no requests: it prepares the database, starts
// the workers, replaces those that die, and stops them.

import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { withNewDemo } from '../demo/with-new-demo.ts';
import { HARD_STOP_MS, installStopSignals, STUCK_CLOSE_MS } from '../http/drain.ts';
import { openStorage } from '../open-storage.ts';
import { readPackageVersion } from '../package-folder.ts';
import type { Settings } from '../settings.ts';
import { announceDemo, announceService } from './announce.ts';
import { CommandFailure } from './command-failure.ts';
import { findFreePort, type Place } from './listening.ts';
import { createServiceLog } from './service-log.ts';
import { SharedImages } from './shared-images.ts';
import { SharedTraffic } from './shared-traffic.ts';
import { answerQuestions, isReadyMessage, STOP_MESSAGE } from './worker-messages.ts';

export async function serveWithWorkers(settings: Settings, count: number): Promise<void> {
  const version = readPackageVersion();
  const log = createServiceLog(settings.logLevel);
  const storage = await openStorage(settings.databaseUrl, Date.now());
  const place = { host: settings.host, port: await findFreePort(settings) };
  const workers = new WorkerGroup(place, { count, drainMs: settings.drainMs, log });
  installStopSignals({
    signals: ['SIGTERM', 'SIGINT'],
    stop: (signal) => workers.stop(signal),
    stopAtOnce: (signal) => workers.stopAtOnce(signal),
  });
  const url = await workers.start();
  const isNew =
    settings.isDemoWanted &&
    (await withNewDemo(storage, { ...settings, now: Date.now() }, async (demo) => {
      if (demo !== undefined) announceDemo({ version, settings, url, demo });
      return demo !== undefined;
    }));
  await announceService({ version, settings, url, storage, log, isNew });
  await storage.close();
}

/** Allows for late timers, and for the time that a busy operating system takes to end a process and its threads. */
const SLACK_MS = 1_000;
/**
 * Longer than a worker takes to stop once it has stopped listening, even if it has to cut off requests. Service managers must wait longer
 * than this plus the drain time.
 */
export const LONGEST_STOP_MS = HARD_STOP_MS + STUCK_CLOSE_MS + SLACK_MS;
/** If a worker dies sooner than this, its replacement would probably die immediately too, so the replacement is delayed. */
const SHORT_LIFE_MS = 1_000;

interface WorkerGroupOptions {
  readonly count: number;
  /** How long workers keep accepting connections after they are told to stop. */
  readonly drainMs: number;
  readonly log: Logger;
}

/** A fixed number of processes that share a port. A worker that dies is replaced, unless the group is stopping. */
class WorkerGroup {
  readonly #count: number;
  readonly #drainMs: number;
  readonly #log: Logger;
  readonly #alive = new Set<Worker>();
  readonly #ready = new Set<Worker>();
  readonly #traffic = new SharedTraffic();
  readonly #images = new SharedImages();
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

  /** Resolves with the address once all workers are listening on it. */
  async start(): Promise<string> {
    // If the first worker cannot start, the others cannot either, and one error message is enough.
    const url = await this.#startWorker();
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#startWorker()));
    return url;
  }

  stopAtOnce(signal: NodeJS.Signals): void {
    this.#log.warn({ signal }, 'stopped immediately');
    this.#killAll();
    process.exit(0);
  }

  /** Lets requests in flight finish, then ends the process. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    this.#log.info({ signal }, 'stopping');
    for (const worker of this.#alive) {
      if (this.#ready.has(worker)) worker.send(STOP_MESSAGE);
      else worker.process.kill();
    }
    setTimeout(() => {
      this.#log.error('shutdown timed out');
      this.#killAll();
      process.exit(1);
    }, this.#drainMs + LONGEST_STOP_MS).unref();
    this.#endWhenAlone();
  }

  /** Loads the metrics library only when metrics are requested. */
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
      this.#images.take(worker, message);
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
