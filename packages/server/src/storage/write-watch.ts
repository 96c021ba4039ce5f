// Tracks whether the database can be written to. After a write has failed because of a fault, the watch makes small test writes
// until one succeeds.

import { OutcomeUnknown, StorageFault } from './engine.ts';

/** Receives reports from the watch. */
export interface WriteListener {
  /** Called if a write failed because of a fault, which may be the same fault as before. */
  readonly onFault: (fault: StorageFault) => void;
  /** Called if it is unknown whether a write was committed. If a fault caused this, `onFault` is called too. */
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

  /** @param tryWrite makes and commits a small write that needs disk space */
  constructor(tryWrite: () => Promise<void>) {
    this.#tryWrite = tryWrite;
  }

  /** Undefined as long as writes are believed to work. */
  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  listen(listener: WriteListener): void {
    this.#listeners.add(listener);
  }

  /** Returns the outcome of a write, and records whether it failed. */
  async follow<Outcome>(write: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await write;
      // The transaction may have written nothing, so its success does not show that writes work again.
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
      // A failure for any other reason does not show whether the database can be written to.
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

  /** Resolves when none of the watch's test writes is running. */
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
