// docs/conformance.md lists the test files that check each statement about the delivery API.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = 'test/conformance';

/** @param path relative to the server package */
function fromPackage(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The files in the last column of a row, as paths relative to the server package. */
function listFiles(row: string): readonly string[] {
  const cell = row.split(' | ').at(-1) ?? '';
  return [...cell.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => (file.includes('/') ? file : `${FOLDER}/${file}`));
}

const page = readFileSync(fromPackage('../../docs/conformance.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
const named = new Set(rows.flatMap(listFiles));

test('the page lists at least one test file for every statement', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => listFiles(row).length === 0)).toEqual([]);
});

test('the page lists only files that exist', () => {
  expect([...named].filter((file) => !existsSync(fromPackage(file)))).toEqual([]);
});

test('the page lists every conformance test file', () => {
  const files = readdirSync(fromPackage(FOLDER)).filter((file) => file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !named.has(`${FOLDER}/${file}`))).toEqual([]);
});
