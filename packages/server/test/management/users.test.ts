import type { AuditLogBody, ManagementPageBody, UserBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { type Manager, startManager } from './manager.ts';

const PASSWORD = 'correct horse battery';

describe('users', () => {
  let manager: Manager;
  let count = 0;

  beforeAll(async () => {
    manager = await startManager();
  });

  afterAll(() => manager.close());

  function createUser(role: 'owner' | 'editor', token?: string): Promise<UserBody> {
    count += 1;
    const body = { email: `person${count}@example.com`, name: `Person ${count}`, role, password: PASSWORD };
    return manager.expectOk('POST', '/users', body, token);
  }

  const read = (user: UserBody) => manager.expectOk<UserBody>('GET', `/users/${user.id}`);
  const change = (user: UserBody, body: object) => manager.call('PATCH', `/users/${user.id}`, { body });

  test('can be created by owners, and can then sign in', async () => {
    const body = { email: 'José@Example.com', name: 'José', role: 'editor', password: PASSWORD };
    const created = await manager.call('POST', '/users', { body });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^m_[0-9a-f]{32}$/),
        email: 'José@Example.com',
        name: 'José',
        role: 'editor',
        is_suspended: false,
        created_at: expect.stringMatching(/\+00:00$/),
        updated_at: expect.stringMatching(/\+00:00$/),
        last_sign_in_at: null,
      },
    ]);
    expect(await read(created.body as UserBody)).toEqual(created.body);
    expect((await openBrowser(manager).signIn('jose\u0301@example.com', PASSWORD)).status).toBe(200);
  });

  test('have an email that is unique across all accounts', async () => {
    const stranger = await createUser('owner', manager.stranger);
    const body = { email: stranger.email.toUpperCase(), name: 'Twin', role: 'editor', password: PASSWORD };
    const answer = await manager.call('POST', '/users', { body });
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: 'This email address is already in use.', code: 'taken' },
    ]);
  });

  test('cannot be found by other accounts', async () => {
    const user = await createUser('editor', manager.stranger);
    const unknown = await manager.call('GET', '/users/m_unknown');
    const foreign = await manager.call('GET', `/users/${user.id}`);
    expect([foreign.status, JSON.stringify(foreign.body).replace(user.id, 'm_unknown')]).toEqual([
      404,
      JSON.stringify(unknown.body),
    ]);
    for (const body of [{ name: 'Mine' }, { password: 'another long password' }]) {
      expect(await change(user, body)).toMatchObject({ status: 404 });
    }
    const { data } = await manager.expectOk<ManagementPageBody<UserBody>>('GET', '/users?limit=100');
    expect(data.map(({ id }) => id)).not.toContain(user.id);
  });

  test('are each listed once, sorted by email, page by page', async () => {
    const other = await startManager();
    const emails = Array.from({ length: 4 }, (_, index) => `${'dacb'.charAt(index)}@example.com`);
    for (const email of emails) {
      await other.expectOk('POST', '/users', { email, name: email, role: 'editor', password: PASSWORD });
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await other.expectOk<ManagementPageBody<UserBody>>('GET', `/users?limit=3${query}`);
      seen.push(...page.data.map(({ email }) => email));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    const statuses: number[] = [];
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'sort=name', 'limit=1&limit=2']) {
      statuses.push((await other.call('GET', `/users?${query}`)).status);
    }
    await other.close();
    expect(seen).toEqual(emails.toSorted());
    expect(statuses).toEqual([422, 422, 422, 422, 422, 422]);
  });

  test('can be changed by owners with immediate effect', async () => {
    const [owner, user] = [await createUser('owner'), await createUser('editor')];
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    expect(await change(user, { name: 'New name', role: 'owner' })).toMatchObject({
      status: 200,
      body: { name: 'New name', role: 'owner' },
    });
    expect(await browser.call('GET', '/session')).toMatchObject({
      body: { user: { name: 'New name', role: 'owner' } },
    });
    expect((await browser.call('GET', '/users')).status).toBe(200);
    await change(user, { role: 'editor' });
    expect((await browser.call('GET', '/users')).status).toBe(403);
    expect((await read(owner)).role).toBe('owner');
  });

  test('are signed out when they get a new password, which replaces the old one', async () => {
    const user = await createUser('editor');
    const browser = openBrowser(manager);
    await browser.signIn(user.email, PASSWORD);
    expect(await change(user, { password: 'another long password' })).toMatchObject({ status: 200 });
    expect((await browser.call('GET', '/session')).status).toBe(401);
    expect((await openBrowser(manager).signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await openBrowser(manager).signIn(user.email, 'another long password')).status).toBe(200);
  });

  test('stay the same, and nothing is logged, if a call changes nothing', async () => {
    const user = await createUser('editor');
    for (const body of [{}, { name: user.name, role: 'editor', is_suspended: false }, { name: null }]) {
      expect(await change(user, body)).toMatchObject({ status: 200, body: user });
    }
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=1');
    expect(data).toMatchObject([{ action: 'user.create', subject: { id: user.id } }]);
  });

  test('have all their changes recorded in the audit log, without passwords', async () => {
    const user = await createUser('editor');
    const body = { name: 'Renamed', role: 'owner', is_suspended: true, password: 'another long password' };
    await change(user, body);
    await change(user, { is_suspended: false });
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?limit=6');
    expect(data).toMatchObject([
      { action: 'user.reinstate' },
      { action: 'user.suspend' },
      { action: 'user.reset_password', details: null },
      { action: 'user.change_role', details: { before: 'editor', after: 'owner' } },
      { action: 'user.rename', details: { before: user.name }, subject: { id: user.id, name: 'Renamed' } },
      { action: 'user.create', details: { role: 'editor' }, actor: { kind: 'token', name: 'Test owner' } },
    ]);
    expect(JSON.stringify(data)).not.toContain('long password');
  });

  test('always include at least one owner who can sign in', async () => {
    const other = await startManager();
    const create = (email: string) =>
      other.expectOk<UserBody>('POST', '/users', { email, name: email, role: 'owner', password: PASSWORD });
    const [first, second] = [await create('a@example.com'), await create('b@example.com')];
    const patch = (user: UserBody, body: object) => other.call('PATCH', `/users/${user.id}`, { body });
    expect(await patch(first, { is_suspended: true })).toMatchObject({ status: 200 });
    const last = { status: 409, body: { message: expect.stringContaining('last active owner') } };
    for (const body of [{ is_suspended: true }, { role: 'editor' }, { role: 'editor', name: 'Gone' }]) {
      expect(await patch(second, body)).toMatchObject(last);
    }
    expect(await other.expectOk('GET', `/users/${second.id}`)).toEqual(second);
    await patch(first, { is_suspended: false });
    const both = await Promise.all([first, second].map((user) => patch(user, { role: 'editor' })));
    await other.close();
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('cannot change their own role, suspend themselves, or set a password without entering the current one', async () => {
    const [owner] = [await createUser('owner'), await createUser('owner')];
    const browser = openBrowser(manager);
    await browser.signIn(owner.email, PASSWORD);
    const path = `/users/${owner.id}`;
    for (const body of [{ role: 'editor' }, { is_suspended: true }, { password: 'another long password' }]) {
      expect(await browser.call('PATCH', path, body)).toMatchObject({ status: 409 });
    }
    expect(await browser.call('PATCH', path, { name: 'My new name', role: 'owner' })).toMatchObject({ status: 200 });
    expect(await read(owner)).toMatchObject({ name: 'My new name', role: 'owner', is_suspended: false });
  });

  test.each([
    [{}, ['email', 'name', 'role', 'password']],
    [{ email: 'x', name: '', role: 'admin', password: 5 }, ['email', 'name', 'role', 'password']],
    [{ email: 'x@example.com', name: 'X', role: 'editor', password: 'x@example.com', id: 'm_1' }, ['id', 'password']],
    [{ email: 'xxxxxx@example.com', name: 'X', role: 'editor', password: 'xxxxxx@example.com' }, ['password']],
  ])('cannot be created from %j', async (body, paths) => {
    const before = await manager.expectOk('GET', '/users');
    const answer = await manager.call('POST', '/users', { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: paths.map((path) => ({ path })) } });
    expect(await manager.expectOk('GET', '/users')).toEqual(before);
  });

  test('cannot be seen by editors or other accounts', async () => {
    const user = await createUser('editor');
    const calls = [
      ['GET', '/users'],
      ['POST', '/users'],
      ['GET', `/users/${user.id}`],
      ['PATCH', `/users/${user.id}`],
    ] as const;
    for (const [method, path] of calls) {
      expect((await manager.call(method, path, { token: manager.editor })).status).toBe(403);
      expect((await manager.call(method, path, { token: undefined })).status).toBe(401);
    }
  });
});
