import { expect, test } from 'vitest';
import { buildSeo, buildSeoPath, readSeo } from './seo-values.ts';

const SEO = {
  title: 'Title',
  description: null,
  robots: 'noindex',
  canonical_url: null,
  open_graph: {
    title: null,
    description: 'Text',
    image_secure_url: 'https://example.com/a.png',
    image_alt: null,
    image_width: 800,
    image_height: null,
    url: null,
  },
};

test('converts values to the form and back unchanged', () => {
  expect(buildSeo(readSeo(SEO))).toEqual(SEO);
});

test.each([
  ['title', 'seo.title'],
  ['og_image_width', 'seo.open_graph.image_width'],
] as const)('maps %s to the API path %s', (field, path) => {
  expect(buildSeoPath(field)).toBe(path);
});
