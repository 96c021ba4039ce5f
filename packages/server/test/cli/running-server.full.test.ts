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
});
