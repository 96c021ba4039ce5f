import type { ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { namePart } from './name-part.ts';

const TYPE: ManagedTypeBody = {
  id: 't_1',
  handle: 'post',
  name: 'Post',
  object_type: 'page',
  uri_pattern: '{slug}',
  fields: [
    { id: 'f_1', handle: 'title', name: 'Headline', type: 'text', hidden: false, required: false, help_text: null },
  ],
};

test.each([
  ['fields.title.text', 'Headline'],
  ['fields.gone', 'gone'],
  ['fields', 'All fields together'],
  ['seo.title', 'SEO'],
  ['uri', 'URL'],
  ['other', 'other'],
])('the part at %j is called %j', (path, name) => {
  expect(namePart(path, TYPE)).toBe(name);
});
