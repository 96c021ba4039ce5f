// Every command on a PostgreSQL database, run as a person or a script would run it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runForJson, runGalley, startServer } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';

describe('on PostgreSQL', () => {
  let database: PostgresDatabase;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

  beforeAll(async () => {
    database = await createPostgresDatabase();
    folder = await makeFolder();
    options = { cwd: folder.path, env: { GALLEY_DATABASE_URL: database.url.url } };
    await writeFile(join(folder.path, 'site.ndjson'), toLines([siteRecord(), typeRecord(), postRecord('c_1')]));
  });

  afterAll(async () => {
    await database.remove();
    await folder[Symbol.asyncDispose]();
  });

  /** The output of a command that must succeed. */
  async function print(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await runGalley(args, options);
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  }

  test('before the service first starts, galley doctor reports that there is no schema yet, and creates none', async () => {
    for (const _ of ['once', 'again']) {
      const report = await runForJson(['doctor'], options);
      expect(report).toMatchObject({ status: 'warning' });
      expect(JSON.stringify(report)).toContain('there is no schema yet');
    }
  });

  test('bundles can be imported and exported, and a second import changes nothing', async () => {
    await print('import', '--dry-run', 'site.ndjson');
    await print('import', 'site.ndjson');
    const exported = await print('export', '--site', 's_small');
    expect(exported).toContain('"c_1"');
    await writeFile(join(options.cwd, 'again.ndjson'), exported);
    await print('import', 'again.ndjson');
    expect(await print('export', '--site', 's_small')).toBe(exported);
  });

  test('an import lists all errors in a bundle and imports nothing from it', async () => {
    const wrong = [
      postRecord('c_2', { author: 'u_none', fields: { rank: { number: 'x' } } }),
      postRecord('c_3', { fields: { related: { content_links: ['c_nope', 'c_2'] } } }),
      postRecord('c_4', { slug: 'c-3' }),
    ];
    await writeFile(join(options.cwd, 'wrong.ndjson'), toLines(wrong));
    const before = await print('export', '--site', 's_small');
    const { status, stderr } = await runGalley(['import', 'wrong.ndjson'], options);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'wrong.ndjson:1: content c_2, field author: author u_none does not exist',
      'wrong.ndjson:1: content c_2, field rank: number must be a finite number, got "x"',
      'wrong.ndjson:2: content c_3, field related: content c_nope does not exist',
      'wrong.ndjson:3: content c_4, field slug: c-3 is taken by c_3 (same type and language)',
      'Nothing from wrong.ndjson was imported.',
    ]);
    expect(await print('export', '--site', 's_small')).toBe(before);
  });

  test('sites, keys, users, types and content can be managed', async () => {
    expect(await runForJson(['site', 'create', '--name', 'Other', '--id', 's_other'], options)).toMatchObject({
      id: 's_other',
    });
    await print('content', 'unpublish', 'c_1');
    await print('content', 'publish', 'c_1');
    expect(await print('types', '--site', 's_small')).toContain('interface');
    const key = await runForJson(['key', 'create', '--all-sites'], options);
    const { id } = Object(key);
    expect(await print('key', 'list')).toContain(id);
    await print('key', 'revoke', id);
    await print('user', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--role', 'owner');
    expect(await runForJson(['doctor'], options)).toMatchObject({ status: 'warning' });
    await print('key', 'create', '--all-sites');
    const { checks } = Object(await runForJson(['doctor'], options));
    // Other nodes could not read the files in this folder.
    expect(checks.filter(({ status }: { status: string }) => status !== 'ok')).toMatchObject([{ name: 'file store' }]);
  });

  test("the backup command refers the user to the server's own tools", async () => {
    const { status, stderr } = await runGalley(['backup', 'copy.db'], options);
    expect(status).toBe(1);
    expect(stderr).toContain('pg_dump');
  });

  test.each([1, 2])('%i processes serve content from the database, without the demo', async (workers) => {
    const { token } = Object(await runForJson(['key', 'create', '--all-sites'], options));
    await using server = await startServer(options, ['--workers', String(workers)]);
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_small' };
    const response = await fetch(`${server.url}/api/v1/content/c_1`, { headers });
    expect([response.status, Object(await response.json()).id]).toEqual([200, 'c_1']);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(server.printed).toBe('');
    expect((await server.stop()).status).toBe(0);
  });

  test.each([
    ['a wrong password', ['serve', '--port', '0'], { password: 'hunter2' }, /rejected the login/],
    ['an unknown database', ['doctor'], { pathname: '/nowhere' }, /There is no database/],
    ['an unreachable server', ['serve', '--port', '0'], { port: '1' }, /cannot be reached: .*ECONNREFUSED/],
    ['an unreachable server', ['doctor'], { port: '1' }, /cannot be reached: .*ECONNREFUSED/],
  ])('%s is reported by %j without showing the password', async (_, command, change, message) => {
    const url = Object.assign(new URL(database.url.url), change);
    const wrong = { ...options, env: { GALLEY_DATABASE_URL: url.href } };
    const { status, stdout, stderr } = await runGalley(command, wrong);
    expect(status).toBe(1);
    expect(`${stdout}${stderr}`).toMatch(message);
    expect(`${stdout}${stderr}`).not.toContain(url.password);
    expect(`${stdout}${stderr}`).not.toContain('This is a bug');
  });
});
