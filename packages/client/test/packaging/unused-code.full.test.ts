// A bundler includes only the functions that a page uses: pages that only read content contain no image code, and do not load the code that
// follows changes until it is needed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../../../../scripts/packing/bundle-page.ts';
import { type ClientProject, installClient } from './install-client.ts';

/** Text that only this part of the library contains, and that no minifier changes. */
const MARKS = {
  core: 'GalleyError',
  changes: 'text/event-stream',
  urls: 'is not an image parameter',
  srcSets: 'ratio must be',
  signatures: 'HMAC',
};

let project: ClientProject;

beforeAll(async () => {
  project = await installClient();
});

afterAll(() => project[Symbol.asyncDispose]());

/** The parts of the library that a page loads up front if it uses the given exports. */
async function listParts(...names: string[]): Promise<readonly string[]> {
  const { code } = (await bundlePage(project.path, { '@galley/client': names })).start;
  return Object.entries(MARKS).flatMap(([part, mark]) => (code.includes(mark) ? [part] : []));
}

test.each([
  [['createClient'], ['core']],
  [['imageUrl'], ['urls']],
  [['imageSrcSet'], ['urls', 'srcSets']],
  [['signImageUrl'], ['signatures']],
  [
    ['createClient', 'imageUrl', 'imageSrcSet', 'signImageUrl'],
    ['core', 'urls', 'srcSets', 'signatures'],
  ],
])('a page that uses %j initially loads only %j', async (names, parts) => {
  expect(await listParts(...names)).toEqual(parts);
});

test('a client does not load the code for following changes until it is needed', async () => {
  const { later } = await bundlePage(project.path, { '@galley/client': ['createClient'] });
  expect(later.code).toContain(MARKS.changes);
});

test('image functions add nothing to pages that do not use them', async () => {
  const { minified } = (await bundlePage(project.path, { '@galley/client': ['createClient'] })).start;
  const { minified: both } = (await bundlePage(project.path, { '@galley/client': ['createClient', 'imageUrl'] })).start;
  const { minified: images } = (await bundlePage(project.path, { '@galley/client': ['imageUrl'] })).start;
  // Apart from the start of the file, the page with both functions is as large as the other two together: they share no code.
  expect(Math.abs(minified + images - both)).toBeLessThan(100);
});
