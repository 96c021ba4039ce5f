// Measures how long other requests wait during a measurement: a second process requests /livez continuously.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scratch } from '../scratch.ts';

export interface LivenessMessage {
  readonly longestMs: number;
}

export interface LivenessWatch {
  /** The longest wait while the service had nothing else to do. */
  readonly idleMs: number;
  /** The longest wait since the last call, or since watching began. */
  readonly takeLongest: () => Promise<number>;
  readonly stop: () => void;
}

/** @param idleSeconds how long to watch the service before it gets other requests */
export async function watchLiveness(scratch: Scratch, origin: string, idleSeconds: number): Promise<LivenessWatch> {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'liveness-process.ts'), [origin]));
  let waiting = Promise.withResolvers<number>();
  child.on('message', (message) => waiting.resolve(asLivenessMessage(message).longestMs));
  child.once('exit', (status) =>
    waiting.reject(new Error(`The process that requests /livez exited with status ${status}`)),
  );
  const takeLongest = (): Promise<number> => {
    waiting = Promise.withResolvers();
    child.send('longest');
    return waiting.promise;
  };
  // The process that sends the requests is slow at first.
  await takeLongest();
  await sleep(idleSeconds * 1000);
  return { idleMs: await takeLongest(), takeLongest, stop: () => child.disconnect() };
}

/** The cast is safe, because the process sends no other messages. */
function asLivenessMessage(message: unknown): LivenessMessage {
  return message as LivenessMessage;
}
