// The traffic counts of all workers. The primary process keeps them, so they are not lost when a worker exits, and every worker
// returns the same counts.

import type { Worker } from 'node:cluster';
import { isJsonObject } from '../content/strict-json.ts';
import type { AccountTraffic } from '../http/traffic.ts';
import { TrafficHistories, type TrafficLedger, type TrafficMinute } from '../http/traffic.ts';
import type { AskFirstProcess } from './worker-messages.ts';

/** A worker's traffic counts since its last message. */
interface TrafficMessage {
  readonly traffic: AccountTraffic;
}

function isTrafficMessage(message: unknown): message is TrafficMessage {
  return isJsonObject(message) && isJsonObject(message.traffic);
}

/** Asks a worker to send its traffic counts. The worker confirms with a `LookedMessage`. */
interface LookMessage {
  readonly look: number;
}

interface LookedMessage {
  readonly looked: number;
}

function isLookMessage(message: unknown): message is LookMessage {
  return isJsonObject(message) && typeof message.look === 'number';
}

function isLookedMessage(message: unknown): message is LookedMessage {
  return isJsonObject(message) && typeof message.looked === 'number';
}

/** Runs in a worker. */
export function openSharedTraffic(ask: AskFirstProcess): TrafficLedger {
  return {
    add: (traffic) => process.send?.({ traffic } satisfies TrafficMessage),
    read: async (accountNo) => asMinutes(await ask('traffic', accountNo)),
    beforeRead: (look) => {
      process.on('message', (message) => {
        if (!isLookMessage(message)) return;
        look();
        process.send?.({ looked: message.look } satisfies LookedMessage);
      });
    },
  };
}

/** The cast is safe, because both processes run the same code. */
function asMinutes(value: unknown): readonly TrafficMinute[] {
  return value as readonly TrafficMinute[];
}

/** If a worker does not reply within this time, its latest traffic is counted later. */
const LONGEST_LOOK_MS = 1_000;

/** Runs in the primary process. */
export class SharedTraffic {
  readonly #histories = new TrafficHistories();
  readonly #looking = new Map<number, () => void>();
  #looks = 0;

  take(message: unknown): void {
    if (isTrafficMessage(message)) this.#histories.add(message.traffic);
    if (isLookedMessage(message)) this.#looking.get(message.looked)?.();
  }

  /** Includes the traffic of all workers so far. */
  async read(workers: Iterable<Worker>, accountNo: number): Promise<readonly TrafficMinute[]> {
    await Promise.all(Array.from(workers, (worker) => this.#letLook(worker)));
    return this.#histories.listMinutes(accountNo, Date.now());
  }

  async #letLook(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return;
    this.#looks += 1;
    const look = this.#looks;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LONGEST_LOOK_MS);
    this.#looking.set(look, resolve);
    worker.send({ look } satisfies LookMessage);
    await promise;
    clearTimeout(timer);
    this.#looking.delete(look);
  }
}
