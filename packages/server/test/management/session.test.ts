// Signing in and out: what the browser receives and what ends a session. Failed attempts do not reveal which users exist.

import { argon2Sync, randomBytes } from 'node:crypto';
import type { AuditLogBody, SessionBody, UserBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSetUpToken } from '../../src/authoring/people/set-up.ts';
import { hashToken } from '../../src/content/api-token.ts';
import { insertSession, selectSession, selectUserByEmail, updateUser } from '../../src/storage/accounts/accounts.ts';
import { openBrowser } from './browser.ts';
import { type Manager, startManager } from './manager.ts';

const PASSWORD = 'correct horse battery';
const WEAK = { code: 'password_invalid', values: { min: 12, max: 200 } };
const WRONG = { status: 401, body: { message: 'The email address or password is incorrect.' } };

describe('a session', () => {
  let manager: Manager;
  let count = 0;

  beforeAll(async () => {
    manager = await startManager();
  });

  afterAll(() => manager.close());

  function createUser(role: 'owner' | 'editor' = 'owner'): Promise<UserBody> {
    count += 1;
    const body = { email: `person${count}@example.com`, name: `Person ${count}`, role, password: PASSWORD };
    return manager.expectOk('POST', '/users', body);
  }

  const findUser = (email: string) => manager.service.storage.read(selectUserByEmail(email));

  test('starts with an email, in upper or lower case, and a password, and identifies the user', async () => {
    const user = await createUser('editor');
    const browser = openBrowser(manager);
    const signedIn = await browser.signIn(` ${user.email.toUpperCase()}`, PASSWORD);
    expect(signedIn.status).toBe(200);
    const session = signedIn.body as SessionBody;
    expect(session).toEqual({
      user: { ...user, last_sign_in_at: expect.stringMatching(/\+00:00$/) },
      token: null,
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/\+00:00$/),
    });
    const days = (Date.parse(session.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(13.99);
    expect(days).toBeLessThanOrEqual(14);
    expect(signedIn.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^galley_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^galley_device=m_\w+\.[\w.-]{60}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(await browser.call('GET', '/session')).toMatchObject({ status: 200, body: session });
    expect(await browser.call('GET', '/account')).toMatchObject({ status: 200 });
    expect(await browser.call('GET', '/users')).toMatchObject({ status: 403 });
  });

  test('has a secure cookie when browsers use TLS', async () => {
    const secure = await startManager({ GALLEY_PUBLIC_URL: 'https://cms.example.com' });
    const token = buildSetUpToken(secure.service.storage);
    const body = { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD };
    const browser = openBrowser(secure);
    const { headers } = await browser.call('POST', '/setup', body);
    const session = await browser.call('GET', '/session');
    await secure.close();
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-galley_session=[^;]+;.*; HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-galley_device=[^;]+;.*; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(session.status).toBe(200);
  });

  test('does not exist for callers with a management token, who need no CSRF token', async () => {
    expect(await manager.call('GET', '/session', { token: manager.editor })).toMatchObject({
      status: 200,
      body: { user: null, token: { name: 'Test editor', role: 'editor' }, csrf_token: null, expires_at: null },
    });
    expect(await manager.call('DELETE', '/session')).toMatchObject({ status: 409 });
    const body = { current_password: PASSWORD, new_password: 'another long password' };
    expect(await manager.call('PUT', '/session/password', { body })).toMatchObject({ status: 409 });
    expect(await manager.call('GET', '/session', { token: undefined })).toMatchObject({ status: 401 });
  });

  test('changes nothing without its CSRF token', async () => {
    const user = await createUser();
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    const change = (token: string) =>
      browser.call('PATCH', '/account', { name: 'Changed' }, { headers: { 'x-csrf-token': token } });
    for (const token of ['', 'wrong', `${browser.csrfToken}x`]) {
      expect(await change(token)).toMatchObject({ status: 403, body: { message: expect.stringContaining('CSRF') } });
    }
    expect(await browser.call('DELETE', '/session', undefined, { headers: { 'x-csrf-token': '' } })).toMatchObject({
      status: 403,
    });
    expect(await change(browser.csrfToken ?? '')).toMatchObject({ status: 200 });
  });

  test("replaces the browser's previous session without requiring that session's CSRF token", async () => {
    const user = await createUser();
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    const { cookie: old = '' } = browser;
    const body = { email: user.email, password: PASSWORD };
    const again = await manager.call('POST', '/session', { token: undefined, headers: { cookie: old }, body });
    expect(again.status).toBe(200);
    expect(again.headers.get('set-cookie')).not.toContain(old);
    const past = await manager.call('GET', '/session', { token: undefined, headers: { cookie: old } });
    expect(past.status).toBe(401);
  });

  test('ends on the server when the user signs out', async () => {
    const user = await createUser();
    const browser = openBrowser(manager);
    const other = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    await other.signIn(user.email, PASSWORD);
    const { cookie = '' } = browser;
    const out = await browser.call('DELETE', '/session');
    expect([out.status, out.body]).toEqual([204, undefined]);
    expect(out.headers.get('set-cookie')).toMatch(/^galley_session=; Max-Age=0;/);
    const past = await manager.call('GET', '/session', { token: undefined, headers: { cookie } });
    expect(past.status).toBe(401);
    expect((await other.call('GET', '/session')).status).toBe(200);
  });

  test("is replaced by a new one when the password changes, and the user's other sessions end", async () => {
    const user = await createUser();
    const browser = openBrowser(manager);
    const other = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    await other.signIn(user.email, PASSWORD);
    const { cookie: old = '', csrfToken: oldCsrf } = browser;
    const wrong = { current_password: `${PASSWORD}!`, new_password: 'another long password' };
    expect(await browser.call('PUT', '/session/password', wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'current_password', message: 'is not your password' }] },
    });
    expect((await other.call('GET', '/session')).status).toBe(200);
    const change = { current_password: PASSWORD, new_password: 'another long password' };
    expect(await browser.call('PUT', '/session/password', change)).toMatchObject({ status: 200 });
    expect((await other.call('GET', '/session')).status).toBe(401);
    const past = await manager.call('GET', '/session', { token: undefined, headers: { cookie: old } });
    expect(past.status).toBe(401);
    expect((await browser.call('GET', '/session')).status).toBe(200);
    expect(browser.csrfToken).not.toBe(oldCsrf);
    expect(await openBrowser(manager).signIn(user.email, PASSWORD)).toMatchObject(WRONG);
    expect((await openBrowser(manager).signIn(user.email, change.new_password)).status).toBe(200);
  });

  test.each([
    [
      'too short',
      'too short',
      "must be 12 to 200 characters long, and must not be the user's name or email address",
      WEAK,
    ],
    [
      'too long',
      'x'.repeat(201),
      "must be 12 to 200 characters long, and must not be the user's name or email address",
      WEAK,
    ],
    ['the current password', PASSWORD, 'must differ from the current password', { code: 'invalid' }],
  ])('rejects a new password that is %s, without repeating it in the error', async (_what, password, message, more) => {
    const user = await createUser();
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    const body = { current_password: PASSWORD, new_password: password };
    const answer = await browser.call('PUT', '/session/password', body);
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        message: 'The input has 1 error.',
        code: 'invalid',
        errors: [{ path: 'new_password', message, ...more }],
      },
    ]);
  });

  test('ends when the user is suspended, and the user can no longer sign in', async () => {
    const user = await createUser();
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    await manager.expectOk('PATCH', `/users/${user.id}`, { is_suspended: true });
    expect((await browser.call('GET', '/session')).status).toBe(401);
    expect(await openBrowser(manager).signIn(user.email, PASSWORD)).toMatchObject(WRONG);
    await manager.expectOk('PATCH', `/users/${user.id}`, { is_suspended: false });
    expect((await browser.call('GET', '/session')).status).toBe(401);
    expect((await openBrowser(manager).signIn(user.email, PASSWORD)).status).toBe(200);
  });

  test('ends when it expires, and is deleted on the next sign-in', async () => {
    const user = await createUser();
    const row = await findUser(user.email);
    const now = Date.now();
    const times = { createdAt: now - 1000, expiresAt: now - 1 };
    await manager.service.storage.transaction((transaction) =>
      transaction.run(
        insertSession({
          tokenHash: hashToken('past'),
          userNo: row?.no ?? 0,
          csrfToken: 'csrf',
          ...times,
          address: null,
          agent: null,
        }),
      ),
    );
    const headers = { cookie: 'galley_session=past' };
    expect((await manager.call('GET', '/session', { token: undefined, headers })).status).toBe(401);
    await openBrowser(manager).signIn(user.email, PASSWORD);
    expect(await manager.service.storage.read(selectSession(hashToken('past')))).toBe(undefined);
  });

  test('replaces an outdated password hash when the user signs in', async () => {
    const user = await createUser();
    const nonce = randomBytes(16);
    const cost = { memory: 1024, passes: 2, parallelism: 1 };
    const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost });
    const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    const row = await findUser(user.email);
    if (row === undefined) throw new Error('no user');
    const old = { ...row, password_hash: `$argon2id$v=19$m=1024,t=2,p=1$${salt}$${hash}` };
    await manager.service.storage.transaction((transaction) => transaction.run(updateUser(row.no, old, Date.now())));
    expect((await openBrowser(manager).signIn(user.email, PASSWORD)).status).toBe(200);
    expect((await findUser(user.email))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await openBrowser(manager).signIn(user.email, PASSWORD)).status).toBe(200);
  });

  test('is refused with identical responses for an unknown email, a wrong password and a suspended user', async () => {
    const [known, suspended] = [await createUser(), await createUser()];
    await manager.expectOk('PATCH', `/users/${suspended.id}`, { is_suspended: true });
    const attempts = [
      ['nobody@example.com', PASSWORD],
      [known.email, 'a wrong password'],
      [known.email, ''],
      [suspended.email, PASSWORD],
      [suspended.email, 'a wrong password'],
    ] as const;
    const answers = await Promise.all(
      attempts.map(async ([email, password]) => {
        const { status, body, headers } = await openBrowser(manager).signIn(email, password);
        return [status, body, [...headers.keys()]];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject([WRONG.status, WRONG.body, expect.not.arrayContaining(['set-cookie'])]);
  });

  test('is recorded in the audit log when it is refused, without the email if the email is unknown', async () => {
    const user = await createUser();
    await openBrowser(manager).signIn(user.email, 'a wrong password');
    await openBrowser(manager).signIn('stranger@example.com', 'a wrong password');
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    await browser.call('DELETE', '/session');
    const log = await manager.expectOk<AuditLogBody>('GET', `/audit?actor=${user.id}`);
    const actor = { kind: 'user', id: user.id, name: user.name, address: '127.0.0.1' };
    expect(log.data).toMatchObject([
      { action: 'user.sign_out', actor },
      { action: 'user.sign_in', actor, subject: { id: user.id } },
      { action: 'user.sign_in_failed', actor, details: { reason: 'wrong password' } },
    ]);
    const all = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=100');
    expect(all.data).toContainEqual(
      expect.objectContaining({
        action: 'user.sign_in_unknown',
        actor: { kind: 'guest', id: null, name: 'Somebody', address: '127.0.0.1' },
        subject: { id: null, name: null },
        details: expect.objectContaining({ reason: 'unknown email' }),
      }),
    );
    expect(JSON.stringify(all)).not.toContain('stranger@');
    expect(JSON.stringify(all)).not.toContain('a wrong password');
  });

  test.each([
    [{}, ['email', 'password']],
    [{ email: 'ada', password: PASSWORD }, ['email']],
    [{ email: ['a@example.com'], password: 7 }, ['email', 'password']],
    [{ email: 'a@example.com', password: PASSWORD, remember: true }, ['remember']],
    [{ email: 'a@example.com', password: 'x'.repeat(100_000) }, ['password']],
  ])('requires an email and a password, and nothing else: %#', async (body, paths) => {
    const answer = await manager.call('POST', '/session', { token: undefined, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: paths.map((path) => ({ path })) } });
  });
});

describe.concurrent('password attempts', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
  });

  afterAll(() => manager.close());

  test('get a response with the number of remaining attempts, even if the password is correct', async () => {
    const { headers: wrong, status } = await openBrowser(manager).signIn('some@example.com', 'a wrong password');
    expect(status).toBe(401);
    expect(wrong.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+, "account";r=9;t=\d+$/);
    expect(wrong.get('ratelimit-policy')).toBe('"address";q=100;w=900, "account";q=10;w=900');
    const body = { email: 'joan@example.com', name: 'Joan', role: 'editor', password: PASSWORD };
    await manager.expectOk('POST', '/users', body);
    const browser = openBrowser(manager);
    const { headers: right } = await browser.signIn('joan@example.com', PASSWORD);
    expect(right.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+, "account";r=10;t=900$/);
    const { headers: known } = await browser.signIn('joan@example.com', PASSWORD);
    expect(known.get('ratelimit')).toBe('"device";r=10;t=900');
  });

  test('are limited to a hundred per address across all emails, not counting successful sign-ins', async () => {
    const other = await startManager();
    const known = { email: 'eve@example.com', name: 'Eve', role: 'editor', password: PASSWORD };
    await other.expectOk('POST', '/users', known);
    const attempt = async (email: string, password = 'a wrong password') =>
      (await openBrowser(other).signIn(email, password)).status;
    for (let round = 0; round < 3; round++) expect(await attempt(known.email, PASSWORD)).toBe(200);
    // Attempts that another limit rejects are counted too.
    await Promise.all(Array.from({ length: 99 }, () => attempt('guess@example.com')));
    expect(await attempt(known.email, PASSWORD)).toBe(200);
    expect(await attempt('hundredth@example.com')).toBe(401);
    const after = [await attempt('new@example.com'), await attempt(known.email, PASSWORD)];
    await other.close();
    expect(after).toEqual([429, 429]);
  });

  test('are limited within a session too', async () => {
    const body = { email: 'bob@example.com', name: 'Bob', role: 'editor', password: PASSWORD };
    await manager.expectOk('POST', '/users', body);
    const browser = openBrowser(manager);
    await browser.signIn('bob@example.com', PASSWORD);
    const statuses: number[] = [];
    for (let round = 0; round < 11; round++) {
      const change = { current_password: 'a wrong password', new_password: 'another long password' };
      statuses.push((await browser.call('PUT', '/session/password', change)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });
});
