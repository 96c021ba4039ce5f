// How often passwords may be tried: for each email, whether anybody has it or not, and from each address. Every try
// counts before it is looked at, so that many at once are no way around; the right password gives it back.
// Counted in this process.

import type { Desk } from '../../authoring/desk.ts';
import { buildEmailKey } from '../../content/email.ts';
import { Limiter } from '../../http/limiter.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../../http/problems.ts';
import { buildAddressKey } from './address-key.ts';

const WINDOW_SECONDS = 15 * 60;
const TRIES_OF_AN_EMAIL = 10;
/** Behind one address there may be an office. */
const TRIES_FROM_AN_ADDRESS = 100;

interface Attempt {
  readonly email: string;
  readonly address: string;
}

interface Throttle {
  readonly byEmail: Limiter;
  readonly byAddress: Limiter;
}

const throttles = new WeakMap<Desk, Throttle>();

/** Runs a try, or refuses it. The password was wrong where the try has no outcome; one that fails tells nothing. */
export async function tryPassword<Outcome>(
  desk: Desk,
  { email, address }: Attempt,
  attempt: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const { byEmail, byAddress } = findThrottle(desk);
  const emailKey = buildEmailKey(email);
  const addressKey = buildAddressKey(address);
  await spend(byAddress, addressKey);
  await spend(byEmail, emailKey);
  let outcome: Outcome | undefined;
  try {
    outcome = await attempt();
  } catch (error) {
    await byEmail.giveBack(emailKey);
    await byAddress.giveBack(addressKey);
    throw error;
  }
  if (outcome === undefined) return undefined;
  await byEmail.forget(emailKey);
  await byAddress.giveBack(addressKey);
  return outcome;
}

/** Each service has its own. */
function findThrottle(desk: Desk): Throttle {
  const known = throttles.get(desk);
  if (known !== undefined) return known;
  const throttle = {
    byEmail: new Limiter(TRIES_OF_AN_EMAIL, WINDOW_SECONDS),
    byAddress: new Limiter(TRIES_FROM_AN_ADDRESS, WINDOW_SECONDS),
  };
  throttles.set(desk, throttle);
  return throttle;
}

async function spend(limiter: Limiter, key: string): Promise<void> {
  const seconds = await limiter.spend(key);
  if (seconds === undefined) return;
  throw new ProblemError(withHeaders(PROBLEMS.tooManyRequests, { 'retry-after': String(seconds) }));
}
