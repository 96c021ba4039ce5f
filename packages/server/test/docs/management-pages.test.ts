// Checks the pages about the management API: the index links to each of them, and they mention only existing calls.

import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { RESUMABLE_ROUTES } from '../../src/management/routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';

const FOLDER = new URL('../../../../docs/management/', import.meta.url);
const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));

test('docs/management/README.md links to every page', async () => {
  const overview = await readFile(new URL('README.md', FOLDER), 'utf8');
  const forgotten = pages.filter((name) => name !== 'README.md' && !overview.includes(`](${name})`));
  expect(forgotten).toEqual([]);
});

test.each(pages)('docs/management/%s mentions only calls that exist', async (name) => {
  const text = await readFile(new URL(name, FOLDER), 'utf8');
  const calls = [...text.matchAll(/`(GET|HEAD|POST|PUT|PATCH|DELETE) (?:\/manage\/v1)?(\/[^\s`?]*)/g)];
  // A page may omit the common prefix of its calls.
  const isKnown = (method: string, end: string): boolean =>
    [...MANAGEMENT_ROUTES, ...RESUMABLE_ROUTES].some((route) => route.method === method && route.path.endsWith(end));
  const unknown = calls.filter(([, method = '', path = '']) => !isKnown(method, path.replace(/\/$/, '')));
  expect(unknown.map(([call]) => call)).toEqual([]);
});
