// The newest answers, in the order in which they were made: the oldest leave as new ones come. They are few enough to die
// young, before the collector would move them to where memory is costly to free. There is no Map here for the same reason:
// a Map copies itself now and then, and what its old copies point to stays until the next great collection. Measured, that
// was a fifth of the time of a list. A look at the digest of each of a few costs nothing.

import type { AnswerKey } from './answer-key.ts';
import type { FreshAnswer } from './fresh-answer.ts';

/** What an answer takes beside its body, about. */
const ENTRY_BYTES = 600;
const NOTHING = '';

export class RecentAnswers {
  /** A ring: a queue whose first place moves on. The places of answers that were taken are empty. */
  readonly #keys: string[];
  readonly #digests: Uint32Array;
  readonly #answers: (FreshAnswer | undefined)[];
  readonly #mostBytes: number;
  #first = 0;
  #count = 0;
  #bytes = 0;

  constructor(mostAnswers: number, mostBytes: number) {
    this.#keys = Array.from({ length: mostAnswers }, () => NOTHING);
    this.#digests = new Uint32Array(mostAnswers);
    this.#answers = Array.from({ length: mostAnswers }, () => undefined);
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#answers.filter((answer) => answer !== undefined).length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take({ digest, text }: AnswerKey): FreshAnswer | undefined {
    for (let at = this.#digests.indexOf(digest); at !== -1; at = this.#digests.indexOf(digest, at + 1)) {
      if (this.#keys[at] === text) return this.#empty(at);
    }
    return undefined;
  }

  add({ digest, text }: AnswerKey, answer: FreshAnswer): void {
    if (this.#count === this.#keys.length) this.#removeOldest();
    const place = (this.#first + this.#count) % this.#keys.length;
    this.#keys[place] = text;
    this.#digests[place] = digest;
    this.#answers[place] = answer;
    this.#count += 1;
    this.#bytes += weigh(text, answer);
    while (this.#bytes > this.#mostBytes) this.#removeOldest();
  }

  #removeOldest(): void {
    this.#empty(this.#first);
    this.#first = (this.#first + 1) % this.#keys.length;
    this.#count -= 1;
  }

  #empty(place: number): FreshAnswer | undefined {
    const answer = this.#answers[place];
    if (answer !== undefined) this.#bytes -= weigh(this.#keys[place] ?? NOTHING, answer);
    this.#keys[place] = NOTHING;
    this.#answers[place] = undefined;
    return answer;
  }
}

function weigh(key: string, answer: FreshAnswer): number {
  return answer.size + key.length + ENTRY_BYTES;
}
