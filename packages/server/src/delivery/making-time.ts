// Limits the time that the main thread spends building responses. Building a list takes up to 20 ms, and Node does not poll again until it
// has served every connection that has sent something. So only a few milliseconds per event loop turn are spent on building responses. The
// remaining requests wait for later turns, and callers are served in rotation. In between, Node sends the responses that are ready.

/** The approximate time that one large list takes. */
const MOST_MS_OF_A_TURN = 10;

type Work = () => void;

export class MakingTime {
  /** Undefined until a response is built in this turn. */
  #startedAt: number | undefined;
  /** Waiting work, keyed by caller. The caller who was served last is at the end. */
  readonly #waiting = new Map<string, Work[]>();

  /** Whether a response may be built now. If so, it counts as started. */
  hasTime(): boolean {
    if (this.#waiting.size > 0) return false;
    if (this.#startedAt !== undefined) return this.#isInTime();
    this.#begin();
    return true;
  }

  /** Does the work in a later turn of the event loop. */
  wait<Outcome>(caller: string, work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const line = this.#waiting.get(caller) ?? [];
    this.#waiting.set(caller, line);
    line.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    if (this.#startedAt === undefined) this.#begin();
    return promise;
  }

  #begin(): void {
    this.#startedAt = performance.now();
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#startedAt = undefined;
    if (this.#waiting.size === 0) return;
    this.#begin();
    this.#doSome();
  };

  /** Builds the responses one by one, and sends each before it builds the next. */
  readonly #doSome = (): void => {
    this.#doNext();
    if (this.#waiting.size > 0 && this.#isInTime()) process.nextTick(this.#doSome);
  };

  #isInTime(): boolean {
    return performance.now() - (this.#startedAt ?? 0) < MOST_MS_OF_A_TURN;
  }

  #doNext(): void {
    for (const [caller, line] of this.#waiting) {
      this.#waiting.delete(caller);
      const work = line.shift();
      if (line.length > 0) this.#waiting.set(caller, line);
      work?.();
      return;
    }
  }
}
