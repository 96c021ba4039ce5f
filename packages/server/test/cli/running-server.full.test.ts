// Commands change a running server's database, and the server's next response reflects the change.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, type RunningServer, runForJson, runGalley, startServer } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

describe('a running server', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await makeFolder();
    // The settings in a folder apply to every command run there.
    await writeFile(join(folder.path, '.env'), 'GALLEY_DATABASE_URL=sqlite:db/own.db\nGALLEY_DEMO=false\n');
    await writeFile(
      join(folder.path, 'site.ndjson'),
      toLines([siteRecord(), typeRecord(), postRecord('c_1'), postRecord('c_2')]),
    );
    server = await startServer({ cwd: folder.path });
  });

  afterAll(async () => {
    expect((await server.stop()).status).toBe(0);
    await folder[Symbol.asyncDispose]();
  });

  const json = (...args: readonly string[]) => runForJson(args, { cwd: folder.path });

  async function get(path: string, token: string): Promise<{ status: number; body: unknown }> {
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_small' };
    const response = await fetch(`${server.url}/api/v1/content${path}`, { headers });
    return { status: response.status, body: await response.json() };
  }

  async function createKey(...flags: readonly string[]): Promise<{ id: string; token: string }> {
    const key = await json('key', 'create', ...flags);
    return key as { id: string; token: string };
  }

  test('applies new and revoked keys, imports and publishing immediately', async () => {
    const { id, token } = await createKey('--all-sites');
    expect(await get('', token)).toEqual({ status: 400, body: { message: 'Invalid Site ID.' } });

    await json('import', 'site.ndjson');
    expect((await get('', token)).body).toMatchObject({ data: [{ id: 'c_1' }, { id: 'c_2' }] });

    expect(await json('content', 'unpublish', 'c_1')).toEqual({ id: 'c_1', status: 'unpublished' });
    expect((await get('/c_1', token)).status).toBe(404);
    expect((await get('', token)).body).toMatchObject({ id: 'c_2' });

    const again = await runGalley(['content', 'unpublish', 'c_1'], { cwd: folder.path });
    expect(again).toEqual({ status: 1, stdout: '', stderr: 'error: Content c_1 is not published.\n' });

    const published = await runGalley(['content', 'publish', 'c_1', '--site', 's_small'], { cwd: folder.path });
    expect(published).toEqual({ status: 0, stdout: 'Published c_1.\n', stderr: '' });
    expect(await get('/c_1', token)).toMatchObject({ status: 200, body: { id: 'c_1' } });

    await json('key', 'revoke', id);
    expect(await get('/c_1', token)).toEqual({ status: 401, body: { message: 'Unauthenticated.' } });
  });

  test('lets a key read only the sites it was created for', async () => {
    await json('site', 'create', '--name', 'Other', '--id', 's_other');
    const other = await createKey('--site', 's_other');
    expect((await get('', other.token)).status).toBe(403);
    const limited = await createKey('--site', 's_small', '--rate-limit', '1');
    const statuses = [(await get('/c_2', limited.token)).status, (await get('/c_2', limited.token)).status];
    expect(statuses).toEqual([200, 429]);
  });

  test('lets new users sign in with the passwords that were printed for them', async () => {
    const create = async (email: string, ...flags: readonly string[]) => {
      const user = await json('user', 'create', '--email', email, '--name', 'Ada', ...flags);
      return (user as { password: string }).password;
    };
    const signIn = async (email: string, password: string): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ email, password });
      return (await fetch(`${server.url}/manage/v1/session`, { method: 'POST', headers, body })).status;
    };
    const passwords = [await create('ada@example.com'), await create('bo@example.com')] as const;
    expect(await signIn('ada@example.com', passwords[0])).toBe(200);
    expect(await signIn('bo@example.com', passwords[1])).toBe(200);
    expect(await signIn('bo@example.com', passwords[0])).toBe(401);
    for (const password of passwords) expect(JSON.stringify(server.log)).not.toContain(password);
  });

  test('accepts a new management token until it is revoked', async () => {
    const { id, token } = (await json('token', 'create', '--name', 'Setup')) as { id: string; token: string };
    const headers = { authorization: `Bearer ${token}` };
    const call = async (): Promise<number> => (await fetch(`${server.url}/manage/v1/tokens`, { headers })).status;
    expect(await call()).toBe(200);
    await json('token', 'revoke', id);
    expect(await call()).toBe(401);
  });
});
