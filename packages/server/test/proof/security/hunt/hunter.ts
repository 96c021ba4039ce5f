// Runs the search on a low-priority thread that leaves the cores to the service, because real attackers use their own machines.

import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Catch, climb } from './climb.ts';
import { preyOfEditors } from './editor-requests.ts';
import { preyOfReaders } from './reader-requests.ts';

export interface Hunt {
  readonly url: string;
  readonly who: 'reader' | 'editor';
  /** An API key for a reader, or a management token for an editor. */
  readonly token: string;
  readonly milliseconds: number;
}

export async function hunt(task: Hunt): Promise<Catch> {
  const hunter = new Worker(new URL(import.meta.url), { workerData: task });
  const [found]: readonly Catch[] = await once(hunter, 'message');
  if (found === undefined) throw new Error('The search thread sent no message');
  return found;
}

if (!isMainThread && parentPort !== null) {
  // On Linux each thread has its own priority.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  const { url, who, token, milliseconds }: Hunt = workerData;
  parentPort.postMessage(
    who === 'reader'
      ? await climb(url, preyOfReaders(token), milliseconds)
      : await climb(url, preyOfEditors(token), milliseconds),
  );
}
