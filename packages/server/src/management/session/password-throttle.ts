// Limits how fast passwords can be tried. Strangers are limited by their address, and by the pair of address and account. Tries at
// one account, from any address, take longer and longer, up to five seconds; no number of wrong passwords locks an account. A
// device that the user has signed in from, or a session, has its own limit only. On other devices, a flood can keep the user out
// only while it also fills the places for new addresses. Unknown emails count like known ones. A try counts before the password is
// checked, so that parallel tries do not bypass the limit; the right password gives it back. Each process counts for itself.

import { setTimeout as waitFor } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { buildAddressKey } from '../../authoring/people/address-key.ts';
import { buildEmailKey } from '../../content/text-rules.ts';
import { buildLimitHeaders, type LimitPolicy, refuseExceeded, type Tally } from '../../http/limiter.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../../http/problems.ts';

const WINDOW = { seconds: 15 * 60 } as const;
/** A whole office can share an address. */
const TRIES_FROM_AN_ADDRESS = 100;
const TRIES_OF_A_PAIR = 10;
const TRIES_OF_A_DEVICE = 10;
/** By strangers at one account, before they have to wait. */
const TRIES_AT_ONCE = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/**
 * Running tries of strangers. About sixty passwords are checked in a second, one after the other, so these limits bound how long
 * somebody on a known device waits. Some places are kept for addresses without a failure in this window: filling them takes a new
 * address for every try.
 */
const ROOMS = {
  delayed: { most: 100, kept: 50, retryAfter: 5 },
  prompt: { most: 64, kept: 32, retryAfter: 1 },
} as const;
/** Attackers with more addresses than this are stopped by the delay alone. */
const MOST_KEYS = 10_000;

export interface Attempt {
  readonly email: string;
  readonly address: string;
  /** The device or session that identifies the user; undefined for strangers. */
  readonly knownBy: Acquaintance | undefined;
  /** Sets the headers that say how many tries are left. */
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
  /** Refuses nobody; it determines the delay. */
  readonly #byAccount = new Tries({ ...WINDOW, name: 'delay', tries: TRIES_AT_ONCE, isTold: false });
  readonly #underWay = { delayed: 0, prompt: 0 };
  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(wait: (ms: number) => Promise<unknown> = waitFor) {
    this.#wait = wait;
  }

  /** Runs a try, or refuses it. An undefined outcome means a wrong password; a try that throws does not count. */
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
    // After that, the device is treated as a stranger.
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

  /** Refuses the try at once if there is no room. */
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

/** Doubles with every further try. */
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
  /** Whether many people share a key: a right password gives back that try only, and not those of others. */
  readonly isShared?: true;
  /** Whether callers learn how many are left. */
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
