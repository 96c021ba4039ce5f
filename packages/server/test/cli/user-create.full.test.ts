import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly account: string;
  readonly password: string | null;
}

describe('galley user create', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (args: readonly string[], input = '') =>
    runGalley(['user', 'create', ...args], { cwd: folder.path, input });
  const json = async (...args: readonly string[]) =>
    (await runForJson(['user', 'create', ...args], { cwd: folder.path })) as NewUser;
  const dump = () => dumpDatabase(join(folder.path, 'data/galley.db'));

  test('makes the first user an owner, prints a password, and makes the next user an editor', async () => {
    const { status, stdout, stderr } = await run(['--email', 'Ada@example.com', '--name', 'Ada \u001b[31mL']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}Created an owner\.$/m);
    expect(stdout).toMatch(/^ {2}Email +Ada@example\.com$/m);
    expect(stdout).toMatch(/^ {2}Name +Ada \ufffd\[31mL$/m);
    expect(stdout).toMatch(/^ {2}Account +o_main$/m);
    expect(stdout).toContain('Save the password now: it is shown only once.');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const password = /^ {2}Password +(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(password).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);

    const second = await json('--email', 'bo@example.com', '--name', 'Bo');
    expect(second).toEqual({
      id: expect.stringMatching(/^m_[0-9a-f]{32}$/),
      email: 'bo@example.com',
      name: 'Bo',
      role: 'editor',
      account: 'o_main',
      password: expect.stringMatching(/^[\w-]{23}$/),
    });
    expect(second.password).not.toBe(password);
    expect(JSON.stringify(dump())).not.toContain(password);
  });

  test('reads a password from standard input, without the trailing newline, and does not print it', async () => {
    const args = ['--email', 'cy@example.com', '--name', 'Cy', '--role', 'owner', '--password-stdin'];
    const { status, stdout } = await run(args, 'correct horse battery\n');
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/password|correct/i);
    const again = await run(
      ['--email', 'dy@example.com', '--name', 'Dy', '--password-stdin', '--json'],
      'x'.repeat(12),
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ role: 'editor', password: null });
  });

  test('creates an account with its first owner, or adds a user to an existing account', async () => {
    const first = await json('--email', 'eve@example.com', '--name', 'Eve', '--new-account', 'Elsewhere');
    expect(first).toMatchObject({ role: 'owner', account: expect.stringMatching(/^o_[0-9a-f]{32}$/) });
    const next = await json('--email', 'flo@example.com', '--name', 'Flo', '--account', first.account);
    expect(next).toMatchObject({ role: 'editor', account: first.account });
    const { accounts = [], audit_entries: entries = [] } = dump();
    expect(accounts).toContainEqual(expect.objectContaining({ id: first.account, name: 'Elsewhere' }));
    expect(entries).toContainEqual(expect.objectContaining({ action: 'account.create', actor_name: 'Command line' }));
  });

  test.each([
    [['--email', 'ADA@example.com', '--name', 'Twin'], '', 'error: This email address is already in use.\n'],
    [
      ['--email', 'ada@EXAMPLE.com', '--name', 'Twin', '--new-account', 'Twins'],
      '',
      'error: This email address is already in use.\n',
    ],
    [['--email', 'x@example.com', '--name', 'X', '--account', 'o_none'], '', 'error: There is no account o_none.\n'],
    [
      ['--email', 'x@example.com', '--name', 'X', '--password-stdin'],
      'too short',
      "error: The input has 1 error.\n  password must be 12 to 200 characters long, and must not be the user's name or email address\n",
    ],
    [
      ['--email', 'x@example.com', '--name', 'X', '--password-stdin'],
      'x'.repeat(5000),
      'error: The password from standard input is too long.\n',
    ],
  ])('%j fails and creates nothing', async (args, input, complaint) => {
    const { users, accounts } = dump();
    expect(await run(args, input)).toEqual({ status: 1, stdout: '', stderr: complaint });
    expect(dump()).toMatchObject({ users, accounts });
  });

  test.each([
    [[], "required option '--email <email>' not specified"],
    [['--email', 'x', '--name', 'X'], 'It must be an email address'],
    [['--email', 'x@example.com', '--name', ' '], 'not blank'],
    [['--email', 'x@example.com', '--name', 'X', '--role', 'admin'], 'Allowed choices are owner, editor.'],
    [
      ['--email', 'x@example.com', '--name', 'X', '--account', 'o_main', '--new-account', 'Y'],
      'use either --account or --new-account, not both',
    ],
  ])('%j is a usage error', async (args, complaint) => {
    const { status, stdout, stderr } = await run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(stderr).toContain('Try: npx --no galley user create --help');
  });

  test('has help text that fits a terminal', async () => {
    const { stdout } = await run(['--help']);
    for (const flag of ['--email', '--name', '--role', '--password-stdin', '--account', '--new-account', '--json']) {
      expect(stdout).toContain(flag);
    }
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
