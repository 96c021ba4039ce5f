// Runs examples/mirror with the packed client, as its README says.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ChangingLibrary, openChangingLibrary } from '../http/changing-library.ts';
import { LIBRARY } from '../http/library.ts';
import { compileProject } from './compile-project.ts';
import { type ClientProject, installClient } from './install-client.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../examples/mirror');

let project: ClientProject;
let library: ChangingLibrary;
let runs = 0;
let file: string;

beforeAll(async () => {
  project = await installClient();
  await cp(EXAMPLE, project.path, { recursive: true });
});

afterAll(() => project[Symbol.asyncDispose]());

beforeEach(async () => {
  library = await openChangingLibrary();
  runs += 1;
  file = join(project.path, `mirror-${runs}.db`);
});

afterEach(() => library.close());

function start(...args: string[]) {
  const child = spawn(process.execPath, ['mirror.ts', ...args], {
    cwd: project.path,
    env: {
      PATH: process.env.PATH,
      GALLEY_API_URL: library.access.apiURL,
      GALLEY_API_KEY: library.access.apiKey,
      GALLEY_SITE: LIBRARY,
      MIRROR_FILE: file,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = once(child, 'close');
  return { child, end, errors: text(child.stderr) };
}

async function run(): Promise<string> {
  const { child, end, errors } = start();
  const [said, [status]] = await Promise.all([text(child.stdout), end]);
  expect([status, (await errors).replaceAll(/^.*(Experimental|--trace-warnings).*\n/gm, '')]).toEqual([0, '']);
  return said;
}

async function expectEqual(): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select id, body from objects order by id').all();
  database.close();
  const all = [...(await library.readAll())].toSorted();
  expect(rows.map(({ id, body }) => [id, body])).toEqual(all);
}

test('the example compiles', async () => {
  const options = { surroundings: 'node', moduleResolution: 'nodenext', files: ['mirror.ts'] } as const;
  expect(await compileProject(project.path, options)).toBe('');
});

test('copies the site, and later copies only the changes', async () => {
  expect(await run()).toBe('Up to date: 9 saved, 0 removed\n');
  await expectEqual();
  await library.rename('c_six', 'VI');
  await library.withdraw('c_five');
  expect(await run()).toBe('Up to date: 1 saved, 1 removed\n');
  await expectEqual();
  await library.withdraw('c_four');
  await library.forgetChanges();
  expect(await run()).toBe('Up to date: 7 saved, 0 removed\n');
  await expectEqual();
});

test('with --live, saves changes as they happen, until it is stopped', async () => {
  const { child, end } = start('--live');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('Up to date: 9 saved, 0 removed');
  await library.rename('c_six', 'VI');
  expect((await lines.next()).value).toBe('Up to date: 1 saved, 0 removed');
  await expectEqual();
  child.kill('SIGTERM');
  expect(await end).toEqual([0, null]);
});
