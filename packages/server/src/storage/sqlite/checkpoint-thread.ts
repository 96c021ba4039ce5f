// The thread that copies the write-ahead log into the database file. It has its own connection and loads no other code.

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorkThread, ToWorkThread } from '../work-thread.ts';

/** `passive` copies as much as possible without waiting for other connections. `truncate` waits for readers and then empties the log. */
export type Checkpoint = 'passive' | 'truncate';

/** How long `truncate` waits for readers and writers. */
const PATIENCE_MS = 50;

const database = new DatabaseSync(workerData, { timeout: PATIENCE_MS });
database.exec('pragma synchronous = full');

/** Returns false if another connection was still using the log, or if writing to the disk failed. The log then keeps its contents. */
function run(checkpoint: Checkpoint): boolean {
  try {
    return database.prepare(`pragma wal_checkpoint(${checkpoint})`).get()?.busy === 0;
  } catch {
    return false;
  }
}

const port = parentPort;
if (port === null) throw new Error('This file must run in a worker thread');
port.on('message', (message: ToWorkThread<Checkpoint>) => {
  if (message.kind === 'job') {
    const answer: FromWorkThread<boolean> = { no: message.no, done: run(message.job) };
    port.postMessage(answer);
  } else if (message.kind === 'end') {
    database.close();
    port.close();
  }
});
