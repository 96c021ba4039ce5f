// A bundler takes only the functions that a page uses: pages that read content have no image code, and the other way round.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../../../../scripts/packing/bundle-page.ts';
import { type ClientProject, installClient } from './install-client.ts';

/** Text that only this part of the library contains, and that no minifier changes. */
const MARKS = { core: 'GalleyError', urls: 'is not an image parameter', srcSets: 'ratio must be', signatures: 'HMAC' };

let project: ClientProject;

beforeAll(async () => {
  project = await installClient();
});

afterAll(() => project[Symbol.asyncDispose]());

/** The parts of the library in the bundle of a page that uses the given exports. */
async function listParts(...names: string[]): Promise<readonly string[]> {
  const { code } = await bundlePage(project.path, names);
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
])('a page that uses %j contains %j', async (names, parts) => {
  expect(await listParts(...names)).toEqual(parts);
});

test('a page without image functions does not grow by them', async () => {
  const { minified } = await bundlePage(project.path, ['createClient']);
  const { minified: both } = await bundlePage(project.path, ['createClient', 'imageUrl']);
  const { minified: images } = await bundlePage(project.path, ['imageUrl']);
  // Together they are as large as both alone, apart from the start of the file, so they share nothing.
  expect(Math.abs(minified + images - both)).toBeLessThan(100);
});
