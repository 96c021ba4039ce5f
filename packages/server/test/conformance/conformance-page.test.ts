// docs/conformance.md names the test files that check each statement about the delivery API.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = 'test/conformance';

/** @param path from the server's package */
function fromPackage(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The files in a row's last column, as paths from the server's package. */
function listFiles(row: string): readonly string[] {
  const cell = row.split(' | ').at(-1) ?? '';
  return [...cell.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => (file.includes('/') ? file : `${FOLDER}/${file}`));
}

const page = readFileSync(fromPackage('../../docs/conformance.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
const named = new Set(rows.flatMap(listFiles));

test('names at least one test file for every statement', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => listFiles(row).length === 0)).toEqual([]);
});

test('names only files that exist', () => {
  expect([...named].filter((file) => !existsSync(fromPackage(file)))).toEqual([]);
});

test('names every conformance test file', () => {
  const files = readdirSync(fromPackage(FOLDER)).filter((file) => file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !named.has(`${FOLDER}/${file}`))).toEqual([]);
});
