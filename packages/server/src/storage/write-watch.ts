// Whether the database can be written to. A write that meets a fault says that it cannot. From then on the watch tries small
// writes of its own, and the first that is kept says that it can again.

import { OutcomeUnknown, StorageFault } from './engine.ts';

/** Told what the watch learns. */
export interface WriteListener {
  /** A write met a fault: this one, or another than before, or the same again. */
  readonly onFault: (fault: StorageFault) => void;
  /** Nobody knows whether a write was kept. If a fault caused that, `onFault` is told of the fault too. */
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

  /** @param tryWrite a small write that needs space and is kept */
  constructor(tryWrite: () => Promise<void>) {
    this.#tryWrite = tryWrite;
  }

  /** Undefined while nothing is known to keep writes from being kept. */
  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  listen(listener: WriteListener): void {
    this.#listeners.add(listener);
  }

  /** Passes on what becomes of a write. */
  async follow<Outcome>(write: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await write;
      // It may have had nothing to write.
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
      // What has failed for another reason tells nothing.
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

  /** Resolves when no write of its own is under way. */
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
