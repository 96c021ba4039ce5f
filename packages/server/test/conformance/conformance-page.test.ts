// docs/conformance.md and the tests that it names are held against each other.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = 'test/conformance';

const page = readFileSync(fromRoot('../../docs/conformance.md'), 'utf8');

/** @param path from the server's package */
function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** The tests that the page names, each as `file › name`. */
function listNamedTests(): readonly NamedTest[] {
  return [...page.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', name = '']) => ({
    file: file.includes('/') ? file : `${FOLDER}/${file}`,
    name,
  }));
}

/** The names of a file's tests, as they stand in its source. */
function listTestNames(file: string): readonly string[] {
  const source = readFileSync(fromRoot(file), 'utf8');
  const named = [...source.matchAll(/^\s*test\(\s*(['`])((?:\\.|(?!\1).)+)\1/gm)];
  const calls = source.match(/^\s*test\b/gm) ?? [];
  if (file.startsWith(FOLDER)) expect(calls.length, `${file} has tests whose names cannot be read`).toBe(named.length);
  return named.map(([, , name = '']) => name.replaceAll("\\'", "'"));
}

test('names only tests that exist', () => {
  const named = listNamedTests();
  expect(named.length).toBeGreaterThan(200);
  const missing = named.filter(({ file, name }) => !existsSync(fromRoot(file)) || !listTestNames(file).includes(name));
  expect(missing).toEqual([]);
});

test('names every conformance test', () => {
  const named = new Set(listNamedTests().map(({ file, name }) => `${file} › ${name}`));
  const files = readdirSync(fromRoot(FOLDER)).filter((file) => file.endsWith('.test.ts'));
  const unnamed = files
    .flatMap((file) => listTestNames(`${FOLDER}/${file}`).map((name) => `${FOLDER}/${file} › ${name}`))
    .filter((each) => !named.has(each));
  expect(unnamed).toEqual([]);
});

test('says of every statement which test proves it, or what is missing', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
  expect(rows.length).toBeGreaterThan(100);
  const unproved = rows.filter((row) => !/\| (`[^`]+ › [^`]+`|later: \S).*\|$/.test(row));
  expect(unproved).toEqual([]);
});
