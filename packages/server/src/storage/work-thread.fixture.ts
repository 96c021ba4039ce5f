// A thread whose jobs are named after what they do. It loads nothing, so it starts quickly.

import { parentPort } from 'node:worker_threads';
import type { FromWorkThread, ToWorkThread } from './work-thread.ts';

/** Nesting this deep is too much for the main thread, which has a smaller stack. */
const DEPTH = 12_000;

function nest(): object {
  let nested = {};
  for (let level = 0; level < DEPTH; level += 1) nested = { nested };
  return nested;
}

function answer(job: string): unknown {
  if (job === 'fail') {
    // Make the thread take some time to free its memory when it ends.
    Object.assign(globalThis, { held: Array.from({ length: 200_000 }, () => ({})) });
    throw new Error('Out of order');
  }
  return job === 'send nonsense' ? nest() : `done: ${job}`;
}

const held: (() => void)[] = [];
let isSlowToEnd = false;

parentPort?.on('message', (message: ToWorkThread<string>) => {
  if (message.kind === 'end') {
    if (!isSlowToEnd) parentPort?.close();
    else parentPort?.postMessage({ no: 0, done: 'ending' });
    return;
  }
  if (message.kind === 'stop-waiting') {
    for (const release of held) release();
    return;
  }
  const { no, job } = message;
  if (job === 'run for ever') for (;;);
  if (job === 'end slowly') isSlowToEnd = true;
  const tell = (answered: FromWorkThread<unknown, string>): void => parentPort?.postMessage(answered);
  const send = (): void => tell({ no, done: answer(job) });
  if (job === 'work in parts') for (const part of ['one', 'two']) tell({ no, part });
  if (job === 'wait') held.push(send);
  else send();
});
