import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildPath } from '../../../examples/magazine-shared/src/lib/build-path.ts';
import { createProject, derivePackageName, type ProjectRequest, readVersion } from './create-project.ts';
import { TEMPLATES } from './parse-arguments.ts';

let workshop: string;

beforeEach(async () => {
  workshop = await mkdtemp(join(tmpdir(), 'create-'));
});

function create(request: Partial<ProjectRequest> = {}) {
  const folder = join(workshop, 'site');
  return createProject({ folder, template: 'none', packages: undefined, nodeVersion: '24.0.0', ...request });
}

const read = async (path: string) => JSON.parse(await readFile(join(workshop, 'site', path), 'utf8'));

async function makeTarballs(...names: readonly string[]): Promise<string> {
  const folder = join(workshop, 'tarballs');
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, `galley-${name}-${readVersion()}.tgz`), name);
  return folder;
}

test('installs from npm by default', async () => {
  await create({ template: 'next' });
  expect(await read('package.json')).toMatchObject({ dependencies: { '@galley/server': `^${readVersion()}` } });
  expect(await read('web/package.json')).toMatchObject({ dependencies: { '@galley/client': `^${readVersion()}` } });
});

test('copies tarballs into the project, so the project can be moved', async () => {
  await create({ template: 'astro', packages: await makeTarballs('server', 'client', 'preview') });
  const server = `vendor/galley-server-${readVersion()}.tgz`;
  const client = `vendor/galley-client-${readVersion()}.tgz`;
  expect(await read('package.json')).toMatchObject({ dependencies: { '@galley/server': `file:${server}` } });
  expect(await read('web/package.json')).toMatchObject({ dependencies: { '@galley/client': `file:../${client}` } });
  expect(await readFile(join(workshop, 'site', client), 'utf8')).toBe('client');
});

test.each(TEMPLATES)('leaves no placeholder in the %s template', async (template) => {
  await create({ template, packages: await makeTarballs('server', 'client', 'preview') });
  const folder = join(workshop, 'site');
  for (const path of await readdir(folder, { recursive: true })) {
    const text = await readFile(join(folder, path), 'utf8').catch(() => '');
    expect(text.match(/\{\{[#\w]+\}\}/), path).toBeNull();
  }
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['.dockerignore', '.env', '.gitignore', 'Dockerfile', 'README.md', 'package.json']),
  );
});

test.each([
  ['20.9.0', { node: '^24.0.0' }],
  ['24.0.0', undefined],
  ['26.1.0', undefined],
])('a project created on Node.js %s has the development dependencies %j', async (nodeVersion, brought) => {
  expect(await create({ nodeVersion })).toEqual({ bringsNode: brought !== undefined });
  expect((await read('package.json')).devDependencies).toEqual(brought);
});

test.each([
  ['my-site', 'my-site'],
  ['My Site', 'my-site'],
  ['Café Zoë', 'cafe-zoe'],
  ['.hidden_', 'hidden'],
  ['@scope/name', 'scope-name'],
  ['日本', 'my-site'],
  ['node_modules', 'my-site'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('a project in the folder %j gets the package name %j', (folder, name) => {
  expect(derivePackageName(folder)).toBe(name);
});

describe('the new folder', () => {
  test('is refused if it is not empty, and stays unchanged', async () => {
    await mkdir(join(workshop, 'site'));
    await writeFile(join(workshop, 'site/notes.txt'), 'mine');
    await expect(create()).rejects.toThrow(/site is not empty: it contains notes\.txt\. Choose a different folder\.$/);
    expect(await readdir(join(workshop, 'site'))).toEqual(['notes.txt']);
  });

  test('is refused if it is a file or inside one', async () => {
    await writeFile(join(workshop, 'site'), 'mine');
    await expect(create()).rejects.toThrow(/site is a file or is inside one/);
    await expect(create({ folder: join(workshop, 'site/below') })).rejects.toThrow(/is a file or is inside one/);
  });

  test('is not created if tarballs are missing', async () => {
    const packages = await makeTarballs('server');
    await expect(create({ template: 'next', packages })).rejects.toThrow(/galley-client-.*\.tgz does not exist/);
    expect(await readdir(workshop)).toEqual(['tarballs']);
  });
});

test('can be an empty folder or an empty repository', async () => {
  await mkdir(join(workshop, 'site/.git'), { recursive: true });
  await create();
  expect(await readdir(join(workshop, 'site'))).toContain('package.json');
});

describe('after a failure halfway through', () => {
  /** A path so long that some of the project's files can be written there, but deeply nested ones cannot. */
  function buildLongPath(): string {
    const room = 4070 - workshop.length;
    return join(
      workshop,
      ...Array.from({ length: Math.floor(room / 200) }, () => 'x'.repeat(199)),
      'y'.repeat(room % 200),
    );
  }

  test('removes the folders it created', async () => {
    await expect(create({ folder: buildLongPath(), template: 'next' })).rejects.toThrow(/cannot be written/);
    expect(await readdir(workshop)).toEqual([]);
  });

  test('does not change an existing folder', async () => {
    const folder = buildLongPath();
    await mkdir(join(folder, '.git'), { recursive: true });
    await expect(create({ folder, template: 'next' })).rejects.toThrow(/cannot be written/);
    expect(await readdir(folder)).toEqual(['.git']);
  });
});

// The front ends link to the path returned by this function.
test.each([
  ['', '/'],
  ['articles/glue', '/articles/glue'],
  ['//evil.example/x', '/evil.example/x'],
  ['/\\evil.example', '/%5Cevil.example'],
  ['a b/ü?x#y', '/a%20b/%C3%BC%3Fx%23y'],
  ['https://evil.example', '/https%3A/evil.example'],
])('the page with the URI %j is at %j', (uri, path) => {
  expect(buildPath(uri)).toBe(path);
});
