// Answers to calls with an `Idempotency-Key`, deleted when nobody may repeat the call any more: at the start, then every hour.
// They may hold drafts, so they do not wait for the next such call.

import type { Logger } from 'pino';
import type { Desk } from '../authoring/desk.ts';
import { deleteCallsBefore, hasCallsBefore, StorageFault } from '../storage/port.ts';
import { KEPT_MS } from './run-once.ts';

const HOUR_MS = 60 * 60_000;

export class ExpiredCalls {
  readonly #desk: Pick<Desk, 'storage' | 'now'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #deleting: Promise<void>;

  constructor(desk: Pick<Desk, 'storage' | 'now'>, log: Logger, everyMs = HOUR_MS) {
    this.#desk = desk;
    this.#log = log;
    this.#deleting = this.#delete();
    this.#timer = setInterval(() => {
      this.#deleting = this.#deleting.then(() => this.#delete());
    }, everyMs).unref();
  }

  /** Resolves when no deletion is under way. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#deleting;
  }

  async #delete(): Promise<void> {
    const { storage, now } = this.#desk;
    const before = now() - KEPT_MS;
    try {
      // Mostly there is nothing to delete, and then nobody needs to wait for the write lock.
      if (await storage.read(hasCallsBefore(before))) await storage.writeUnseen(deleteCallsBefore(before));
    } catch (error) {
      // A fault is logged where all writes are seen.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'expired answers to calls with an Idempotency-Key could not be deleted');
    }
  }
}
