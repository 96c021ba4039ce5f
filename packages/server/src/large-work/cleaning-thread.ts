// Cleans HTML on a separate thread, to keep the main thread free. To save memory, the thread loads only what it needs for that.

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { sanitiseHtml } from '../authoring/contents/sanitise-html.ts';
import type { FromWorkThread, ToWorkThread } from '../storage/work-thread.ts';

if (parentPort === null) throw new Error('This file must run as a worker thread');
const port = parentPort;
// Only Linux has thread priorities; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);
port.on('message', (message: ToWorkThread<string>) => {
  if (message.kind === 'end') port.close();
  if (message.kind !== 'job') return;
  const answer: FromWorkThread<string | undefined> = { no: message.no, done: sanitiseHtml(message.job) };
  port.postMessage(answer);
  // The process may be killed before the thread ends on its own. With this cache, the next thread starts faster and uses less memory.
  flushCompileCache();
});
