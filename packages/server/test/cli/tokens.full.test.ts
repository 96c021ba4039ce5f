import { join } from 'node:path';
import type { NewManagementTokenBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';

describe('galley token', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (...args: readonly string[]) => runGalley(['token', ...args], { cwd: folder.path });
  const json = (...args: readonly string[]) => runForJson(['token', ...args], { cwd: folder.path });
  const create = async (...args: readonly string[]) => (await json('create', ...args)) as NewManagementTokenBody;

  test('the create command issues a token, and the revoke command revokes it', async () => {
    const created = await create('--name', 'Setup', '--expires', '2127-01-31');
    expect(created).toEqual({
      id: expect.stringMatching(/^n_[0-9a-f]{32}$/),
      token: expect.stringMatching(/^gm_[\w-]{40}$/),
      prefix: expect.stringMatching(/^gm_[\w-]{7}$/),
      name: 'Setup',
      role: 'owner',
      state: 'active',
      created_by: { kind: 'command', id: null, name: 'Command line' },
      created_at: expect.stringMatching(/\+00:00$/),
      expires_at: '2127-01-31T23:59:59+00:00',
      revoked_at: null,
      last_used_at: null,
    });
    expect(await json('revoke', created.id)).toEqual({ id: created.id, state: 'revoked' });
  });

  test('the create command issues an editor token on request, and shows it only once', async () => {
    const { status, stdout, stderr } = await run('create', '--name', 'CI', '--role', 'editor');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}Token +gm_[\w-]{40}$/m);
    expect(stdout).toMatch(/^ {2}Role +editor$/m);
    expect(stdout).toMatch(/^ {2}Expires +never$/m);
    expect(stdout).toContain('Save the token now: it is shown only once.');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('the list command shows the details and the status of every token, but not the secret itself', async () => {
    const { id, token } = await create('--name', 'Web \u001b[31msite');
    const { token: _, ...shown } = await create('--name', 'Other');
    expect(await json('list')).toContainEqual(shown);
    const { stdout } = await run('list');
    const line = stdout.split('\n').find((text) => text.startsWith(id));
    expect(line).toMatch(/^n_\w+ +active +Web \ufffd\[31msite +gm_[\w-]{7}… +owner +Command line +never +never$/);
    expect(stdout).not.toContain(token);
  });

  test('works with the tokens of only one account at a time', async () => {
    const args = ['user', 'create', '--email', 'eve@example.com', '--name', 'Eve', '--new-account', 'Elsewhere'];
    const { account } = (await runForJson(args, { cwd: folder.path })) as { account: string };
    const { token: _, ...shown } = await create('--name', 'Theirs', '--account', account);
    expect(await json('list', '--account', account)).toEqual([shown]);
    expect(await json('list')).not.toContainEqual(shown);
    expect(await run('revoke', shown.id)).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: There is no token ${shown.id}.\n`,
    });
    expect((await run('revoke', shown.id, '--account', account)).stdout).toBe(
      `Revoked the management token ${shown.id}.\n`,
    );
  });

  test.each([
    [['create', '--name', 'X', '--expires', '2020-01-31'], 1, 'The token would already have expired'],
    [['create', '--name', 'X', '--account', 'o_none'], 1, 'There is no account o_none.'],
    [['create', '--name', 'X', '--role', 'admin'], 2, 'Allowed choices are owner, editor.'],
    [['create'], 2, "required option '--name <name>' not specified"],
    [['revoke', 'n_none'], 1, 'There is no token n_none.'],
  ])('%j exits with status %i and changes nothing', async (args, expected, complaint) => {
    const database = join(folder.path, 'data/galley.db');
    const before = dumpDatabase(database).management_tokens;
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(dumpDatabase(database).management_tokens).toEqual(before);
  });

  test('the create command has help text that fits a terminal', async () => {
    const { stdout } = await run('create', '--help');
    for (const flag of ['--name', '--role', '--expires', '--account', '--json']) expect(stdout).toContain(flag);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
