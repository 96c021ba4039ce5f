// Makes many calls, a few at a time, in order. A call that fails does not stop the others.

const AT_A_TIME = 4;

export interface Turns<Item, Answer> {
  readonly items: readonly Item[];
  readonly call: (item: Item) => Promise<Answer>;
  readonly onDone: (item: Item, answer: Answer) => void;
  readonly onFailed: (item: Item, error: Error) => void;
  /** After an abort, no new calls are started, but calls in progress are allowed to finish. */
  readonly signal: AbortSignal;
}

export async function runInTurn<Item, Answer>({ items, call, onDone, onFailed, signal }: Turns<Item, Answer>) {
  const waiting = items.values();
  async function work(): Promise<void> {
    for (const item of waiting) {
      if (signal.aborted) return;
      try {
        onDone(item, await call(item));
      } catch (error) {
        onFailed(item, error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}
