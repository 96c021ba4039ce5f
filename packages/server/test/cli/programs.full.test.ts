// Most tests run commands in a process that has run other commands before. Here, each command is a program of its own, as in a script.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runProgram } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

describe('as a program', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
  });

  afterAll(() => folder[Symbol.asyncDispose]());

  const author = { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada' };
  const bundle = toLines([siteRecord(), typeRecord(), author, postRecord('c_1')]);

  test.each<[args: readonly string[], stdout: RegExp, input?: string]>([
    [['import', '-'], /^Imported stdin: 1 content object and 3 other records; 4 changed\.\n$/, bundle],
    [['setup-link'], /^http:\/\/127\.0\.0\.1:3000\/admin\/set-up#token=gs_[\w-]{27}\n$/],
    [['site', 'create', '--name', 'Two', '--json'], /^\{"id":"s_\w+","name":"Two",.*\}\n$/],
    [['key', 'create', '--all-sites', '--json'], /^\{"id":"k_.*\}\n$/],
    [['preview', 'set', '--site', 's_small', '--name', 'A', '--address', 'https://a.example', '--json'], /^\{.*\}\n$/],
    [['webhook', 'create', '--site', 's_small', '--name', 'A', '--url', 'https://a.example', '--json'], /^\{.*\}\n$/],
    [['content', 'unpublish', 'c_1', '--json'], /^\{"id":"c_1","status":"unpublished"\}\n$/],
    [['author', 'delete', 'u_ada', '--site', 's_small', '--confirm', 'u_ada'], /^Deleted the author u_ada\.\n$/],
    [
      ['user', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--password-stdin', '--json'],
      /^\{.*"password":null\}\n$/,
      'correct horse battery\n',
    ],
    [['token', 'create', '--name', 'CI', '--json'], /^\{"id":"n_.*\}\n$/],
    [['types', '--site', 's_small'], /^export interface Post</m],
    [['backup', 'copy.db', '--json'], /^\{"file":"copy\.db",.*\}\n$/],
    [['copy-assets', '--to', 'file:copy', '--json'], /^\{.*\}\n$/],
    [['doctor', '--json'], /^\{.*\}\n$/],
  ])('%j prints only its result, and then exits', async (args, stdout, input = '') => {
    const outcome = await runProgram(args, { cwd: folder.path, input });
    expect(outcome).toEqual({ status: 0, stdout: expect.stringMatching(stdout), stderr: '' });
  });

  test('a command that fails exits with status 1, and one that is used incorrectly with status 2', async () => {
    const failed = await runProgram(['health'], { cwd: folder.path, env: { PORT: '1' } });
    expect(failed).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: The service is not responding at http:\/\/127\.0\.0\.1:1\/readyz: .*\n$/),
    });
    const wrong = await runProgram(['key', 'make'], { cwd: folder.path });
    expect(wrong).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining("unknown command 'make'") });
  });
});
