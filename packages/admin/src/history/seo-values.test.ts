import { expect, test } from 'vitest';
import { buildSeo, findSeoField, readSeo } from './seo-values.ts';

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

test('what the form is given comes back as it was', () => {
  expect(buildSeo(readSeo(SEO))).toEqual(SEO);
});

test.each([
  ['seo.title', 'title'],
  ['seo.open_graph.image_width', 'og_image_width'],
  ['version', undefined],
])('%s belongs to the field %s', (path, field) => {
  expect(findSeoField(path)).toBe(field);
});
