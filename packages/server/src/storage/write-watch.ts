// Knows whether the database can be written to. After a write fails because of a fault, the watch tries small writes of its own
// until one is kept.

import { OutcomeUnknown, StorageFault } from './engine.ts';

/** Is told what the watch finds out. */
export interface WriteListener {
  /** A write failed because of a fault, which may be the same as before. */
  readonly onFault: (fault: StorageFault) => void;
  /** Nobody knows whether a write was kept. If a fault caused this, `onFault` is called too. */
  readonly onOutcomeUnknown: (failure: OutcomeUnknown) => void;
  readonly onHealed: () => void;
}

const TRY_EVERY_MS = 2000;

export class WriteWatch {
  readonly #tryWrite: () => Promise<void>;
  readonly #listeners = new Set<WriteListener>();
  #fault: StorageFault | undefined;
  #timer: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;
  #isClosed = false;

  /** @param tryWrite a small write that needs disk space and is committed */
  constructor(tryWrite: () => Promise<void>) {
    this.#tryWrite = tryWrite;
  }

  /** Undefined while writes work, as far as the watch knows. */
  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  listen(listener: WriteListener): void {
    this.#listeners.add(listener);
  }

  /** Passes on the outcome of a write. */
  async follow<Outcome>(write: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await write;
      // The write may have had nothing to write, so it proves nothing.
      if (this.#fault !== undefined) this.#try();
      return outcome;
    } catch (error) {
      if (error instanceof OutcomeUnknown) for (const { onOutcomeUnknown } of this.#listeners) onOutcomeUnknown(error);
      const fault = findFault(error);
      if (fault !== undefined) this.#note(fault);
      throw error;
    }
  }

  #note(fault: StorageFault): void {
    this.#fault = fault;
    for (const { onFault } of this.#listeners) onFault(fault);
    if (!this.#isClosed) this.#timer ??= setInterval(() => this.#try(), TRY_EVERY_MS).unref();
  }

  #try(): void {
    this.#trying ??= this.#tryOnce().finally(() => {
      this.#trying = undefined;
    });
  }

  async #tryOnce(): Promise<void> {
    try {
      await this.#tryWrite();
    } catch (error) {
      // A failure for another reason proves nothing.
      this.#fault = findFault(error) ?? this.#fault;
      return;
    }
    this.#stop();
    this.#fault = undefined;
    for (const { onHealed } of this.#listeners) onHealed();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Resolves when none of its own writes is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#trying;
  }
}

function findFault(error: unknown): StorageFault | undefined {
  if (error instanceof OutcomeUnknown) return error.fault;
  return error instanceof StorageFault ? error : undefined;
}
