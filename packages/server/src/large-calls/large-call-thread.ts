// The thread that answers large calls of the management API while the service goes on.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../collect-garbage.ts';
import { deliverContent } from '../delivery/deliver-content.ts';
import { type AdmittedCall, answerCall, type CallTools, type SetHeader } from '../management/answer-call.ts';
import type { Entrance } from '../management/session/entrance.ts';
import { joinStorage } from '../open-storage.ts';
import type { DatabaseAddress } from '../storage/port.ts';
import { describeFailure } from './failure-message.ts';
import type { FromThread, ToThread } from './large-calls.ts';

if (parentPort === null) throw new Error('Not a thread of its own');
const port = parentPort;
// On Linux a thread has a priority of its own; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);

/** Large calls are about a site. Whoever signs in meets the one entrance of the process, which counts the attempts. */
const NO_ENTRANCE: Entrance = {
  get throttle() {
    return refuse('sign anybody in');
  },
  get devices() {
    return refuse('sign anybody in');
  },
  get failures() {
    return refuse('sign anybody in');
  },
};

function refuse(what: string): never {
  throw new Error(`A large call must not ${what}`);
}

/** Where the database cannot be opened, the next call tries again. */
let tools: CallTools | undefined;

async function openTools(address: DatabaseAddress): Promise<CallTools> {
  const storage = await joinStorage(address);
  return {
    desk: { storage, now: Date.now, newUuid: randomUUIDv7, randomBytes },
    deliver: (siteNo, contentId) => deliverContent(storage.delivery, siteNo, contentId),
    entrance: NO_ENTRANCE,
    readTraffic: () => refuse('ask for the traffic'),
  };
}

port.on('message', async (message: ToThread) => {
  if (message.kind === 'answer') await answer(message.call, message.isStopping);
  else tools?.desk.storage.stopWaiting();
});

async function answer(call: AdmittedCall, isStopping: boolean): Promise<void> {
  try {
    tools ??= await openTools(workerData);
    if (isStopping) tools.desk.storage.stopWaiting();
    const headers: [string, string][] = [];
    const setHeader: SetHeader = (name, value) => headers.push([name, value]);
    const { body, ...served } = await answerCall(tools, call, setHeader);
    const bytes = body === null ? null : new TextEncoder().encode(body);
    tell({ kind: 'served', served: { ...served, body: bytes }, headers }, bytes === null ? [] : [bytes.buffer]);
  } catch (error) {
    tell({ kind: 'failed', failure: describeFailure(error) });
  }
  setImmediate(collectGarbage);
}

function tell(message: FromThread, transferred: ArrayBuffer[] = []): void {
  port.postMessage(message, transferred);
}
