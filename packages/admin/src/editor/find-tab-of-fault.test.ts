import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { findTabOfFault } from './find-tab-of-fault.ts';

function buildField(handle: string, type: 'text' | 'blocks', hidden = false): ManagedFieldBody {
  return { id: `f_${handle}`, handle, name: handle, type, hidden, required: false, help_text: null };
}

function buildType(handle: string, fields: readonly ManagedFieldBody[]): ManagedTypeBody {
  return { id: `t_${handle}`, handle, name: handle, object_type: 'page', uri_pattern: '{slug}', fields };
}

const POST = buildType('post', [
  buildField('title', 'text'),
  buildField('secret', 'text', true),
  buildField('parts', 'blocks'),
]);
const QUOTE = buildType('quote', [buildField('words', 'text'), buildField('source', 'text', true)]);
const FORM = {
  type: POST,
  types: [POST, QUOTE],
  fields: { parts: { blocks: [{ content_type: 'quote', name: null, fields: {} }] } },
};

test.each([
  ['name', 'edit'],
  ['slug', 'edit'],
  ['author', 'edit'],
  ['seo.canonical_url', 'seo'],
  ['fields.title.text', 'edit'],
  ['fields.title', 'edit'],
  ['fields.parts.blocks[0].content_type', 'edit'],
  ['fields.parts.blocks[0].fields.words.text', 'edit'],
  ['fields.parts.blocks[0].fields.source', undefined],
  ['fields.parts.blocks[0].fields.gone', undefined],
  ['fields.secret.text', undefined],
  ['fields.gone', undefined],
  ['fields', undefined],
  ['uri', undefined],
  ['', undefined],
])('finds the input for an error at %j on the %s tab', (path, tab) => {
  expect(findTabOfFault(path, FORM)).toBe(tab);
});
