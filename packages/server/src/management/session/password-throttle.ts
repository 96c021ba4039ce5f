// How often passwords may be tried: for each email, whether anybody has it or not, and from each address. Every try
// counts before it is looked at, so that many at once are no way around; the right password gives it back.
// Counted in this process.

import type { Desk } from '../../authoring/desk.ts';
import { buildEmailKey } from '../../content/email.ts';
import { buildLimitHeaders, Limiter, refuseExceeded, type Tally } from '../../http/limiter.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Call } from '../route.ts';
import { buildAddressKey } from './address-key.ts';

const WINDOW_SECONDS = 15 * 60;
const TRIES_OF_AN_EMAIL = 10;
/** Behind one address there may be an office. */
const TRIES_FROM_AN_ADDRESS = 100;

interface Attempt {
  readonly email: string;
  readonly address: string;
  /** Tells the caller how many tries are left, whatever becomes of this one. */
  readonly setHeader: Call<unknown, unknown>['setHeader'];
}

interface Throttle {
  readonly byEmail: Limiter;
  readonly byAddress: Limiter;
}

const throttles = new WeakMap<Desk, Throttle>();

/** Runs a try, or refuses it. The password was wrong where the try has no outcome; one that fails tells nothing. */
export async function tryPassword<Outcome>(
  desk: Desk,
  { email, address, setHeader }: Attempt,
  attempt: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const { byEmail, byAddress } = findThrottle(desk);
  const emailKey = buildEmailKey(email);
  const addressKey = buildAddressKey(address);
  const tell = (...tallies: readonly Tally[]): void => {
    for (const [name, value] of Object.entries(buildLimitHeaders(tallies))) setHeader(name, value);
  };
  tell(await spend(byAddress, addressKey), await spend(byEmail, emailKey));
  let outcome: Outcome | undefined;
  try {
    outcome = await attempt();
  } catch (error) {
    tell(await byAddress.giveBack(addressKey), await byEmail.giveBack(emailKey));
    throw error;
  }
  if (outcome === undefined) return undefined;
  tell(await byAddress.giveBack(addressKey), await byEmail.forget(emailKey));
  return outcome;
}

/** Each service has its own. */
function findThrottle(desk: Desk): Throttle {
  const known = throttles.get(desk);
  if (known !== undefined) return known;
  const throttle = {
    byEmail: new Limiter({ name: 'email', tries: TRIES_OF_AN_EMAIL, seconds: WINDOW_SECONDS }),
    byAddress: new Limiter({ name: 'address', tries: TRIES_FROM_AN_ADDRESS, seconds: WINDOW_SECONDS }),
  };
  throttles.set(desk, throttle);
  return throttle;
}

async function spend(limiter: Limiter, key: string): Promise<Tally> {
  const tally = await limiter.spend(key);
  if (tally.isExceeded) throw new ProblemError(refuseExceeded(tally));
  return tally;
}
