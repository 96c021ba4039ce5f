// A thread that does what the site of a request is named after. It loads nothing, so that it starts fast.

import { parentPort, workerData } from 'node:worker_threads';
import type { FromAnswerThread, ToAnswerThread } from './large-answers.ts';

/** Deeper than the main thread, which has a smaller stack, can read. */
const DEPTH = 12_000;

function nest(): object {
  let nested = {};
  for (let level = 0; level < DEPTH; level += 1) nested = { nested };
  return nested;
}

function answer(siteId: string): FromAnswerThread | object {
  if (siteId === 'fails') {
    // The end of a thread takes as long as it takes to free its memory.
    Object.assign(globalThis, { held: Array.from({ length: 500_000 }, () => ({})) });
    throw new Error('Out of order');
  }
  if (siteId === 'unreadable') return nest();
  if (siteId in workerData) return { kind: 'failed', failure: workerData[siteId] };
  const value = { generation: 1, body: new Uint8Array([1, 2, 3]), validator: 'v', link: undefined };
  return { kind: 'made', made: { ok: true, value } };
}

parentPort?.on('message', (message: ToAnswerThread) => {
  if (message.kind === 'end') parentPort?.close();
  else parentPort?.postMessage(answer(message.request.siteId));
});
