// Limits how fast passwords can be tried. Strangers are limited per address, and per combination of address and account. Attempts on one
// account, from any address, take longer and longer, up to five seconds; no number of wrong passwords locks an account. A session, or a
// device from which the user has signed in, has only its own limit. On other devices, a flood of attempts can keep the user out only
// while it also uses up the capacity for new addresses. Unknown email addresses are treated like known ones. An attempt is counted before
// the password is checked, so parallel attempts cannot bypass the limit; the correct password resets it. Each process keeps its own counts.

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
/** The number of attempts that strangers can make on one account without a delay. */
const TRIES_AT_ONCE = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/**
 * Limits on simultaneous attempts by strangers. About sixty passwords are checked per second, one after another, so these limits
 * bound how long somebody on a known device has to wait. Some capacity is reserved for addresses without a failure in this window:
 * using it up requires a new address for every attempt.
 */
const ROOMS = {
  delayed: { most: 100, kept: 50, retryAfter: 5 },
  prompt: { most: 64, kept: 32, retryAfter: 1 },
} as const;
/** Beyond this number of addresses, only the delay slows attackers down. */
const MOST_KEYS = 10_000;

export interface Attempt {
  readonly email: string;
  readonly address: string;
  /** The device or session that identifies the user; undefined for strangers. */
  readonly knownBy: Acquaintance | undefined;
  /** Sets the headers that state how many attempts are left. */
  readonly setHeader: (name: string, value: string) => void;
}

export interface Acquaintance {
  readonly kind: 'device' | 'session';
  readonly id: string;
}

/** A limit towards which an attempt counts. */
interface Limit {
  readonly tries: Tries;
  readonly key: string;
}

export class PasswordThrottle {
  readonly #byAddress = new Tries({ ...WINDOW, name: 'address', tries: TRIES_FROM_AN_ADDRESS, isShared: true });
  readonly #byPair = new Tries({ ...WINDOW, name: 'account', tries: TRIES_OF_A_PAIR });
  readonly #byDevice = new Tries({ ...WINDOW, name: 'device', tries: TRIES_OF_A_DEVICE });
  readonly #bySession = new Tries({ ...WINDOW, name: 'session', tries: TRIES_OF_A_DEVICE });
  /** Never rejects an attempt; this count determines the delay. */
  readonly #byAccount = new Tries({ ...WINDOW, name: 'delay', tries: TRIES_AT_ONCE, isTold: false });
  readonly #underWay = { delayed: 0, prompt: 0 };
  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(wait: (ms: number) => Promise<unknown> = waitFor) {
    this.#wait = wait;
  }

  /** Runs an attempt or refuses it. An undefined outcome means a wrong password; an attempt that throws does not count. */
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
    // Once its limit is used up, the device is treated like a stranger.
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

  /** Refuses the attempt immediately if there is no capacity. */
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

/** The delay doubles with each additional attempt. */
function findDelayMs(spent: number): number {
  if (spent <= TRIES_AT_ONCE) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(10, spent - TRIES_AT_ONCE - 1));
}

/** @param limits the limits towards which the attempt was counted */
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
  /**
   * Whether many people can share a key, such as an address. If so, a correct password cancels only that one attempt, not those of other
   * people.
   */
  readonly isShared?: true;
  /** Whether callers are told how many attempts are left. */
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

  /** Called after the correct password has been given. */
  forgive(key: string): void {
    if (this.#policy.isShared) this.giveBack(key);
    else this.#counts.delete(key);
  }
}
