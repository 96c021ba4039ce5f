// The statements of one request that may take long. They run only while the request holds a turn, so that they never have all
// connections, and the server ends them when the time of the request is up.

import { type CallerName, TookTooLong } from '../engine.ts';
import type { FairTurns, Turn } from '../fair-turns.ts';

/** The request must give its connection back, and come again when it has a turn. */
export class NoTurn extends Error {}

/** The server is to give up before we do: else it would go on with what nobody waits for. */
const LEFT_FOR_ANSWER_MS = 50;

export class LongStatements {
  readonly #turns: FairTurns;
  readonly #caller: CallerName;
  readonly #endsAt: number;
  #turn: Turn | undefined;

  constructor(turns: FairTurns, caller: CallerName, endsAt: number) {
    this.#turns = turns;
    this.#caller = caller;
    this.#endsAt = endsAt;
  }

  /** What tells the server how long the next statement may take. */
  begin(): string {
    this.#turn ??= this.#turns.tryBegin(this.#caller);
    if (this.#turn === undefined) throw new NoTurn();
    const leftMs = Math.floor(this.#endsAt - LEFT_FOR_ANSWER_MS - performance.now());
    if (leftMs <= 0) throw new TookTooLong('No time is left for the list');
    return `set local statement_timeout = ${leftMs}`;
  }

  async waitForTurn(): Promise<void> {
    this.#turn ??= await this.#turns.begin(this.#caller);
    if (performance.now() + LEFT_FOR_ANSWER_MS >= this.#endsAt) throw new TookTooLong('No time is left for the list');
  }

  end(): void {
    if (this.#turn !== undefined) this.#turns.end(this.#turn);
    this.#turn = undefined;
  }
}
