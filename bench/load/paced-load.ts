// Generates load at a fixed rate to measure latencies. A tool that sends the next request as soon as it gets a response measures a server
// that is always saturated, and leaves out the requests it could not send while the server was stalled.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';
import type { LoadFigures } from './load.ts';

export interface PacedOrder {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
}

export type PacedMessage = LoadFigures | { readonly failure: string };

export async function runPacedLoad(scratch: Scratch, order: PacedOrder): Promise<LoadFigures> {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'paced-process.ts')));
  child.send(order);
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const message = asPacedMessage(first);
  if ('failure' in message) throw new Error(`The fixed-rate load test failed: ${message.failure}`);
  return message;
}

/** The cast is safe, because the process sends no other messages. A number is the process's exit status. */
function asPacedMessage(message: unknown): PacedMessage {
  if (typeof message === 'object' && message !== null) return message as PacedMessage;
  return { failure: `its process exited with status ${message}` };
}
