// The files in the published package, and the programs that load them.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installLibrary, type LibraryProject } from '../../../../scripts/packing/install-library.ts';

const ROOT = join(import.meta.dirname, '../../../..');

let project: LibraryProject;

beforeAll(async () => {
  project = await installLibrary('preview');
  await symlink(join(ROOT, 'node_modules/react'), join(project.path, 'node_modules/react'));
});

afterAll(() => project[Symbol.asyncDispose]());

function read(path: string): Promise<string> {
  return readFile(join(project.package, path), 'utf8');
}

test('contains both entry points for both module systems, and the licences', async () => {
  const modules = ['connect-preview', 'index', 'react'].flatMap((name) => [
    `${name}.cjs`,
    `${name}.cjs.map`,
    `${name}.js`,
    `${name}.js.map`,
  ]);
  const types = ['index', 'preview-options', 'react'].flatMap((name) => [`${name}.d.cts`, `${name}.d.ts`]);
  expect((await readdir(join(project.package, 'dist'))).toSorted()).toEqual([...modules, ...types].toSorted());
  expect((await readdir(project.package)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES.md',
    'dist',
    'package.json',
  ]);
});

test('has no dependencies except React for the hook', async () => {
  const manifest = JSON.parse(await read('package.json'));
  const needs = Object.keys(manifest).filter((name) => /dependencies$/i.test(name));
  expect(needs).toEqual(['peerDependencies', 'devDependencies']);
  expect(manifest.peerDependenciesMeta).toEqual({ react: { optional: true } });
});

test.each(['connect-preview', 'index'])('%s imports no package', async (name) => {
  for (const file of [`dist/${name}.js`, `dist/${name}.cjs`]) {
    const imports = [...(await read(file)).matchAll(/(?:\bfrom\s*|\brequire\()"([^"]+)"/g)].map(([, from]) => from);
    expect(imports.filter((from) => !from?.startsWith('./'))).toEqual([]);
  }
});

test.each(['react.js', 'react.cjs'])('%s is a client module for React Server Components', async (name) => {
  expect(await read(`dist/${name}`)).toMatch(/^["']use client["'];/);
});

test('includes the licence of the bundled decoder', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/@vercel/stega/package.json'), 'utf8'));
  const licences = await read('THIRD-PARTY-LICENSES.md');
  expect(licences).toContain(readFileSync(join(ROOT, 'node_modules/@vercel/stega/LICENSE'), 'utf8'));
  expect(licences).toContain(version);
  expect(JSON.parse(await read('package.json')).license).toBe('MIT AND MPL-2.0');
});

test("its own licence is the project's licence", async () => {
  expect(await read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
});

test('every export has a doc comment', async () => {
  for (const name of ['index', 'preview-options', 'react']) {
    const declarations = await read(`dist/${name}.d.ts`);
    const named = [...declarations.matchAll(/(\*\/\n)?^(?:declare )?(?:interface|type|function|const) (\w+)/gm)];
    expect(named.filter(([, comment]) => comment === undefined).map(([, , bare]) => bare)).toEqual([]);
  }
});

test('the links in its README work outside the repository', async () => {
  const links = [...(await read('README.md')).matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
  expect(links).toEqual(['LICENSE', 'THIRD-PARTY-LICENSES.md']);
});

/** Servers load the library too, when they render a page. */
test.each([
  ['server.mjs', (from: string) => `import * as library from '${from}';`],
  ['server.cjs', (from: string) => `const library = require('${from}');`],
])('%s can load the library without a browser', async (file, load) => {
  for (const [from, names] of [
    ['@galley/preview', ['connectPreview', 'decodeMark', 'editAttributes', 'showToolbar', 'stegaClean']],
    ['@galley/preview/react', ['useLivePreview']],
  ] as const) {
    await project.write({
      [file]: `${load(from)}\nconsole.log(JSON.stringify(${JSON.stringify(names)}.map((name) => typeof library[name])));`,
    });
    const { stdout } = await promisify(execFile)(process.execPath, [join(project.path, file)]);
    expect(JSON.parse(stdout)).toEqual(names.map(() => 'function'));
  }
});
