// Strangers who try to guess passwords are slowed down, but nobody else is locked out. The unit tests of PasswordThrottle check the delays.
// These tests check which attempts count together.

import { randomBytes } from 'node:crypto';
import type { AuditLogBody, UserBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser } from '../management/browser.ts';
import { type Answer, type Manager, startManager } from '../management/manager.ts';

const PASSWORD = 'correct horse battery';
const WRONG = 'a wrong password';

let manager: Manager;
/** The attempts whose responses the tests have not waited for. The later attempts on an account are delayed by seconds. */
const delayed: Promise<unknown>[] = [];

beforeAll(async () => {
  // The header states the client's address, as it does behind a proxy.
  manager = await startManager({ GALLEY_TRUST_PROXY: 'true' });
});

afterAll(async () => {
  await Promise.all(delayed);
  await manager.close();
});

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

function signIn(
  email: string,
  password: string,
  from = newAddress(),
  browser: Browser = openBrowser(manager),
): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  return browser.call('POST', '/session', { email, password }, { headers });
}

const countStatuses = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/**
 * Sends concurrent attempts, of which the limit allows `allowed`. Resolves when one has been rejected, which does not take long. By then,
 * all allowed attempts have been counted.
 */
async function exhaust(allowed: number, attempt: (index: number) => Promise<Answer>): Promise<void> {
  const attempts = Array.from({ length: allowed + 1 }, (_, index) => attempt(index));
  const rejected = attempts.map(async (sent) => {
    if ((await sent).status !== 429) throw new Error('This attempt was allowed');
  });
  const all = Promise.all(attempts).then((answers) => {
    expect([countStatuses(answers, 401), countStatuses(answers, 429)]).toEqual([allowed, 1]);
  });
  delayed.push(all);
  await Promise.any(rejected);
}

/** Uses up all attempts on an account from one address. */
const exhaustAddress = (email: string, from: string) => exhaust(10, () => signIn(email, WRONG, from));

describe.concurrent('strangers who try to guess an account’s password', () => {
  test('are rejected after ten attempts from one address, and do not lock out the owner at another address', async () => {
    const { email } = await createUser();
    await exhaustAddress(email, '203.0.113.7');
    const refused = await signIn(email, PASSWORD, '203.0.113.7');
    expect([refused.status, refused.body]).toEqual([429, { message: 'Too many requests.', code: 'too_many_requests' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe('"account";q=10;w=900');
    expect((await signIn(email, PASSWORD, '203.0.113.8')).status).toBe(200);
  });

  test('cannot lock the owner out by using many addresses', async () => {
    const { email } = await createUser();
    const attempts = Array.from({ length: 12 }, () => signIn(email, WRONG));
    const owner = await signIn(email, PASSWORD);
    expect(countStatuses(await Promise.all(attempts), 401)).toBe(12);
    expect(owner.status).toBe(200);
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
    await exhaust(10, (index) => signIn(email, WRONG, listAddress(index)));
    expect((await signIn(email, PASSWORD, last)).status).toBe(429);
  });

  test('get the same responses for known and unknown emails', async () => {
    const { email } = await createUser();
    const [known, unknown] = await Promise.all(
      [email, 'nobody-at-all@example.com'].map((each) =>
        Promise.all(Array.from({ length: 6 }, () => signIn(each, WRONG))),
      ),
    );
    const read = (answers: readonly Answer[] = []) =>
      answers.map(({ status, body, headers }) => [status, body, headers.get('ratelimit-policy')]);
    expect(read(known)).toEqual(read(unknown));
    expect(countStatuses(known ?? [], 401)).toBe(6);
  });

  test('do not use up the attempts of the user on a device that has signed in before', async () => {
    const { email } = await createUser();
    const device = openBrowser(manager);
    await signIn(email, PASSWORD, '198.51.100.1', device);
    await exhaustAddress(email, '198.51.100.1');
    const { status, headers } = await signIn(email, PASSWORD, '198.51.100.1', device);
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"device";q=10;w=900']);
  });

  test('do not prevent the user from changing their password in an active session', async () => {
    const { email } = await createUser();
    const browser = openBrowser(manager);
    await signIn(email, PASSWORD, '198.51.100.2', browser);
    await exhaustAddress(email, '198.51.100.2');
    const body = { current_password: PASSWORD, new_password: 'another long password' };
    const forwarded = { headers: { 'x-forwarded-for': '198.51.100.2' } };
    const { status, headers } = await browser.call('PUT', '/session/password', body, forwarded);
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"session";q=10;w=900']);
  });

  test("are not mistaken for the user if they use another user's cookie, a forged cookie, or a cookie from before a password change", async () => {
    const [mallory, victim] = [await createUser(), await createUser()];
    const [own, past] = [openBrowser(manager), openBrowser(manager)];
    await signIn(mallory.email, PASSWORD, undefined, own);
    await signIn(victim.email, PASSWORD, undefined, past);
    await manager.expectOk('PATCH', `/users/${victim.id}`, { password: 'another long password' });
    const theirs = (own.deviceCookie ?? '').replace(mallory.id, victim.id);
    const made = `galley_device=${victim.id}.${'A'.repeat(16)}.${'A'.repeat(43)}`;
    await exhaustAddress(victim.email, '198.51.100.3');
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
    await exhaust(20, () => signIn(email, WRONG, '198.51.100.4', browser));
  });
});

test('the audit log lets owners of the main account see attempts with unknown emails, in one entry per address and hour', async () => {
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
