import type { ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { describeFault, namePart, sayFault } from './say-fault.ts';

test.each([
  ['is required and has no value', 'Title is empty.'],
  ['must be 1 to 255 characters that are not all blank, got ""', 'Title is empty.'],
  ['must be 1 to 255 characters that are not all blank, got " "', 'Title is empty.'],
  ['is taken by content c_1, of the same type and language', 'Other content of this type already uses this slug.'],
  ['must have at most 80 characters, has 81', 'Must have at most 80 characters, has 81.'],
])('%s: %s', (message, text) => {
  expect(sayFault(message, 'Title')).toBe(text);
});

test.each([
  ['name', 'is required and has no value', 'Name is empty.'],
  ['fields.lead', 'is too long', 'lead: is too long'],
  ['seo.canonical_url', 'is no address', 'SEO: canonical_url is no address'],
  ['fields.parts.blocks[0].fields.words', 'is required and has no value', 'parts: a required field is empty.'],
  ['', 'is too large', 'is too large'],
])('the fault at %j in a line: %s → %s', (path, message, text) => {
  expect(describeFault({ path, message }, undefined)).toBe(text);
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
])('names the part at %j %j', (path, name) => {
  expect(namePart(path, TYPE)).toBe(name);
});
