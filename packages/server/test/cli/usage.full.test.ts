// Correct and incorrect usage. A usage error exits with status 2, prints a short reason and changes nothing.

import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runGalley } from '../support/galley-command.ts';

describe('the command line', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (...args: readonly string[]) => runGalley(args, { cwd: folder.path });

  test('prints its version', async () => {
    expect(await run('--version')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  test.each([
    [['--help'], ['serve', 'import', 'site', 'key', 'content', 'Examples:']],
    [
      ['serve', '--help'],
      ['--port <n>', '--host <host>', '--workers <n>', 'Examples:'],
    ],
    [
      ['import', '--help'],
      ['<file...>', '--dry-run', '--json', 'Examples:'],
    ],
    [
      ['migrate-to', '--help'],
      ['<url>', 'PGPASSWORD', '--assets-to <url>', '--dry-run', '--json', 'Examples:'],
    ],
    [
      ['backup', '--help'],
      ['<path>', '--with-assets', '--force', '--json', 'Examples:'],
    ],
    [
      ['copy-assets', '--help'],
      ['--from <url>', '--to <url>', '--dry-run', '--json', 'Examples:'],
    ],
    [
      ['doctor', '--help'],
      ['--fix', '--json', 'Examples:'],
    ],
    [
      ['site', 'create', '--help'],
      ['--name <name>', '--id <id>', '--language <tag>', '--languages <tags>', '--url <url>'],
    ],
    [
      ['key', '-h'],
      ['create', 'list', 'revoke'],
    ],
    [
      ['key', 'create', '--help'],
      ['--site <id>', '--all-sites', '--preview', '--expires <date>', '--rate-limit <n>'],
    ],
    [
      ['preview', '--help'],
      ['show', 'set', 'remove', 'rotate-secret'],
    ],
    [
      ['preview', 'set', '--help'],
      ['--site <id>', '--name <name>', '--address <url>', '--pattern <pattern>', 'Examples:'],
    ],
    [
      ['webhook', '--help'],
      ['create', 'update', 'rotate-secret', 'calls', 'call', 'send-again'],
    ],
    [
      ['webhook', 'create', '--help'],
      ['--site <id>', '--kind <event>', '--header <header>', '--payload <payload>', '--batch', 'Examples:'],
    ],
    [
      ['webhook', 'update', '--help'],
      ['<id>', '--remove-header <name>', '--no-batch', '--all-languages', '--on', '--off'],
    ],
    [
      ['content', 'publish', '--help'],
      ['<id>', '--site <id>'],
    ],
    [
      ['help', 'key', 'create'],
      ['--all-sites', '--rate-limit', 'Examples:'],
    ],
    [
      ['help', 'import'],
      ['<file...>', '--dry-run', '--json', 'Examples:'],
    ],
  ])('%j shows help', async (args, mentioned) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx --no galley /);
    for (const text of mentioned) expect(stdout).toContain(text);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test.each([
    [[], 'Usage: npx --no galley'],
    [['key'], 'Usage: npx --no galley key'],
    [['serv'], "unknown command 'serv'\n(Did you mean serve?)\nTry: npx --no galley help\n"],
    [['key', 'make'], "unknown command 'make'"],
    [['restore', '--help'], "unknown command 'restore'"],
    [['--help', 'restore'], "unknown command 'restore'"],
    [['restore', '--version'], "unknown command 'restore'"],
    [['help', 'restore'], "unknown command 'restore'"],
    [['key', 'lsit', '--help'], "unknown command 'lsit'\n(Did you mean list?)\nTry: npx --no galley key --help"],
    [['serve', '--prot', '1'], "unknown option '--prot'"],
    [['serve', 'now'], 'too many arguments'],
    [['serve', '--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['serve', '--port'], 'argument missing'],
    [['serve', '--workers', '0'], 'It must be a whole number from 1 to 256.'],
    [['serve', '--host', 'a b'], 'It must be an IP address or a host name.'],
    [['import'], "missing required argument 'file'"],
    [['migrate-to'], "missing required argument 'url'"],
    [['migrate-to', 'postgres:/db/galley'], 'the target must look like postgres://'],
    [['site', 'create'], "required option '--name <name>' not specified"],
    [['site', 'create', '--name', ' '], 'not blank'],
    [['site', 'create', '--name', 'x', '--id', 'a/b'], 'It must be 1 to 64 characters from A-Z a-z 0-9 _ -.'],
    [
      ['site', 'create', '--name', 'x', '--languages', 'en,German'],
      'It must be a known language tag, like de for German or pt-BR for Brazilian Portuguese.',
    ],
    [['site', 'create', '--name', 'x', '--languages', 'en,en'], 'It must not list a language twice.'],
    [
      ['site', 'create', '--name', 'x', '--languages', 'en,fr', '--language', 'de'],
      'must contain the default language de',
    ],
    [['site', 'create', '--name', 'x', '--url', 'ftp://x'], 'It must be an http(s) URL'],
    [['key', 'create'], '--site or --all-sites is required'],
    [['key', 'create', '--site', 'a', '--all-sites'], 'use either --site or --all-sites, not both'],
    [['key', 'create', '--all-sites', '--expires', '2027-02-30'], 'It must be a date such as 2027-01-31'],
    [['key', 'create', '--all-sites', '--rate-limit', '-1'], 'It must be a whole number from 0'],
    [['key', 'revoke'], "missing required argument 'id'"],
    [['content', 'publish'], "missing required argument 'id'"],
  ])('%j is a usage error', async (args, complaint) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.each([
    [['site', 'list']],
    [['key', 'list']],
    [['key', 'revoke', 'k_1']],
    [['content', 'publish', 'c_1']],
    [['migrate-to', 'postgres://127.0.0.1:1/galley']],
  ])('%j does not create a missing database', async (args) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('There is no database at ./data/galley.db yet.');
  });

  test('leaves nothing behind after a usage error', async () => {
    expect(await readdir(folder.path)).toEqual([]);
  });
});
