// The thread that makes large answers while the service goes on.

import { setPriority } from 'node:os';
import { setImmediate as giveWay } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { describeFailure, type FromAnswerThread, type ToAnswerThread } from './delivery/large-answers.ts';
import type { ListRules } from './delivery/list-content.ts';
import { type LargeRequest, makeLargeAnswer } from './delivery/make-large-answer.ts';
import { CursorKey } from './listing/cursor.ts';
import { joinStorage } from './open-storage.ts';
import type { DatabaseAddress, Storage } from './storage/port.ts';

export interface AnswerTask {
  readonly databaseUrl: DatabaseAddress;
  readonly isEmptySlugNotFound: boolean;
  readonly cursorKey: Uint8Array;
}

class AnswerThread {
  readonly #port: MessagePort;
  readonly #databaseUrl: AnswerTask['databaseUrl'];
  readonly #rules: ListRules;
  #storage: Storage | undefined;

  constructor(port: MessagePort, { databaseUrl, isEmptySlugNotFound, cursorKey }: AnswerTask) {
    this.#port = port;
    this.#databaseUrl = databaseUrl;
    this.#rules = { isEmptySlugNotFound, cursorKey: new CursorKey(Buffer.from(cursorKey)) };
  }

  async receive(message: ToAnswerThread): Promise<void> {
    if (message.kind === 'end') {
      await this.#storage?.close();
      this.#port.close();
      return;
    }
    try {
      await this.#make(message.request);
    } catch (error) {
      this.#tell({ kind: 'failed', failure: describeFailure(error) });
    }
  }

  async #make(request: LargeRequest): Promise<void> {
    this.#storage ??= await joinStorage(this.#databaseUrl);
    const made = await makeLargeAnswer(request, this.#rules, this.#storage.delivery, collectGarbage);
    // By then a moment that requests may share is over: whoever asks after this answer reads a newer one.
    await giveWay();
    this.#tell({ kind: 'made', made }, made.ok ? [made.value.body.buffer] : []);
    setImmediate(collectGarbage);
  }

  #tell(message: FromAnswerThread, handedOver: readonly ArrayBufferLike[] = []): void {
    this.#port.postMessage(
      message,
      handedOver.filter((each) => each instanceof ArrayBuffer),
    );
  }
}

/** Both ends are ours. */
function asTask(task: unknown): AnswerTask {
  return task as AnswerTask;
}

if (parentPort === null) throw new Error('Runs as a thread only');
// Small answers come first. On Linux a thread has a priority of its own; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);
const thread = new AnswerThread(parentPort, asTask(workerData));
// One question is asked at a time.
parentPort.on('message', (message: ToAnswerThread) => void thread.receive(message));
