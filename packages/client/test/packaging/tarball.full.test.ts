// The files in the published package.

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientProject, installClient } from './install-client.ts';

const ROOT = join(import.meta.dirname, '../../../..');

let project: ClientProject;

beforeAll(async () => {
  project = await installClient();
});

afterAll(() => project[Symbol.asyncDispose]());

function read(path: string): Promise<string> {
  return readFile(join(project.package, path), 'utf8');
}

test('contains the library and its change methods for both module systems, with types and source maps', async () => {
  const entries = await readdir(project.package, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.map((file) => file.slice(project.package.length + 1)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist/change-methods.cjs',
    'dist/change-methods.cjs.map',
    'dist/change-methods.js',
    'dist/change-methods.js.map',
    'dist/index.cjs',
    'dist/index.cjs.map',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/index.js.map',
    'package.json',
  ]);
});

test('has no dependencies', async () => {
  const manifest = JSON.parse(await read('package.json'));
  const needs = Object.keys(manifest).filter((name) => /dependencies$/i.test(name));
  // Build dependencies do not matter to users of the package.
  expect(needs).toEqual(['devDependencies']);
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20' } });
});

test.each([
  ['index.js', ['import("./change-methods.js")']],
  ['index.cjs', ['import("./change-methods.cjs")']],
  ['change-methods.js', []],
  ['change-methods.cjs', []],
  ['index.d.ts', []],
  ['index.d.cts', []],
])('%s imports only %j', async (name, imports) => {
  const text = await read(`dist/${name}`);
  expect(text).not.toMatch(/^\s*(import|export)\b[^;]*\bfrom\b/m);
  expect(text.match(/\b(import|require)\([^)]*\)/g) ?? []).toEqual(imports);
});

test.each(['index.js', 'index.cjs'])('the source map of %s contains the sources it refers to', async (name) => {
  const map = JSON.parse(await read(`dist/${name}.map`));
  expect(map.sources).toContain('../src/create-client.ts');
  expect(map.sourcesContent).toHaveLength(map.sources.length);
  const position = map.sources.indexOf('../src/create-client.ts');
  expect(map.sourcesContent[position]).toBe(readFileSync(join(ROOT, 'packages/client/src/create-client.ts'), 'utf8'));
});

test.each(['index.d.ts', 'index.d.cts'])('%s does not refer to a missing source map', async (name) => {
  expect(await read(`dist/${name}`)).not.toContain('sourceMappingURL');
});

test('both modules export the same names', async () => {
  const esm = await import(join(project.package, 'dist/index.js'));
  const cjs = await import(join(project.package, 'dist/index.cjs'));
  const isOwn = (name: string) => !['default', '__esModule', 'module.exports'].includes(name);
  expect(Object.keys(esm).toSorted()).toContain('createClient');
  expect(Object.keys(cjs).filter(isOwn).toSorted()).toEqual(Object.keys(esm).toSorted());
});

test('every export has a doc comment', async () => {
  const declarations = await read('dist/index.d.ts');
  const named = [...declarations.matchAll(/(\*\/\n)?^(?:declare )?(?:interface|type|class|function|const) (\w+)/gm)];
  const exported = declarations.slice(declarations.lastIndexOf('export {'));
  const bare = named.filter(([, comment, name]) => comment === undefined && new RegExp(`\\b${name}\\b`).test(exported));
  expect(named.length).toBeGreaterThan(30);
  expect(bare.map(([, , name]) => name)).toEqual([]);
});

test('the links in its README work outside the repository', async () => {
  const links = [...(await read('README.md')).matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
  expect(links).toEqual(['LICENSE']);
});

test("its licence is the project's licence", async () => {
  expect(await read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
});
