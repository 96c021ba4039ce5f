// Tests the container image without a container, by running the Dockerfile's own steps in a folder. The test reads from the Dockerfile
// which files to copy, which commands to run and which variables to set. It copies the production dependencies that are already
// installed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPackages } from '../../../../scripts/packing/pack-package.ts';
import { findText, listCopies, parseWords, readDockerfile, readVariables, type Stage } from '../support/dockerfile.ts';
import { listProductionPackages } from '../support/production-packages.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const STAGES = readDockerfile(ROOT);
const BUILD = findStage('build');
const IMAGE = findStage('');

let folder: string;
/** The image's root folder. */
let root: string;
let service: ChildProcess;
let url: string;
let token: string;
let filesAtStart: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'image-'));
  root = join(folder, 'image');
  buildSources(join(folder, 'build'));
  fillImage(join(folder, 'build'));
  setModes(join(root, 'app'), { folder: 0o555, file: 0o444 });
  mkdirSync(join(root, 'data'));
  mkdirSync(join(root, 'tmp'));
  filesAtStart = listFiles(root);
  service = spawn(process.execPath, [...listProgram(), ...parseWords(findText(IMAGE, 'CMD')), '--port', '0'], {
    cwd: join(root, findText(IMAGE, 'WORKDIR')),
    env: listEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  [url, token] = await readWelcome(service);
});

afterAll(async () => {
  if (service !== undefined && service.exitCode === null && service.signalCode === null) {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
  setModes(join(root, 'app'), { folder: 0o755, file: 0o644 });
  rmSync(folder, { recursive: true });
});

function findStage(name: string): Stage {
  const stage = STAGES.find((each) => each.name === name);
  if (stage === undefined) throw new Error(`The Dockerfile has no stage "${name}"`);
  return stage;
}

/** `npm ci` has already run here for the tests. */
function buildSources(target: string): void {
  for (const { sources, target: place } of listCopies(BUILD)) {
    for (const source of sources) {
      const isFolder = place === './';
      cpSync(join(ROOT, source), isFolder ? join(target, basename(source)) : join(target, place), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist|test)$|\.test\.ts$/.test(path),
      });
    }
  }
  linkPackages(target);
  const build = spawnSync('npm', ['run', 'build', '--', '--log-level', 'error'], { cwd: target, encoding: 'utf8' });
  expect(build.status, build.stderr).toBe(0);
}

function fillImage(build: string): void {
  for (const { from, sources, target } of listCopies(IMAGE)) {
    const [source = ''] = sources.map((path) => path.replace('/src/', ''));
    if (from === 'build') {
      cpSync(join(build, source), join(root, target), { recursive: true });
      continue;
    }
    for (const place of listProductionPackages(ROOT, 'packages/server')) {
      if (!place.startsWith(`${source}/`) || !existsSync(join(ROOT, place))) continue;
      const isOwn = (path: string): boolean => !relative(join(ROOT, place), path).split('/').includes('node_modules');
      cpSync(join(ROOT, place), join(root, target, relative(source, place)), { recursive: true, filter: isOwn });
    }
  }
}

/** Simulates a read-only root file system. The root user can still write to it, so the last test checks for changed files. */
function setModes(path: string, modes: { readonly folder: number; readonly file: number }): void {
  for (const name of ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]) {
    const place = join(path, name);
    chmodSync(place, statSync(place).isDirectory() ? modes.folder : modes.file);
  }
}

function listFiles(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(data|tmp)(\/|$)/.test(name))
    .map((name) => `${name} ${statSync(join(path, name)).mtimeMs}`)
    .sort();
}

function listProgram(): readonly string[] {
  const [program, ...paths] = parseWords(findText(IMAGE, 'ENTRYPOINT'));
  expect(program).toBe('node');
  return paths.map((path) => join(root, path));
}

function listEnvironment(): NodeJS.ProcessEnv {
  return { ...readVariables(IMAGE), TMPDIR: join(root, 'tmp') };
}

/** The URL and the demo API key, once the service is listening. */
async function readWelcome({ stdout }: ChildProcess): Promise<[url: string, token: string]> {
  if (stdout === null) throw new Error('The output is not piped');
  let shown = '';
  for await (const line of createInterface({ input: stdout })) {
    shown += `${line}\n`;
    if (!line.includes('"listening"')) continue;
    stdout.resume();
    const port = /:(\d+)"/.exec(line)?.[1];
    return [`http://127.0.0.1:${port}`, /gk_[\w-]+/.exec(shown)?.[0] ?? ''];
  }
  throw new Error(`The service did not start:\n${shown}`);
}

/** Runs the image's own health check with the image's settings and these additional ones. */
async function checkHealth(settings: Readonly<Record<string, string>>): Promise<number> {
  const [program, ...words] = parseWords(findText(IMAGE, 'HEALTHCHECK'));
  expect(program).toBe('node');
  const check = spawn(
    process.execPath,
    words.map((word) => (word.startsWith('/') ? join(root, word) : word)),
    { cwd: join(root, findText(IMAGE, 'WORKDIR')), env: { ...listEnvironment(), ...settings } },
  );
  const [status] = await once(check, 'exit');
  return status;
}

test('the image serves its bundled demo content from the database in the volume', async () => {
  const response = await fetch(`${url}/api/v1/content/c_page_privacy`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_demo' },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 'c_page_privacy' });
  expect(readdirSync(join(root, 'data'))).toContain('galley.db');
});

test.each([
  '/admin',
  '/docs',
  '/docs/explorer.js',
  '/docs/explorer.css',
  '/docs/swagger-ui-bundle.js',
  '/openapi.json',
])('the image serves %s', async (path) => {
  expect((await fetch(`${url}${path}`)).status).toBe(200);
});

test('the image has a CLI that prints its version', () => {
  const run = spawnSync(process.execPath, [...listProgram(), '--version'], {
    cwd: root,
    env: listEnvironment(),
    encoding: 'utf8',
  });
  expect(run.stdout).toMatch(/^\d+\.\d+\.\d+/);
  expect(run.status).toBe(0);
});

test('the image contains no source files or build tools', () => {
  const files = listFiles(join(root, 'app'));
  expect(files.filter((name) => /^packages\/server\/(src|test)/.test(name))).toEqual([]);
  expect(files.filter((name) => /^node_modules\/(typescript|vitest|node)\//.test(name))).toEqual([]);
  expect(files.some((name) => name.startsWith('node_modules/pg/'))).toBe(true);
});

test('the image runs under a numeric user ID and without a shell', () => {
  expect(findText(IMAGE, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(findText(IMAGE, 'ENTRYPOINT')).toMatch(/^\[/);
  expect(findText(IMAGE, 'CMD')).toMatch(/^\[/);
});

test('the container is healthy while it serves on any port, stops on SIGTERM, and writes only to the volume and the temporary folder', async () => {
  const { port } = new URL(url);
  // The check allows four seconds, which may not be enough on a busy machine.
  await expect.poll(() => checkHealth({ PORT: port })).toBe(0);
  await expect.poll(() => checkHealth({ PORT: '1', GALLEY_PORT: port })).toBe(0);
  expect(await checkHealth({ PORT: '1' })).toBe(1);
  service.kill('SIGTERM');
  const [status] = await once(service, 'exit');
  expect(status).toBe(0);
  expect(await checkHealth({ PORT: port })).toBe(1);
  expect(listFiles(root)).toEqual(filesAtStart);
});
