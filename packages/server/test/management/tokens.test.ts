import type { AuditLogBody, ManagementPageBody, ManagementTokenBody, NewManagementTokenBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';

const HOUR_MS = 3_600_000;

describe('management tokens', () => {
  let manager: Manager;
  /** How far ahead the service's clock is. */
  let aheadMs = 0;

  beforeAll(async () => {
    manager = await startManager({}, { now: () => Date.now() + aheadMs });
  });

  afterAll(() => manager.close());

  const create = (body: object, token?: string) =>
    manager.expectOk<NewManagementTokenBody>('POST', '/tokens', body, token);

  async function list(token?: string): Promise<readonly ManagementTokenBody[]> {
    const page = await manager.expectOk<ManagementPageBody<ManagementTokenBody>>('GET', '/tokens', undefined, token);
    return page.data;
  }

  test('are returned only once, and have the permissions of their role', async () => {
    const created = await manager.call('POST', '/tokens', { body: { name: 'Deploy', role: 'editor' } });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^n_[0-9a-f]{32}$/),
        name: 'Deploy',
        role: 'editor',
        prefix: expect.stringMatching(/^gm_[\w-]{7}$/),
        state: 'active',
        created_by: { kind: 'command', id: null, name: 'Command line' },
        created_at: expect.stringMatching(/\+00:00$/),
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        token: expect.stringMatching(/^gm_[\w-]{40}$/),
      },
    ]);
    const { token, ...shown } = created.body as NewManagementTokenBody;
    expect(await list()).toContainEqual(shown);
    expect(JSON.stringify(await list())).not.toContain(token);
    expect((await manager.call('GET', '/account', { token })).status).toBe(200);
    expect((await manager.call('GET', '/tokens', { token })).status).toBe(403);
    expect(await list()).toContainEqual({ ...shown, last_used_at: expect.stringMatching(/\+00:00$/) });
  });

  test('stop working when they are revoked, and can be revoked more than once', async () => {
    const { id, token } = await create({ name: 'Old', role: 'owner' });
    expect((await manager.call('GET', '/account', { token })).status).toBe(200);
    const revoked = await manager.expectOk<ManagementTokenBody>('POST', `/tokens/${id}/revoke`);
    expect(revoked).toMatchObject({ id, state: 'revoked', revoked_at: expect.stringMatching(/\+00:00$/) });
    expect((await manager.call('GET', '/account', { token })).status).toBe(401);
    expect(await manager.expectOk('POST', `/tokens/${id}/revoke`)).toEqual(revoked);
    const { data } = await manager.expectOk<AuditLogBody>('GET', '/audit?action=token.revoke');
    expect(data.map(({ subject }) => subject.id)).toEqual([id]);
  });

  test('stop working when they expire', async () => {
    const soon = new Date(Date.now() + HOUR_MS).toISOString();
    const { id, token } = await create({ name: 'Short', role: 'editor', expires_at: soon });
    expect((await manager.call('GET', '/account', { token })).status).toBe(200);
    aheadMs = HOUR_MS;
    expect((await manager.call('GET', '/account', { token })).status).toBe(401);
    expect(await list()).toContainEqual(expect.objectContaining({ id, state: 'expired' }));
  });

  test('cannot be used to create a token with more permissions or a longer lifetime', async () => {
    const soon = '2127-01-31T00:00:00+00:00';
    const { token } = await create({ name: 'A century', role: 'owner', expires_at: soon });
    const later = { status: 422, body: { errors: [{ path: 'expires_at', message: expect.stringContaining(soon) }] } };
    for (const expires_at of [undefined, null, '2127-01-31T00:00:01+00:00']) {
      const body = { name: 'Longer', role: 'editor', expires_at };
      expect(await manager.call('POST', '/tokens', { body, token })).toMatchObject(later);
    }
    expect(await create({ name: 'As long', role: 'owner', expires_at: soon }, token)).toMatchObject({
      expires_at: soon,
    });
    const body = { name: 'More', role: 'owner' };
    expect((await manager.call('POST', '/tokens', { body, token: manager.editor })).status).toBe(403);
  });

  test('cannot be found by other accounts', async () => {
    const { id, token } = await create({ name: 'Theirs', role: 'owner' }, manager.stranger);
    expect((await list()).map((row) => row.id)).not.toContain(id);
    expect(await manager.call('POST', `/tokens/${id}/revoke`)).toMatchObject({
      status: 404,
      body: { message: `There is no token ${id}.` },
    });
    expect((await manager.call('GET', '/account', { token })).status).toBe(200);
    expect(await list(manager.stranger)).toContainEqual(expect.objectContaining({ id }));
  });

  test('are listed page by page, oldest first', async () => {
    for (let index = 0; index < 5; index++) await create({ name: `Page ${index}`, role: 'editor' });
    const all = (await list()).map(({ id }) => id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await manager.expectOk<ManagementPageBody<ManagementTokenBody>>('GET', `/tokens?limit=2${query}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(all);
    expect(seen).toEqual(seen.toSorted());
  });

  test.each([
    [{}, ['name', 'role']],
    [{ name: 'x', role: 'root' }, ['role']],
    [{ name: 'x', role: 'editor', expires_at: 'tomorrow' }, ['expires_at']],
    [{ name: 'x', role: 'editor', expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    [{ name: 'x', role: 'editor', token: 'gm_mine' }, ['token']],
  ])('cannot be created from %j', async (body, paths) => {
    const before = await list();
    const answer = await manager.call('POST', '/tokens', { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: paths.map((path) => ({ path })) } });
    expect(await list()).toEqual(before);
  });
});
