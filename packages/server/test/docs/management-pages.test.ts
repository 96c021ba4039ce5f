// The pages about the management API: the index links to each, and no link is broken.

import { access, readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';

const FOLDER = new URL('../../../../docs/management/', import.meta.url);
const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));

test('docs/management/README.md links to every page', async () => {
  const overview = await readFile(new URL('README.md', FOLDER), 'utf8');
  const forgotten = pages.filter((name) => name !== 'README.md' && !overview.includes(`](${name})`));
  expect(forgotten).toEqual([]);
});

describe.each(pages)('docs/management/%s', (name) => {
  test('has no broken links', async () => {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    for (const link of links) await access(new URL(link, FOLDER));
  });

  test('names only calls that the service has', async () => {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    const calls = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (?:\/manage\/v1)?(\/[^\s`?]*)/g)];
    // A page may leave out the common prefix of its calls.
    const isKnown = (method: string, end: string): boolean =>
      MANAGEMENT_ROUTES.some((route) => route.method === method && route.path.endsWith(end));
    const unknown = calls.filter(([, method = '', path = '']) => !isKnown(method, path.replace(/\/$/, '')));
    expect(unknown.map(([call]) => call)).toEqual([]);
  });
});
