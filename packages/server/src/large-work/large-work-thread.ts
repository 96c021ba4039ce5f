// Handles large calls and builds large responses on a separate thread, to keep the main thread free.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { setImmediate as giveWay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type MessagePort, parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { WHOLE_ROOM } from '../content/answer-limit.ts';
import { deliverContent } from '../delivery/deliver-content.ts';
import type { ListRules } from '../delivery/delivery-request.ts';
import { type LargeRequest, makeLargeAnswer } from '../delivery/make-large-answer.ts';
import { CursorKey } from '../listing/cursor.ts';
import { type AdmittedCall, answerCall, type SetHeader } from '../management/answer-call.ts';
import type { Entrance } from '../management/session/entrance.ts';
import { joinStorage } from '../open-storage.ts';
import { type LargeShow, remeasureShow } from '../storage/contents/find-too-large.ts';
import type { Storage } from '../storage/storage.ts';
import type { FromWorkThread, ToWorkThread } from '../storage/work-thread.ts';
import { describeFailure } from './failure-message.ts';
import type { LargeJob, LargeOutcome, LargeWorkTask } from './large-work.ts';

setFlagsFromString('--expose-gc');
/** Without this, V8 would let the strings of several jobs pile up before collecting them. */
const collectGarbage: () => void = runInNewContext('gc');

/** Large calls always belong to a site and never sign anybody in: only the main thread counts sign-in attempts. */
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

const MOST_MEASURED = 1000;

interface Done {
  readonly outcome: LargeOutcome;
  readonly handedOver?: readonly TransferListItem[];
}

class LargeWorkThread {
  readonly #port: MessagePort;
  readonly #task: LargeWorkTask;
  readonly #rules: ListRules;
  readonly #measured = new LRUCache<string, boolean>({ max: MOST_MEASURED });
  #storage: Promise<Storage> | undefined;

  constructor(port: MessagePort, task: LargeWorkTask) {
    this.#port = port;
    this.#task = task;
    this.#rules = {
      isEmptySlugNotFound: task.isEmptySlugNotFound,
      cursorKey: new CursorKey(Buffer.from(task.cursorKey)),
    };
  }

  async receive(message: ToWorkThread<LargeJob>): Promise<void> {
    if (message.kind === 'job') await this.#do(message.no, message.job);
    else if (message.kind === 'stop-waiting') (await this.#findStorage())?.stopWaiting();
    else await this.#end();
  }

  async #do(no: number, job: LargeJob): Promise<void> {
    const { outcome, handedOver = [] } = await this.#run(job).catch(
      (error: unknown): Done => ({ outcome: { kind: 'failed', failure: describeFailure(error) } }),
    );
    const message: FromWorkThread<LargeOutcome> = { no, done: outcome };
    this.#port.postMessage(message, handedOver);
    setImmediate(() => {
      collectGarbage();
      // The process may be killed before the thread ends on its own. With this cache, the next thread starts faster and uses less memory.
      flushCompileCache();
    });
  }

  #run(job: LargeJob): Promise<Done> {
    switch (job.kind) {
      case 'call':
        return this.#answerCall(job.call, job.isStopping);
      case 'answer':
        return this.#makeAnswer(job.request);
      case 'show':
        return this.#measureShow(job.show);
    }
  }

  async #answerCall(call: AdmittedCall, isStopping: boolean): Promise<Done> {
    const storage = await this.#openStorage();
    if (isStopping) storage.stopWaiting();
    const tools = {
      desk: {
        storage,
        now: Date.now,
        newUuid: randomUUIDv7,
        randomBytes,
        measureShow: (show: LargeShow) => storage.read(remeasureShow(show, this.#measured)),
      },
      deliver: (siteNo: number, contentId: string, baseUrl: string) =>
        deliverContent(storage.delivery, siteNo, contentId, baseUrl, WHOLE_ROOM),
      headerPrefix: this.#task.headerPrefix,
      entrance: NO_ENTRANCE,
      readTraffic: () => refuse('read the traffic'),
      uploads: { mostBytes: 0, open: () => refuse('take uploads') },
    };
    const headers: [string, string][] = [];
    const setHeader: SetHeader = (name, value) => headers.push([name, value]);
    const { body, ...served } = await answerCall(tools, call, setHeader);
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const outcome = { kind: 'served', served: { ...served, body: bytes }, headers } as const;
    return { outcome, handedOver: bytes === null ? [] : [bytes.buffer] };
  }

  async #makeAnswer(request: LargeRequest): Promise<Done> {
    const { delivery } = await this.#openStorage();
    const made = await makeLargeAnswer(request, this.#rules, delivery, collectGarbage);
    // Requests that arrive together share a snapshot. Wait until it is closed, so later requests read a newer one.
    await giveWay();
    const outcome = { kind: 'made', made } as const;
    return made.ok ? { outcome, handedOver: [made.value.body.buffer].filter(isOwn) } : { outcome };
  }

  async #measureShow(show: LargeShow): Promise<Done> {
    const storage = await this.#openStorage();
    const isTooLarge = await storage.read(remeasureShow(show, this.#measured));
    return { outcome: { kind: 'measured', isTooLarge } };
  }

  /** If the database cannot be opened, the next job tries again. */
  #openStorage(): Promise<Storage> {
    this.#storage ??= joinStorage(this.#task.databaseUrl).catch((error: unknown) => {
      this.#storage = undefined;
      throw error;
    });
    return this.#storage;
  }

  /** Returns undefined if the storage is not open or cannot be opened. */
  async #findStorage(): Promise<Storage | undefined> {
    return this.#storage?.catch(() => undefined);
  }

  async #end(): Promise<void> {
    await (await this.#findStorage())?.close();
    this.#port.close();
  }
}

function isOwn(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer;
}

/** The type is not checked, because both ends run our own code. */
function asTask(task: unknown): LargeWorkTask {
  return task as LargeWorkTask;
}

if (parentPort === null) throw new Error('This file must run as a worker thread');
// Small responses have priority. Only Linux has thread priorities; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);
const thread = new LargeWorkThread(parentPort, asTask(workerData));
parentPort.on('message', (message: ToWorkThread<LargeJob>) => void thread.receive(message));
