// Measures how long other clients wait during the search. This thread repeatedly requests `/livez` and a cached response and times each
// of them. It subtracts delays caused by the machine rather than the service. These are the times during which the service's main thread
// or this one had work but no core, and the times during which other virtual machines on the same host used the core.

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openConnection } from '../../../support/connection.ts';

export interface Watched {
  readonly url: string;
  readonly pid: number;
  /** A response that the service caches. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Waits {
  readonly samples: number;
  /** In milliseconds: the 99th percentile and the maximum. */
  readonly most99: number;
  readonly most: number;
}

export interface Watch extends AsyncDisposable {
  /** The waiting times since the last call. */
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
      if (waits === undefined) throw new Error('The measuring thread sent no message');
      return waits;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

async function watch({ url, pid, target, headers }: Watched, answer: (waits: Waits) => void): Promise<void> {
  const [health, cached] = [openConnection(url), openConnection(url)];
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
    const before = readMachine(pid);
    const took = await Promise.all([
      time(() => health.ask({ target: '/livez' })),
      time(() => cached.ask({ target, headers })),
    ]);
    waits.push(Math.max(...took) - findLostMs(before, readMachine(pid)));
    await pause(PAUSE_MS);
  }
}

async function time(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  const start = performance.now();
  const { status } = await ask();
  if (status !== 200) throw new Error(`Another client received status ${status}`);
  return performance.now() - start;
}

interface Machine {
  /** The total time during which the two threads have had work but no core. */
  readonly queuedMs: number;
  /** The total time that the host has taken from each core. */
  readonly stolenMs: readonly number[];
}

/** Linux reports this time in hundredths of a second. */
const TICK_MS = 10;

/** On other systems this is unknown, and nothing is subtracted. */
function readMachine(pid: number): Machine {
  if (!existsSync('/proc/thread-self/schedstat')) return { queuedMs: 0, stolenMs: [] };
  const cores = readFileSync('/proc/stat', 'utf8').matchAll(/^cpu\d+(?: \d+){7} (\d+)/gm);
  return {
    queuedMs: readQueuedMs(`/proc/${pid}/task/${pid}`) + readQueuedMs('/proc/thread-self'),
    stolenMs: [...cores].map(([, ticks]) => Number(ticks) * TICK_MS),
  };
}

/** The second number is the time spent on a run queue, in nanoseconds. */
function readQueuedMs(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

function findLostMs(before: Machine, after: Machine): number {
  const stolen = after.stolenMs.map((ms, core) => ms - (before.stolenMs[core] ?? 0));
  return after.queuedMs - before.queuedMs + Math.max(0, ...stolen);
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  await watch(workerData, (waits) => port.postMessage(waits));
}
