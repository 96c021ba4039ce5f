// Every relative link in the documentation points to an existing file and, if it has a fragment, to an existing heading.
// Git tracks only the screenshots that a page embeds.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'examples/**/*.md', 'packages/*/README.md'], {
  cwd: ROOT,
});

function readPage(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/^```.*?^```/gms, '');
}

/** The fragments that GitHub generates for a page's headings. */
function listFragments(path: string): readonly string[] {
  return [...readPage(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? page : resolve(dirname(page), path);
  return !existsSync(target) || (fragment !== undefined && !listFragments(target).includes(fragment));
}

const links = PAGES.map((name) => join(ROOT, name)).flatMap((page) =>
  [...readPage(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
);

test('no page has a broken link', () => {
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});

test('.gitignore ignores all screenshots except those embedded in a page, of which there are at most 12', () => {
  const shown = new Set(
    links.map(({ page, link }) => relative(ROOT, resolve(dirname(page), link))).filter((path) => path.endsWith('.png')),
  );
  const kept = [...readFileSync(join(ROOT, '.gitignore'), 'utf8').matchAll(/^!\/(.+\.png)$/gm)].map(([, path]) => path);
  expect(kept.toSorted()).toEqual([...shown].toSorted());
  expect(kept.length).toBeLessThanOrEqual(12);
});
