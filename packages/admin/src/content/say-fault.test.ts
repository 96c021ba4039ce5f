import type { ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { describeFault, namePart } from './say-fault.ts';

test.each([
  [{ path: 'name', message: 'is blank', code: 'required' }, 'Name is empty.'],
  [{ path: 'fields.lead', message: 'is too long' }, 'lead is too long.'],
  [{ path: 'seo.canonical_url', message: 'is no address' }, 'SEO: canonical_url is no address.'],
  [
    { path: 'seo.canonical_url', message: 'is no address', code: 'url_invalid' },
    'SEO: canonical_url: Enter a URL that starts with https://.',
  ],
  [
    { path: 'slug', message: 'is taken', code: 'taken', values: { name: 'The lost anchor' } },
    'Slug: “The lost anchor” already uses this slug.',
  ],
  [{ path: 'fields.parts.blocks[0].fields.words', message: 'is blank', code: 'required' }, 'parts: a field is empty.'],
  [{ path: '', message: 'is too large' }, 'Is too large.'],
] as const)('describes %j as %s', (fault, text) => {
  expect(describeFault(fault, undefined)).toBe(text);
});

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
])('names the part at %j: %j', (path, name) => {
  expect(namePart(path, TYPE)).toBe(name);
});
