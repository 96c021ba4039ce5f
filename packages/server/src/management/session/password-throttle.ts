// How fast passwords may be tried. Strangers are limited by their address, and by the pair of address and account; and tries
// at one account, from wherever they come, take longer and longer, up to five seconds. No number of wrong passwords locks an
// account. Whoever comes from a device that the user has signed in from, or from within a session, is limited by that device or
// session alone. On any other device a flood can keep the user out only while it fills the places kept for new addresses, too.
// An email that nobody has counts like any other. Every try counts before it is looked at, so that many at once are no way
// around; the right password gives it back. Counted in this process.

import { setTimeout as waitFor } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { buildAddressKey } from '../../authoring/people/address-key.ts';
import { buildEmailKey } from '../../content/text-rules.ts';
import { buildLimitHeaders, type LimitPolicy, refuseExceeded, type Tally } from '../../http/limiter.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../../http/problems.ts';

const WINDOW = { seconds: 15 * 60 } as const;
/** Behind one address there may be an office. */
const TRIES_FROM_AN_ADDRESS = 100;
const TRIES_OF_A_PAIR = 10;
const TRIES_OF_A_DEVICE = 10;
/** At one account, by strangers, before they have to wait. */
const TRIES_AT_ONCE = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/**
 * Tries of strangers that are under way. Passwords are checked one after the other, some sixty in a second: so many may be before
 * somebody from a known device, and those that have been delayed leave time for others. Some places are kept for addresses that
 * have failed at nothing in this window: whoever fills those has to come from a new address for every try.
 */
const ROOMS = {
  delayed: { most: 100, kept: 50, retryAfter: 5 },
  prompt: { most: 64, kept: 32, retryAfter: 1 },
} as const;
/** Whoever has more addresses than this to try from is stopped by the delay alone. */
const MOST_KEYS = 10_000;

export interface Attempt {
  readonly email: string;
  readonly address: string;
  /** The device or session that the user is known by; undefined for strangers. */
  readonly knownBy: Acquaintance | undefined;
  /** Tells the caller how many tries are left, whatever becomes of this one. */
  readonly setHeader: (name: string, value: string) => void;
}

export interface Acquaintance {
  readonly kind: 'device' | 'session';
  readonly id: string;
}

/** A limit that a try counts for. */
interface Limit {
  readonly tries: Tries;
  readonly key: string;
}

export class PasswordThrottle {
  readonly #byAddress = new Tries({ ...WINDOW, name: 'address', tries: TRIES_FROM_AN_ADDRESS, isShared: true });
  readonly #byPair = new Tries({ ...WINDOW, name: 'account', tries: TRIES_OF_A_PAIR });
  readonly #byDevice = new Tries({ ...WINDOW, name: 'device', tries: TRIES_OF_A_DEVICE });
  readonly #bySession = new Tries({ ...WINDOW, name: 'session', tries: TRIES_OF_A_DEVICE });
  /** Nobody is refused by it: it tells how long to wait. */
  readonly #byAccount = new Tries({ ...WINDOW, name: 'delay', tries: TRIES_AT_ONCE, isTold: false });
  readonly #underWay = { delayed: 0, prompt: 0 };
  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(wait: (ms: number) => Promise<unknown> = waitFor) {
    this.#wait = wait;
  }

  /** Runs a try, or refuses it. The password was wrong where the try has no outcome; one that fails tells nothing. */
  try<Outcome>(attempt: Attempt, check: () => Promise<Outcome | undefined>): Promise<Outcome | undefined> {
    return attempt.knownBy === undefined
      ? this.#tryAsStranger(attempt, check)
      : this.#tryAsKnown(attempt, attempt.knownBy, check);
  }

  async #tryAsKnown<Outcome>(
    attempt: Attempt,
    { kind, id }: Acquaintance,
    check: () => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    const limit = { tries: kind === 'device' ? this.#byDevice : this.#bySession, key: id };
    const tally = limit.tries.spend(id);
    if (!tally.isExceeded) return settle([limit], attempt, check);
    // Whoever has somebody's device goes on as a stranger.
    if (kind === 'device') return this.#tryAsStranger(attempt, check);
    throw new ProblemError(refuseExceeded(tally));
  }

  async #tryAsStranger<Outcome>(
    attempt: Attempt,
    check: () => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    const account = buildEmailKey(attempt.email);
    const address = buildAddressKey(attempt.address);
    const limits = [
      { tries: this.#byAddress, key: address },
      { tries: this.#byPair, key: JSON.stringify([address, account]) },
    ];
    for (const { tries, key } of limits) {
      const tally = tries.spend(key);
      if (tally.isExceeded) throw new ProblemError(refuseExceeded(tally));
    }
    const isNewAddress = this.#byAddress.count(address) === 1;
    const delayMs = findDelayMs(this.#byAccount.spend(account).spent);
    return settle([...limits, { tries: this.#byAccount, key: account }], attempt, () =>
      this.#inRoom(delayMs > 0 ? 'delayed' : 'prompt', isNewAddress, async () => {
        if (delayMs > 0) await this.#wait(delayMs);
        return check();
      }),
    );
  }

  /** Nobody waits for room. */
  async #inRoom<Outcome>(
    room: keyof typeof ROOMS,
    isNewAddress: boolean,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const { most, kept, retryAfter } = ROOMS[room];
    if (this.#underWay[room] >= (isNewAddress ? most : most - kept)) {
      throw new ProblemError(withHeaders(PROBLEMS.tooManyRequests, { 'retry-after': String(retryAfter) }));
    }
    this.#underWay[room] += 1;
    try {
      return await work();
    } finally {
      this.#underWay[room] -= 1;
    }
  }
}

/** Doubles with every try, from the first that has to wait. */
function findDelayMs(spent: number): number {
  if (spent <= TRIES_AT_ONCE) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(10, spent - TRIES_AT_ONCE - 1));
}

/** @param limits on which the try was counted */
async function settle<Outcome>(
  limits: readonly Limit[],
  { setHeader }: Attempt,
  check: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const tell = (): void => {
    const tallies = limits.filter(({ tries }) => tries.isTold).map(({ tries, key }) => tries.read(key));
    for (const [name, value] of Object.entries(buildLimitHeaders(tallies))) setHeader(name, value);
  };
  tell();
  let outcome: Outcome | undefined;
  try {
    outcome = await check();
  } catch (error) {
    for (const { tries, key } of limits) tries.giveBack(key);
    tell();
    throw error;
  }
  if (outcome === undefined) return undefined;
  for (const { tries, key } of limits) tries.forgive(key);
  tell();
  return outcome;
}

interface TriesPolicy extends LimitPolicy {
  /** Whether many share a key: the right password of one of them gives back this try, and not those of the others. */
  readonly isShared?: true;
  /** Whether callers are told how many are left. */
  readonly isTold?: false;
}

class Tries {
  readonly #policy: TriesPolicy;
  readonly #counts: LRUCache<string, number>;

  constructor(policy: TriesPolicy) {
    this.#policy = policy;
    this.#counts = new LRUCache({ max: MOST_KEYS, ttl: policy.seconds * 1000, noUpdateTTL: true });
  }

  get isTold(): boolean {
    return this.#policy.isTold ?? true;
  }

  spend(key: string): Tally & { readonly spent: number } {
    const spent = this.count(key) + 1;
    this.#counts.set(key, spent);
    return { ...this.read(key), spent };
  }

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  read(key: string): Tally {
    const spent = this.count(key);
    const { tries, seconds } = this.#policy;
    const leftMs = spent === 0 ? seconds * 1000 : this.#counts.getRemainingTTL(key);
    return {
      policy: this.#policy,
      left: Math.max(0, tries - spent),
      seconds: Math.max(1, Math.ceil(leftMs / 1000)),
      isExceeded: spent > tries,
    };
  }

  giveBack(key: string): void {
    const spent = this.#counts.get(key);
    if (spent !== undefined && spent > 1) this.#counts.set(key, spent - 1);
    else this.#counts.delete(key);
  }

  /** After the right password. */
  forgive(key: string): void {
    if (this.#policy.isShared) this.giveBack(key);
    else this.#counts.delete(key);
  }
}
