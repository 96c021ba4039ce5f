// What everybody else notices while somebody hunts: this thread asks for `/livez` and for an answer that is in the cache,
// again and again, and times how long each takes. It asks a bare server in the same moment. Where that one is late too,
// the machine was busy and not the service, so its time is taken off.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openConnection } from '../../support/connection.ts';

export interface Watched {
  readonly url: string;
  /** A server that does nothing else than answer. */
  readonly bareUrl: string;
  /** An answer that the service keeps. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Waits {
  readonly samples: number;
  /** In milliseconds: what the service took beyond the bare server, in 99 of 100 samples and in the worst one. */
  readonly most99: number;
  readonly most: number;
}

export interface Watch extends AsyncDisposable {
  /** The waits since the last call. */
  take(): Promise<Waits>;
}

const PAUSE_MS = 5;

export async function watchOthers(watched: Watched): Promise<Watch> {
  const worker = new Worker(new URL(import.meta.url), { workerData: watched });
  await once(worker, 'online');
  return {
    async take() {
      worker.postMessage('take');
      const [waits]: readonly Waits[] = await once(worker, 'message');
      if (waits === undefined) throw new Error('The watch says nothing');
      return waits;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

async function watch({ url, bareUrl, target, headers }: Watched, answer: (waits: Waits) => void): Promise<void> {
  const connections = { health: openConnection(url), cached: openConnection(url), bare: openConnection(bareUrl) };
  let waits: number[] = [];
  parentPort?.on('message', () => {
    const sorted = waits.toSorted((one, other) => one - other);
    answer({
      samples: sorted.length,
      most99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      most: sorted.at(-1) ?? 0,
    });
    waits = [];
  });
  for (;;) {
    const [health, cached, bare] = await Promise.all([
      time(() => connections.health.ask({ target: '/livez' })),
      time(() => connections.cached.ask({ target, headers })),
      time(() => connections.bare.ask({ target: '/' })),
    ]);
    waits.push(Math.max(health, cached) - bare);
    await pause(PAUSE_MS);
  }
}

async function time(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  const start = performance.now();
  const { status } = await ask();
  if (status !== 200) throw new Error(`Somebody else is answered ${status}`);
  return performance.now() - start;
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  await watch(workerData, (waits) => port.postMessage(waits));
}
