// The package as it is published: built, and without its sources. What it finds by its place on disk must still be there.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '../..');
const ROOT = join(PACKAGE, '../..');

let folder: string;
let service: ChildProcess;
let url: string;
let token: string;

beforeAll(async () => {
  const build = spawnSync(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--log-level', 'error'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(build.stderr).toBe('');
  expect(build.status).toBe(0);
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  for (const part of ['bin', 'demo', 'dist', 'package.json']) {
    cpSync(join(PACKAGE, part), join(folder, 'server', part), { recursive: true });
  }
  symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'server/node_modules'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  service = spawn(process.execPath, [join(folder, 'server/bin/galley.js'), 'serve', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  [url, token] = await readWelcome(service);
}, 120_000);

afterAll(async () => {
  if (service?.exitCode === null) {
    service.kill();
    await once(service, 'exit');
  }
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** The address and the demo's key, once the service listens. */
async function readWelcome({ stdout }: ChildProcess): Promise<[url: string, token: string]> {
  if (stdout === null) throw new Error('The output is not piped');
  let shown = '';
  for await (const line of createInterface({ input: stdout })) {
    shown += `${line}\n`;
    if (!line.includes('"listening"')) continue;
    stdout.resume();
    return [/http:\/\/[\d.:]+/.exec(shown)?.[0] ?? '', /gk_[\w-]+/.exec(shown)?.[0] ?? ''];
  }
  throw new Error(`The service did not start:\n${shown}`);
}

test('serves the demo content that it brings along', async () => {
  const response = await fetch(`${url}/api/v1/content/c_page_privacy`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_demo' },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 'c_page_privacy' });
});

test.each(['/docs', '/docs/explorer.js', '/docs/explorer.css', '/docs/swagger-ui-bundle.js', '/openapi.json'])(
  'finds %s',
  async (path) => {
    expect((await fetch(`${url}${path}`)).status).toBe(200);
  },
);

test('has a command line that knows its version', () => {
  const run = spawnSync(process.execPath, [join(folder, 'server/bin/galley.js'), '--version'], { encoding: 'utf8' });
  expect(run.stdout).toMatch(/^\d+\.\d+\.\d+/);
  expect(run.status).toBe(0);
});
