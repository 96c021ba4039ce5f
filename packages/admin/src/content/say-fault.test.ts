import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { describeFailure, describeFault, namePart } from './say-fault.ts';

function buildField(handle: string, name: string, type: 'text' | 'blocks' = 'text'): ManagedFieldBody {
  return { id: `f_${handle}`, handle, name, type, hidden: false, required: false, help_text: null };
}

function buildType(handle: string, kind: 'page' | 'block', fields: readonly ManagedFieldBody[]): ManagedTypeBody {
  return { id: `t_${handle}`, handle, name: handle, object_type: kind, uri_pattern: '{slug}', fields };
}

const POST = buildType('post', 'page', [
  buildField('title', 'Headline'),
  buildField('words', 'Word count'),
  buildField('parts', 'Sections', 'blocks'),
]);
const TYPES = [
  POST,
  buildType('quote', 'block', [buildField('words', 'Quotation'), buildField('more', 'Details', 'blocks')]),
  {
    ...buildType('figure', 'block', [buildField('url', 'Link'), buildField('words', 'Caption')]),
    name: 'Figure with caption',
  },
  buildType('poem', 'block', [buildField('words', 'Quotation'), buildField('rhyme', 'Rhyme')]),
];

test.each([
  [{ path: 'name', message: 'is blank', code: 'required' }, 'Name is empty.'],
  [{ path: 'fields.title', message: 'is blank', code: 'required' }, 'Headline is empty.'],
  [
    { path: 'fields.title.text', message: 'is too long', code: 'too_long', values: { max: 3 } },
    'Headline can have at most 3 characters.',
  ],
  [{ path: 'fields.gone', message: 'is too long' }, 'gone is too long.'],
  [{ path: 'fields', message: 'must be smaller' }, 'All fields together must be smaller.'],
  [{ path: 'seo.canonical_url', message: 'is not a URL' }, 'SEO: Canonical URL is not a URL.'],
  [
    { path: 'seo.open_graph.url', message: 'is not a URL', code: 'url_invalid' },
    'SEO: Preview URL: Enter a URL that starts with https://.',
  ],
  [{ path: 'seo.new_member', message: 'is blank', code: 'required' }, 'SEO: New member is empty.'],
  [
    { path: 'slug', message: 'is taken', code: 'taken', values: { name: 'The lost anchor' } },
    'Slug: “The lost anchor” already uses this slug.',
  ],
  [
    { path: 'fields.parts.blocks[1].fields.rhyme', message: 'is blank', code: 'required' },
    'Sections, block 2: Rhyme is empty.',
  ],
  [
    { path: 'fields.parts.blocks[0].fields.words', message: 'is blank', code: 'required' },
    'Sections, block 1: Quotation / Caption is empty.',
  ],
  [
    { path: 'fields.parts.blocks[0].fields.more.blocks[2].fields.url.text', message: 'is wrong', code: 'url_invalid' },
    'Sections, block 1: Details, block 3: Link: Enter a URL that starts with https://.',
  ],
  [
    { path: 'fields.parts.blocks', message: 'has too many items', code: 'too_many', values: { max: 2 } },
    'Sections can have at most 2 items.',
  ],
  [
    {
      path: 'fields.parts.blocks[0].content_type',
      message: 'must be one of poem',
      code: 'not_allowed',
      values: { value: 'figure' },
    },
    'Sections does not allow “Figure with caption”.',
  ],
  [{ path: '', message: 'is too large' }, 'Is too large.'],
] as const)('describes %j as %s', (fault, text) => {
  expect(describeFault(fault, 'post', TYPES)).toBe(text);
});

test('describes a failed schedule by its errors, or in general terms if it has none', () => {
  const errors = ['title', 'words'].map((handle) => ({
    path: `fields.${handle}`,
    message: 'is required',
    code: 'required' as const,
  }));
  expect(describeFailure({ action: 'publish', errors }, 'post', TYPES)).toEqual([
    'Headline is empty.',
    'Word count is empty.',
  ]);
  expect(describeFailure({ action: 'publish', errors: [] }, 'post', TYPES)).toEqual([
    'Galley could not publish this content. Try to publish it now.',
  ]);
  expect(describeFailure({ action: 'unpublish', errors: [] }, 'post', TYPES)).toEqual([
    'Galley could not unpublish this content. Try to unpublish it now.',
  ]);
});

test.each([
  ['fields.title.text', 'Headline'],
  ['fields.gone', 'gone'],
  ['fields', 'All fields together'],
  ['seo.title', 'SEO'],
  ['uri', 'URL'],
  ['other', 'other'],
])('names the part at %j: %j', (path, name) => {
  expect(namePart(path, POST)).toBe(name);
});
