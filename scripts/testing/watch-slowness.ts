// Measures how much slower than usual the machine is, for tests with time limits. On an otherwise idle machine, tests apply the exact
// limit. They allow more time only while other programs or virtual machines slow the processor down. With `PROOF=full`, they never allow
// extra time.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How long the work below takes on an otherwise idle machine of the kind on which our limits were measured. */
const USUAL_MS = 40;

const WORK = `
  const { parentPort } = require('node:worker_threads');
  const measure = () => {
    const startedAt = performance.now();
    let value = 1;
    for (let count = 0; count < 10_000_000; count += 1) {
      value ^= value << 13;
      value ^= value >>> 17;
      value ^= value << 5;
    }
    return value === 0 ? 0 : performance.now() - startedAt;
  };
  measure();
  let longestMs = 0;
  const look = () => {
    longestMs = Math.max(longestMs, measure());
  };
  look();
  setInterval(look, 250);
  parentPort.on('message', () => {
    look();
    parentPort.postMessage(longestMs);
    longestMs = 0;
  });
`;

/** The watch stops when this object goes out of scope. */
export interface SlownessWatch extends AsyncDisposable {
  /** The largest factor by which the machine has been slower than usual since the watch began or was last read; at least 1. */
  read(): Promise<number>;
}

export async function watchSlowness(): Promise<SlownessWatch> {
  const worker = new Worker(WORK, { eval: true });
  await once(worker, 'online');
  return {
    async read() {
      worker.postMessage(undefined);
      const [longestMs]: number[] = await once(worker, 'message');
      return process.env.PROOF === 'full' ? 1 : Math.max(1, (longestMs ?? 0) / USUAL_MS);
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
