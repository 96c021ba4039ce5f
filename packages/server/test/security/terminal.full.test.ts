// Untrusted names and text are printed on the terminal without control codes.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runGalley } from '../support/galley-command.ts';
import { siteRecord, toLines } from '../support/small-site.ts';

/** Clears the screen, sets the window title, reverses the text direction, and starts a new line. */
const NAME = 'a\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\nerror: fake.ndjson';
const COMMANDS = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

test('a file name or a record cannot control the terminal of the person who imports it', async () => {
  await using folder = await makeFolder();
  const { path: cwd } = folder;
  await writeFile(join(cwd, NAME), toLines([siteRecord()]));
  await writeFile(join(cwd, `bad-${NAME}`), '{"kind":"\\u001b[2J\\u009b2J"}\n');
  const { status, stdout, stderr } = await runGalley(['import', NAME, `bad-${NAME}`, `left-${NAME}`], { cwd });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^Imported a.*fake\.ndjson: /);
  expect(stderr).toMatch(/^bad-a.*fake\.ndjson:1: /);
  expect(`${stdout}${stderr}`).not.toMatch(COMMANDS);
  expect(`${stdout}${stderr}`).not.toMatch(/^error: fake/m);
});
