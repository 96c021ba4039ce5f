// The packages that a service loads before its first response, and those needed to show help. Every file loaded slows down startup, which
// has a budget of one second.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runProgram, startServer } from '../support/galley-command.ts';

/** The names of all packages loaded before the first response. */
async function listLoaded(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return noteLoads(async (cwd, hook) => {
    await using server = await startServer({ cwd, env: { GALLEY_DEMO: 'false', ...hook, ...env } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
}

/** The names of all packages loaded by a program that runs in the given folder with the given settings. */
async function noteLoads(
  run: (cwd: string, env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<readonly string[]> {
  await using folder = await makeFolder();
  const list = join(folder.path, 'loaded.txt');
  const hook = join(folder.path, 'note-loads.mjs');
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        appendFileSync(${JSON.stringify(list)}, url + '\\n');
        return next(url, context);
      },
    });`,
  );
  await run(folder.path, { NODE_OPTIONS: `--import ${hook}` });
  const urls = (await readFile(list, 'utf8')).split('\n');
  const names = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  return [...new Set(names)];
}

test('a service loads no unused packages, such as those for metrics, rate limits, the other database and route schemas', async () => {
  const loaded = await listLoaded({});
  expect(loaded).toContain('fastify');
  const spared = ['prom-client', '@opentelemetry/api', 'rate-limiter-flexible', 'pg', 'ajv'];
  expect(loaded.filter((name) => spared.includes(name))).toEqual([]);
});

test('metrics are loaded only when they are enabled', async () => {
  expect(await listLoaded({ GALLEY_METRICS: 'true' })).toContain('prom-client');
});

test.each([[['--help']], [['key', '--help']], [['site', 'create']]])(
  '%j needs only the package that parses the command line',
  async (args) => {
    const loaded = await noteLoads(async (cwd, env) => {
      await runProgram(args, { cwd, env });
    });
    expect(loaded.filter((name) => name !== '@vercel/stega')).toEqual(['commander']);
  },
);
