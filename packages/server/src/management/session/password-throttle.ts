// How often passwords may be tried: for each email, whether anybody has it or not, and from each address. Every try
// counts before it is looked at, so that many at once are no way around; the right password gives it back.
// Counted in this process.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Desk } from '../../authoring/desk.ts';
import { buildEmailKey } from '../../content/email.ts';
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
  readonly byEmail: RateLimiterMemory;
  readonly byAddress: RateLimiterMemory;
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
    await byEmail.reward(emailKey);
    await byAddress.reward(addressKey);
    throw error;
  }
  if (outcome === undefined) return undefined;
  await byEmail.delete(emailKey);
  await byAddress.reward(addressKey);
  return outcome;
}

/** Each service has its own. */
function findThrottle(desk: Desk): Throttle {
  const known = throttles.get(desk);
  if (known !== undefined) return known;
  const throttle = {
    byEmail: new RateLimiterMemory({ points: TRIES_OF_AN_EMAIL, duration: WINDOW_SECONDS }),
    byAddress: new RateLimiterMemory({ points: TRIES_FROM_AN_ADDRESS, duration: WINDOW_SECONDS }),
  };
  throttles.set(desk, throttle);
  return throttle;
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new ProblemError(withHeaders(PROBLEMS.tooManyRequests, { 'retry-after': String(seconds) }));
  }
}
