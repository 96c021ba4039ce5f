// How long strangers have to wait who try to guess passwords. Delays and rejections reveal nothing about which emails exist.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../management/browser.ts';
import { type Answer, type Manager, startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';

const PASSWORD = 'correct horse battery';
/**
 * The delays of nine attempts: the first five are immediate, the others are delayed by 250, 500, 1000 and 2000 ms. Failures are reported at
 * multiples of 250 ms. A timer may end a millisecond early, and the delays start before the clock that finds the multiple of 250 ms.
 */
const LEAST_MS = [249, 249, 249, 249, 249, 490, 740, 1240, 2240];

let manager: Manager;

beforeAll(async () => {
  // The header states the client's address, as it does behind a proxy.
  manager = await startManager({ GALLEY_TRUST_PROXY: 'true' });
});

afterAll(() => manager.close());

let count = 0;

async function createUser(): Promise<string> {
  count += 1;
  const email = `person${count}@example.com`;
  await manager.expectOk('POST', '/users', { email, name: `Person ${count}`, role: 'owner', password: PASSWORD });
  return email;
}

/** Signs in from a new address. */
async function signIn(email: string, password: string): Promise<Answer & { readonly ms: number }> {
  const startedAt = performance.now();
  const headers = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` };
  const answer = await openBrowser(manager).call('POST', '/session', { email, password }, { headers });
  return { ...answer, ms: performance.now() - startedAt };
}

test('attempts on known and unknown emails are delayed equally', async () => {
  const emails = [await createUser(), 'nobody-at-all@example.com'];
  const attempts = emails.map((email) => Promise.all(LEAST_MS.map(() => signIn(email, 'a wrong password'))));
  for (const answers of await Promise.all(attempts)) {
    const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
    expect(times.map((ms, index) => ms >= (LEAST_MS[index] ?? 0))).not.toContain(false);
    reportProof(`nine attempts on one account took ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  }
});

test('an owner whose account is being attacked from many addresses waits for five seconds on a new device', async () => {
  const email = await createUser();
  const attack = Promise.all(Array.from({ length: 12 }, () => signIn(email, 'a wrong password')));
  const { status, ms } = await signIn(email, PASSWORD);
  await attack;
  expect(status).toBe(200);
  expect(ms).toBeGreaterThan(4900);
  reportProof(`an owner whose account was being attacked signed in after ${Math.round(ms)} ms`);
});

test('concurrent attempts do not queue: most are rejected before the first has finished, and other users can sign in', async () => {
  const [victim, other] = [await createUser(), await createUser()];
  const statuses: number[] = [];
  const attempts = Array.from({ length: 300 }, async () => {
    const answer = await signIn(victim, 'a wrong password');
    statuses.push(answer.status);
    return answer;
  });
  const bystander = await signIn(other, PASSWORD);
  const refused = (await Promise.all(attempts)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(150);
  for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
  // The delayed attempts come last.
  expect(statuses.slice(-50)).not.toContain(429);
  expect(bystander.status).toBe(200);
  reportProof(`${refused.length} of 300 concurrent attempts were rejected immediately`);
});
