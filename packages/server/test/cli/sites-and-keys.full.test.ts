import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

describe('sites and keys', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
    await writeFile(join(folder.path, 'site.ndjson'), toLines([siteRecord(), typeRecord(), postRecord('c_1')]));
    await json('import', 'site.ndjson');
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (...args: readonly string[]) => runGalley(args, { cwd: folder.path });
  const json = (...args: readonly string[]) => runForJson(args, { cwd: folder.path });

  test('galley site create creates a site with all given options, and galley site list shows it', async () => {
    const site = {
      id: 'docs',
      name: 'Docs',
      default_language: 'fr',
      languages: ['en', 'fr'],
      url: 'https://docs.example',
    };
    const flags = [
      '--name',
      'Docs',
      '--id',
      'docs',
      '--language',
      'fr',
      '--languages',
      'en,fr',
      '--url',
      'https://docs.example/',
    ];
    expect(await json('site', 'create', ...flags)).toEqual(site);
    expect(await json('site', 'list')).toContainEqual(site);
    const { stdout } = await run('site', 'list');
    expect(stdout).toMatch(/^ID +NAME +LANGUAGES +URL\n/);
    expect(stdout).toMatch(/^docs +Docs +fr, en +https:\/\/docs\.example$/m);
  });

  test('galley site create needs only a name', async () => {
    expect(await json('site', 'create', '--name', 'Plain')).toEqual({
      id: expect.stringMatching(/^s_[0-9a-f]{32}$/),
      name: 'Plain',
      default_language: 'en',
      languages: ['en'],
      url: null,
    });
  });

  test('galley site create rejects the ID of an existing site and leaves that site unchanged', async () => {
    const before = dumpDatabase(join(folder.path, 'data/galley.db')).sites;
    const { status, stdout, stderr } = await run('site', 'create', '--name', 'Other', '--id', 's_small', '--json');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: Site s_small already exists: Small.\n');
    expect(dumpDatabase(join(folder.path, 'data/galley.db')).sites).toEqual(before);
  });

  test("galley key create prints the token and the key's permissions", async () => {
    const flags = [
      '--site',
      's_small',
      '--name',
      'Editors',
      '--preview',
      '--expires',
      '2127-01-31',
      '--rate-limit',
      '60',
    ];
    expect(await json('key', 'create', ...flags)).toEqual({
      id: expect.stringMatching(/^k_[0-9a-f]{32}$/),
      token: expect.stringMatching(/^gk_[\w-]{40}$/),
      prefix: expect.stringMatching(/^gk_[\w-]{7}$/),
      name: 'Editors',
      sites: ['s_small'],
      all_sites: false,
      preview: true,
      expires_at: '2127-01-31T23:59:59+00:00',
      rate_limit: 60,
    });
  });

  test('galley key create without --json says that the token is shown only once', async () => {
    const { status, stdout, stderr } = await run(
      'key',
      'create',
      '--all-sites',
      '--expires',
      '2127-01-31T08:00:00+02:00',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}Token +gk_[\w-]{40}$/m);
    expect(stdout).toMatch(/^ {2}Sites +all$/m);
    expect(stdout).toMatch(/^ {2}Expires +2127-01-31T06:00:00\+00:00$/m);
    expect(stdout).toContain('Save the token now: it is shown only once.');
  });

  test.each([
    [['--site', 's_none'], 'error: There is no site s_none.\n'],
    [
      ['--all-sites', '--expires', '2020-01-31'],
      'error: The key would already have expired: 2020-01-31T23:59:59+00:00.\n',
    ],
  ])('galley key create %j fails and creates no key', async (flags, complaint) => {
    const before = dumpDatabase(join(folder.path, 'data/galley.db')).api_keys;
    const { status, stdout, stderr } = await run('key', 'create', ...flags, '--json');
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: complaint });
    expect(dumpDatabase(join(folder.path, 'data/galley.db')).api_keys).toEqual(before);
  });

  test('galley key list shows every key and its status, but no tokens', async () => {
    const key = (await json('key', 'create', '--site', 's_small', '--name', 'Web \u001b[31msite')) as {
      id: string;
      token: string;
    };
    expect(await json('key', 'list')).toContainEqual({
      id: key.id,
      name: 'Web \u001b[31msite',
      prefix: key.token.slice(0, 10),
      sites: ['s_small'],
      all_sites: false,
      preview: false,
      expires_at: null,
      rate_limit: null,
      created_at: expect.stringMatching(/\+00:00$/),
      last_used_at: null,
      state: 'active',
    });
    expect(await json('key', 'revoke', key.id)).toEqual({ id: key.id, state: 'revoked' });
    const { stdout } = await run('key', 'list');
    const line = stdout.split('\n').find((text) => text.startsWith(key.id));
    expect(line).toMatch(/^k_\w+ +revoked +Web \ufffd\[31msite +gk_[\w-]{7}… +s_small +no +never +default$/);
    expect(stdout).not.toContain(key.token);
  });

  test('galley key revoke accepts only existing keys', async () => {
    const { status, stdout, stderr } = await run('key', 'revoke', 'k_none');
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: There is no API key k_none.\n',
    });
  });

  test.each([
    ['publish', 'c_none', [], 'There is no content c_none.'],
    ['publish', 'c_1', ['--site', 's_none'], 'There is no content c_1 in site s_none.'],
    ['unpublish', 'c_none', [], 'There is no content c_none.'],
  ])('galley content %s %s %j fails', async (command, id, flags, complaint) => {
    const { status, stdout, stderr } = await run('content', command, id, ...flags);
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `error: ${complaint}\n` });
  });

  test('while another process is writing, read commands work, and write commands wait and then give up', async () => {
    const writer = new DatabaseSync(join(folder.path, 'data/galley.db'));
    writer.exec('begin immediate');
    try {
      const [list, create] = await Promise.all([
        run('key', 'list', '--json'),
        run('key', 'create', '--all-sites', '--json'),
      ]);
      expect(list.status).toBe(0);
      expect({ status: create.status, stdout: create.stdout }).toEqual({ status: 1, stdout: '' });
      expect(create.stderr).toMatch(/^error: Another process is writing to the database\./);
    } finally {
      writer.close();
    }
  });
});
