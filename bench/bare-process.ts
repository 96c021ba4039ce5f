// Starts the bare server, the baseline for most measurements, as a separate process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BareMessage } from './bare-server.ts';
import type { RecordedAnswer } from './recorded-answer.ts';
import type { Scratch } from './scratch.ts';

export interface BareProcess {
  readonly pid: number | undefined;
  /** Sets the response to send from now on. @returns the server's origin */
  readonly serve: (answer: RecordedAnswer) => Promise<string>;
}

export function startBareServer(scratch: Scratch): BareProcess {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'bare-server.ts')));
  return {
    pid: child.pid,
    serve: async (answer) => {
      child.send(answer);
      const [message] = await once(child, 'message');
      return `http://127.0.0.1:${asBareMessage(message).port}`;
    },
  };
}

/** The cast is safe, because the process sends no other messages. */
function asBareMessage(message: unknown): BareMessage {
  return message as BareMessage;
}
