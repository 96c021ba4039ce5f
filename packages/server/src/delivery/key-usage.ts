// The use of each API key: when it was last used, and how many requests it has left in this minute.

import type { Logger } from 'pino';
import { Limiter, type Tally } from '../http/limiter.ts';
import { StorageFault } from '../storage/engine.ts';
import { markKeysUsed } from '../storage/keys/api-keys.ts';
import type { Storage } from '../storage/storage.ts';

const WRITE_EVERY_MS = 30_000;

/**
 * When each key was last used, for people to see. A request only notes the time in memory; all times are written together, twice a minute and at
 * the end. Readers cannot see them, so no generation changes.
 */
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

  /** Resolves when everything is written, or cannot be. */
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
      // The next write tries again, together with newer uses.
      this.#uses = new Map([...uses, ...this.#uses]);
      // The write watch logs faults.
      if (error instanceof StorageFault) return;
      this.#log.warn({ err: error }, 'the last use of API keys could not be written');
    }
  }
}

const WINDOW_SECONDS = 60;

/** Counts the requests of each key by the minute, in this process. */
export class RateLimit {
  readonly #byLimit = new Map<number, Limiter>();
  readonly #defaultLimit: number;

  /** @param defaultLimit for keys without a limit of their own; 0 means none */
  constructor(defaultLimit: number) {
    this.#defaultLimit = defaultLimit;
  }

  /** Whether the requests of a key with this limit are counted at all. */
  limits(ownLimit: number | null): boolean {
    return (ownLimit ?? this.#defaultLimit) > 0;
  }

  /** Counts a request of the key. */
  spend(keyId: string, ownLimit: number | null): Promise<Tally> {
    return this.#limiterOf(ownLimit ?? this.#defaultLimit).spend(keyId);
  }

  #limiterOf(limit: number): Limiter {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const limiter = new Limiter({ name: 'key', tries: limit, seconds: WINDOW_SECONDS });
    this.#byLimit.set(limit, limiter);
    return limiter;
  }
}
