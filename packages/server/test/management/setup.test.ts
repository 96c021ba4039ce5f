import type { AuditLogBody } from '@galley/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildSetUpToken } from '../../src/authoring/people/set-up.ts';
import { openBrowser } from './browser.ts';
import { type Manager, startManager } from './manager.ts';

const PASSWORD = 'correct horse battery';
const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };

describe('the set-up', () => {
  let manager: Manager;
  let token: string;

  beforeEach(async () => {
    manager = await startManager();
    token = buildSetUpToken(manager.service.storage);
  });

  afterEach(() => manager.close());

  test('creates the first owner, names the account and signs the owner in', async () => {
    const browser = openBrowser(manager);
    expect(await browser.call('GET', '/setup')).toMatchObject({ status: 200, body: { is_needed: true } });
    const done = await browser.call('POST', '/setup', {
      ...ADA,
      token,
      email: ' Ada@example.com ',
      account_name: 'The Magazine',
    });
    expect(done).toMatchObject({
      status: 201,
      body: { user: { email: 'Ada@example.com', name: 'Ada', role: 'owner' } },
    });
    expect(await browser.call('GET', '/account')).toMatchObject({ body: { id: 'o_main', name: 'The Magazine' } });
    expect(await browser.call('PATCH', '/account', { name: 'Renamed' })).toMatchObject({ status: 200 });
    expect(await browser.call('GET', '/setup')).toMatchObject({ status: 200, body: { is_needed: false } });
    expect((await openBrowser(manager).signIn('ada@example.com', PASSWORD)).status).toBe(200);
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit');
    expect(data.filter(({ actor }) => actor.name === 'Ada').map(({ action }) => action)).toEqual([
      'user.sign_in',
      'account.rename',
      'account.rename',
      'user.create',
    ]);
  });

  test('is closed as soon as a user exists, even in another account', async () => {
    const body = { email: 'bob@example.com', name: 'Bob', role: 'editor', password: PASSWORD };
    await manager.expectOk('POST', '/users', body, manager.stranger);
    const late = await manager.call('POST', '/setup', { token: undefined, body: { ...ADA, token } });
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('already set up') } });
    expect(late.headers.get('set-cookie')).toBe(null);
    expect(await manager.expectOk('GET', '/users')).toEqual({ data: [], next_cursor: null });
  });

  test('succeeds only once when several requests arrive at the same time', async () => {
    const calls = Array.from({ length: 6 }, (_, index) =>
      manager.call('POST', '/setup', { token: undefined, body: { ...ADA, token, email: `ada${index}@example.com` } }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await manager.expectOk('GET', '/users')).toMatchObject({ data: [{ role: 'owner' }] });
  });

  test.each([
    [{ email: undefined, name: undefined, password: undefined }, ['email', 'name', 'password']],
    [{ email: 'ada', account_name: ' ' }, ['email', 'account_name']],
    [{ password: 'short' }, ['password']],
    [{ password: 'ADA@example.com' }, ['password']],
    [{ role: 'editor' }, ['role']],
    [{ token: undefined }, ['token']],
    [{ token: ['gs_'] }, ['token']],
  ])('rejects invalid values and stores nothing: %j', async (wrong, paths) => {
    const body = { ...ADA, token, ...wrong };
    const answer = await manager.call('POST', '/setup', { token: undefined, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: paths.map((path) => ({ path })) } });
    expect(await manager.call('GET', '/setup', { token: undefined })).toMatchObject({ body: { is_needed: true } });
    expect(JSON.stringify(answer.body)).not.toContain('short"');
  });
});
