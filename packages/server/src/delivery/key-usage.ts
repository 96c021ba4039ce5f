// When each key was last used. It is for people, so a request only leaves its time in memory; all of them are written
// together, twice a minute and at the end. No reader can see it, so no site's generation moves.

import type { Logger } from 'pino';
import { markKeysUsed, type Storage, StorageFault } from '../storage/port.ts';

const WRITE_EVERY_MS = 30_000;

export class KeyUsage {
  readonly #storage: Pick<Storage, 'writeUnseen'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(storage: Pick<Storage, 'writeUnseen'>, log: Logger, everyMs = WRITE_EVERY_MS) {
    this.#storage = storage;
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), everyMs).unref();
  }

  note(keyId: string, now: number): void {
    this.#uses.set(keyId, now);
  }

  /** Resolves when all that was noted is written, or cannot be. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNoted());
    return this.#writing;
  }

  async #writeNoted(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await this.#storage.writeUnseen(markKeysUsed(uses));
    } catch (error) {
      // The next turn tries again, with what came in between.
      this.#uses = new Map([...uses, ...this.#uses]);
      // A fault is logged where all writes are seen.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'the last use of API keys could not be written');
    }
  }
}
