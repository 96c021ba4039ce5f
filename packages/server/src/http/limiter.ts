// So many tries in so many seconds, counted in this process. What counts them is loaded with the first try: most services
// never limit anybody.

export class Limiter {
  readonly #points: number;
  readonly #duration: number;
  #opened: ReturnType<typeof openCounter> | undefined;

  constructor(tries: number, seconds: number) {
    this.#points = tries;
    this.#duration = seconds;
  }

  /** Counts a try. Where there were too many, it is refused: with the seconds until the next one. */
  async spend(key: string): Promise<number | undefined> {
    const { counter, Refusal } = await this.#open();
    try {
      await counter.consume(key);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
  }

  async giveBack(key: string): Promise<void> {
    const { counter } = await this.#open();
    await counter.reward(key);
  }

  /** All tries so far. */
  async forget(key: string): Promise<void> {
    const { counter } = await this.#open();
    await counter.delete(key);
  }

  #open(): ReturnType<typeof openCounter> {
    this.#opened ??= openCounter(this.#points, this.#duration).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function openCounter(points: number, duration: number) {
  const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
  return { counter: new RateLimiterMemory({ points, duration }), Refusal: RateLimiterRes };
}
