// The packed server and client, installed into an empty folder and used as described in the package's README.

import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintLayout } from '../../../../scripts/packing/pack-package.ts';
import {
  type RunningProgram,
  runProgram,
  runWithSuccess,
  startProgram,
} from '../../../../scripts/testing/running-program.ts';
import { compileProject } from '../../../client/test/packaging/compile-project.ts';
import { findOldestNode } from '../../../client/test/packaging/find-node.ts';
import { useSharedResource } from '../support/shared-resources.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const tarballs = await useSharedResource('packages');

let folder: string;
let installed: string;
let service: RunningProgram;
let url: string;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installed-'));
  installed = join(folder, 'node_modules/@galley/server');
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarballs.server, tarballs.client];
  await runWithSuccess(install, { cwd: folder });
  service = startProgram(['npx', '--no', 'galley', 'serve', '--port', '0'], { cwd: folder });
  url = (await service.waitFor(/"address":"(http[^"]+)","msg":"listening"/))[1] ?? '';
  key = (await service.waitFor(/API key +(gk_[\w-]+)/))[1] ?? '';
});

afterAll(() => service?.[Symbol.asyncDispose]());

const run = (...args: readonly string[]) =>
  runProgram([join(folder, 'node_modules/.bin/galley'), ...args], { cwd: folder });

function readContent(path: string, siteId = 's_demo', token = key): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'x-service-site': siteId };
  return fetch(`${url}/api/v1/content${path}`, { headers });
}

test('the package contains the program, the panel, the explorer, the demo and its documentation, and nothing else', async () => {
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const expected =
    /^(LICENSE|README\.md|package\.json|bin\/galley\.js|demo\/magazine\.ndjson|demo\/files\/[\w-]+\.(jpg|png)|dist\/.+\.js|dist\/.+\.d\.ts|dist\/explorer\/page\/[\w-]+\.(html|css|svg)|panel\/(index\.html|icon\.svg|color-scheme\.js|assets\/[^/]+\.(js|css|woff2))(\.br|\.gz)?)$/;
  expect(files.filter((file) => !expected.test(file) || /\.(test|fixture)\./.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/galley.js',
      'demo/magazine.ndjson',
      'demo/files/hand-press.jpg',
      // These files are started by path, so a bundler does not find them through imports.
      'dist/large-work/cleaning-thread.js',
      'dist/large-work/large-work-thread.js',
      'dist/storage/sqlite/reader-thread.js',
      'dist/cli.js',
      'dist/explorer/page/images.html',
      'dist/index.d.ts',
      'dist/index.js',
      'panel/index.html',
    ]),
  );
});

test('the panel contains the production version of React, although the tests set a different NODE_ENV for the build', async () => {
  const assets = join(installed, 'panel/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  // Only the development version has a function with this name.
  const slow = scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes('react_stack_bottom_frame'));
  expect(slow).toEqual([]);
});

test('no file refers to a missing source map', async () => {
  const names = await readdir(join(installed, 'dist'), { recursive: true });
  const code = names.filter((name) => /\.(js|d\.ts)$/.test(name));
  expect(code.length).toBeGreaterThan(300);
  const mapped = code.filter((name) =>
    readFileSync(join(installed, 'dist', name), 'utf8').includes('sourceMappingURL='),
  );
  expect(mapped).toEqual([]);
});

test('the package depends only on published packages', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@galley/'))).toEqual([]);
  expect(manifest).toMatchObject({
    name: '@galley/server',
    bin: { galley: './bin/galley.js' },
    engines: { node: '>=24' },
    license: 'MIT',
    publishConfig: { access: 'public' },
  });
  expect(manifest.private).toBeUndefined();
});

test.each(['server', 'client', 'create-galley'] as const)('the package layout of %s has no problems', async (name) => {
  expect(await lintLayout(tarballs[name])).toEqual([]);
});

test('all packages have the same version as the server', async () => {
  const versions = ['server', 'client', 'create-galley'].map(
    (name) => JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).version,
  );
  expect(new Set(versions).size).toBe(1);
});

test("the package has the project's license, and the links in its README work outside the repository", async () => {
  expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  const links = [...(await readFile(join(installed, 'README.md'), 'utf8')).matchAll(/\]\(([^)#]+)/g)];
  expect(links.map(([, link]) => link)).toEqual(['LICENSE']);
});

test('the package includes its own types', async () => {
  await writeFile(
    join(folder, 'embed.ts'),
    `import { openStorage, type RunningService, startService } from '@galley/server';
     export const parts: [typeof openStorage, typeof startService] = [openStorage, startService];
     export function readUrl(service: RunningService): string { return service.url; }
     // @ts-expect-error: readUrl is a function, not a number
     export const wrong: number = readUrl;\n`,
  );
  const options = { files: ['embed.ts'], surroundings: 'node', moduleResolution: 'nodenext' } as const;
  expect(await compileProject(folder, options)).toBe('');
});

test('the server serves the demo with the printed key', async () => {
  const answer = await readContent('/c_page_privacy');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: 'c_page_privacy', name: 'Privacy' });
});

test.each(['/docs', '/admin/'])('the server serves %s with every file the page loads', async (path) => {
  const page = await fetch(`${url}${path}`);
  expect(page.status).toBe(200);
  const links = [...(await page.text()).matchAll(/(?:src|href)="(?!data:|#|https?:)([^"]+)"/g)].map(([, link]) => link);
  expect(links.filter((link) => /\.js$/.test(link ?? '')).length).toBeGreaterThan(0);
  for (const link of links) {
    const { status } = await fetch(new URL(link ?? '', page.url));
    expect(`${link} ${status}`).toBe(`${link} 200`);
  }
});

test('the program imports a bundle while the server runs, and creates a key that can read it', async () => {
  const bundle = [
    { kind: 'site', id: 's_small', name: 'Small', default_language: 'en', languages: ['en'] },
    { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada' },
    {
      kind: 'content_type',
      id: 't_note',
      site: 's_small',
      handle: 'note',
      name: 'Note',
      object_type: 'page',
      uri_pattern: 'notes/{slug}',
      fields: [{ handle: 'text', name: 'Text', type: 'text' }],
    },
    {
      kind: 'content',
      id: 'c_note',
      site: 's_small',
      content_type: 'note',
      author: 'u_ada',
      language: 'en',
      slug: 'hello',
      name: 'Hello',
      status: 'published',
      fields: { text: { text: 'Hello there' } },
    },
  ];
  await writeFile(join(folder, 'small.ndjson'), bundle.map((record) => `${JSON.stringify(record)}\n`).join(''));
  expect(await run('import', 'small.ndjson')).toMatchObject({ status: 0 });
  const { token } = JSON.parse((await run('key', 'create', '--site', 's_small', '--json')).stdout);
  expect(await (await readContent('/c_note', 's_small', token)).json()).toMatchObject({ uri: 'notes/hello' });
});

test('the program writes types for the client, and a script that uses the client reads the demo', async () => {
  expect(await run('types', '--site', 's_demo', '--out', 'content-types.ts')).toMatchObject({ status: 0 });
  const read = (field: string) => `
    import { createClient } from '@galley/client';
    import type { Site } from './content-types.ts';
    const client = createClient<Site>({ apiURL: '${url}/api/v1', apiKey: '${key}', siteId: 's_demo' });
    const article = await client.getContentBySlug('the-weight-of-a-page', 'article');
    console.log(article.fields.${field});\n`;
  await writeFile(join(folder, 'read.ts'), read('reading_time.number'));
  await writeFile(join(folder, 'misread.ts'), read('reading_tiem.number'));
  const options = { surroundings: 'node', moduleResolution: 'nodenext' } as const;
  const messages = await compileProject(folder, { ...options, files: ['read.ts', 'misread.ts'] });
  expect(messages.match(/^\S+(?=\(\d+,\d+\): error)/gm)).toEqual(['misread.ts']);
  expect(messages).toContain('reading_tiem');
  expect(await runWithSuccess([process.execPath, 'read.ts'], { cwd: folder })).toBe('3.5\n');
});

test('the program tells users of an old Node.js release to upgrade', async () => {
  const { path, version } = findOldestNode();
  // If no older release is installed, the current one pretends to be old.
  const isOld = Number(version.split('.')[0]) < 24;
  const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.1.0" } })';
  const program = join(folder, 'node_modules/.bin/galley');
  const words = isOld ? [path, program] : [path, '--import', `data:text/javascript,${pretend}`, program];
  expect(await runProgram([...words, 'serve'], { cwd: folder })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      `Galley needs Node.js 24 or newer, and this is Node.js ${isOld ? version : '22.1.0'}.\n` +
      'Install Node.js 24, or run `npm i node@24` here: npm scripts and `npx --no galley` will then use it.\n',
  });
});

test('the server stops on request', async () => {
  expect(await service.stop()).toMatchObject({ stdout: expect.stringContaining('"msg":"stopped"') });
});
