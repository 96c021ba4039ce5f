// Strangers who try to guess passwords are slowed down, but nobody else is locked out.

import { randomBytes } from 'node:crypto';
import type { AuditLogBody, UserBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser } from '../management/browser.ts';
import { type Answer, type Manager, startManager } from '../management/manager.ts';

const PASSWORD = 'correct horse battery';
const WRONG = 'a wrong password';
/**
 * The delays of nine attempts: the first five are immediate, the others are delayed by 250, 500, 1000 and 2000 ms. Failures are reported at
 * multiples of 250 ms.
 */
const LEAST_MS = [249, 249, 249, 249, 249, 490, 740, 1240, 2240];

let manager: Manager;

beforeAll(async () => {
  // The header states the client's address, as it does behind a proxy.
  manager = await startManager({ GALLEY_TRUST_PROXY: 'true' });
});

afterAll(() => manager.close());

let count = 0;

async function createUser(): Promise<UserBody> {
  count += 1;
  const body = { email: `person${count}@example.com`, name: `Person ${count}`, role: 'owner', password: PASSWORD };
  return manager.expectOk('POST', '/users', body);
}

/** A new IPv4 address that nothing else in this file uses. */
function newAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

interface TimedAnswer extends Answer {
  readonly ms: number;
}

async function signIn(
  email: string,
  password: string,
  from = newAddress(),
  browser: Browser = openBrowser(manager),
): Promise<TimedAnswer> {
  const startedAt = performance.now();
  const headers = { 'x-forwarded-for': from };
  const answer = await browser.call('POST', '/session', { email, password }, { headers });
  return { ...answer, ms: performance.now() - startedAt };
}

async function attack(email: string, tries: number, from?: string): Promise<readonly TimedAnswer[]> {
  return Promise.all(Array.from({ length: tries }, () => signIn(email, WRONG, from)));
}

const countStatuses = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe.concurrent('strangers who try to guess an account’s password', () => {
  test('are rejected after ten attempts from one address, and do not lock out the owner at another address', async () => {
    const { email } = await createUser();
    const answers = await attack(email, 12, '203.0.113.7');
    expect([countStatuses(answers, 401), countStatuses(answers, 429)]).toEqual([10, 2]);
    const refused = await signIn(email, PASSWORD, '203.0.113.7');
    expect([refused.status, refused.body]).toEqual([429, { message: 'Too many requests.', code: 'too_many_requests' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(refused.headers.get('ratelimit-policy')).toBe('"account";q=10;w=900');
    expect((await signIn(email, PASSWORD, '203.0.113.8')).status).toBe(200);
  });

  test.each([
    [
      'using several addresses in one 64-bit IPv6 network',
      (index: number) => `2001:db8:1:2:${index}::1`,
      '2001:db8:1:2:ffff::2',
    ],
    [
      'writing one IPv4 address in two forms',
      (index: number) => (index % 2 === 0 ? '203.0.113.99' : '::ffff:203.0.113.99'),
      '203.0.113.99',
    ],
  ])('get no extra attempts by %s', async (_what, listAddress, last) => {
    const { email } = await createUser();
    const tries = Array.from({ length: 10 }, (_, index) => signIn(email, WRONG, listAddress(index)));
    expect(countStatuses(await Promise.all(tries), 401)).toBe(10);
    expect((await signIn(email, PASSWORD, last)).status).toBe(429);
  });

  test('cannot lock the owner out by using many addresses; they only cause a delay', async () => {
    const { email } = await createUser();
    const answers = attack(email, 12);
    const owner = signIn(email, PASSWORD);
    expect(countStatuses(await answers, 401)).toBe(12);
    const { status, ms } = await owner;
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(4900);
  });

  test('are slowed down equally for known and unknown emails', async () => {
    const { email } = await createUser();
    const [known, unknown] = await Promise.all([attack(email, 9), attack('nobody-at-all@example.com', 9)]);
    for (const answers of [known, unknown]) {
      const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
      expect(times.map((ms, index) => ms >= (LEAST_MS[index] ?? 0))).not.toContain(false);
    }
    const [first, second] = [known, unknown].map((answers) =>
      answers.map(({ status, body, headers }) => [status, body, headers.get('ratelimit-policy')]),
    );
    expect(first).toEqual(second);
  });

  test('do not slow down the user on a device that has signed in before', async () => {
    const { email } = await createUser();
    const device = openBrowser(manager);
    await signIn(email, PASSWORD, '198.51.100.1', device);
    // The limit for the address that the user shares with a stranger is used up too.
    await attack(email, 11, '198.51.100.1');
    const finished: string[] = [];
    const stranger = signIn(email, WRONG).then(() => finished.push('stranger'));
    expect((await signIn(email, PASSWORD, '198.51.100.1', device)).status).toBe(200);
    finished.push('user');
    await stranger;
    expect(finished).toEqual(['user', 'stranger']);
  });

  test('do not prevent the user from changing their password in an active session', async () => {
    const { email } = await createUser();
    const browser = openBrowser(manager);
    await signIn(email, PASSWORD, '198.51.100.2', browser);
    await attack(email, 11, '198.51.100.2');
    const finished: string[] = [];
    const stranger = signIn(email, WRONG).then(() => finished.push('stranger'));
    const body = { current_password: PASSWORD, new_password: 'another long password' };
    const headers = { 'x-forwarded-for': '198.51.100.2' };
    expect((await browser.call('PUT', '/session/password', body, { headers })).status).toBe(200);
    finished.push('user');
    await stranger;
    expect(finished).toEqual(['user', 'stranger']);
  });

  test("are not mistaken for the user if they use another user's cookie, a forged cookie, or a cookie from before a password change", async () => {
    const [mallory, victim] = [await createUser(), await createUser()];
    const [own, past] = [openBrowser(manager), openBrowser(manager)];
    await signIn(mallory.email, PASSWORD, undefined, own);
    await signIn(victim.email, PASSWORD, undefined, past);
    await manager.expectOk('PATCH', `/users/${victim.id}`, { password: 'another long password' });
    const theirs = (own.deviceCookie ?? '').replace(mallory.id, victim.id);
    const made = `galley_device=${victim.id}.${'A'.repeat(16)}.${'A'.repeat(43)}`;
    await attack(victim.email, 11, '198.51.100.3');
    for (const cookie of [own.deviceCookie, past.deviceCookie, theirs, made, 'galley_device=', 'galley_device=a.b.c']) {
      const headers = { cookie: cookie ?? '', 'x-forwarded-for': '198.51.100.3' };
      const body = { email: victim.email, password: WRONG };
      const answer = await manager.call('POST', '/session', { token: undefined, headers, body });
      expect([cookie, answer.status]).toEqual([cookie, 429]);
    }
  });

  test('cannot try an unlimited number of passwords on a known device', async () => {
    const { email } = await createUser();
    const browser = openBrowser(manager);
    await signIn(email, PASSWORD, '198.51.100.4', browser);
    const tries = Array.from({ length: 21 }, () => signIn(email, WRONG, '198.51.100.4', browser));
    const answers = await Promise.all(tries);
    expect([countStatuses(answers, 401), countStatuses(answers, 429)]).toEqual([20, 1]);
  });
});

test('concurrent attempts do not queue: most are rejected before the first has finished, and other users can sign in', async () => {
  const [victim, other] = [await createUser(), await createUser()];
  const statuses: number[] = [];
  const tries = Array.from({ length: 300 }, async () => {
    const answer = await signIn(victim.email, WRONG);
    statuses.push(answer.status);
    return answer;
  });
  const bystander = await signIn(other.email, PASSWORD);
  const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(150);
  for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
  // The delayed attempts come last.
  expect(statuses.slice(-50)).not.toContain(429);
  expect(bystander.status).toBe(200);
});

describe('the audit log', () => {
  test('lets owners of the main account see attempts with unknown emails, in one entry per address and hour', async () => {
    const service = await startManager();
    for (const email of ['a@example.com', 'b@example.com', 'a@example.com'])
      await openBrowser(service).signIn(email, 'hunter22 hunter22');
    const { data } = await service.expectOk<AuditLogBody>('GET', '/audit?action=user.sign_in_unknown');
    expect(data).toMatchObject([
      { actor: { kind: 'guest', address: '127.0.0.1' }, details: { reason: 'unknown email', emails: 1 } },
    ]);
    const theirs = await service.expectOk<AuditLogBody>('GET', '/audit', undefined, service.stranger);
    expect(theirs.data).toEqual([]);
    await service.close();
  });
});
