import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { describeChange } from './describe-change.ts';

function field(handle: string, name: string, type: ManagedFieldBody['type']): ManagedFieldBody {
  return { id: `f_${handle}`, handle, name, type, required: false, hidden: false, help_text: null };
}

const common = { id: 't', name: 'T', uri_pattern: '{slug}' };
const TYPES: readonly ManagedTypeBody[] = [
  {
    ...common,
    handle: 'post',
    object_type: 'page',
    fields: [field('title', 'Headline', 'text'), field('parts', 'Parts', 'blocks'), field('tags', 'Tags', 'list')],
  },
  { ...common, handle: 'quote', object_type: 'block', fields: [field('title', 'Spoken by', 'text')] },
];

test.each([
  ['name', 'Name', undefined],
  ['seo.title', 'SEO › Title', undefined],
  ['seo.open_graph.image_alt', 'SEO › Link preview › Picture alt text', undefined],
  ['fields.title.text', 'Headline', 'text'],
  ['fields.tags.list[1]', 'Tags › 2', 'list'],
  ['fields.parts.blocks[0]', 'Parts › 1', 'blocks'],
  ['fields.parts.blocks[0].name', 'Parts › 1 › Name', undefined],
  ['fields.parts.blocks[2].fields.title.text', 'Parts › 3 › Spoken by', 'text'],
  ['fields.gone.text', 'gone', undefined],
  ['fields.constructor.text', 'constructor', undefined],
])('describes %s as %s', (path, label, type) => {
  const place = describeChange(path, 'post', TYPES);
  expect([place.label.join(' › '), place.field?.type]).toEqual([label, type]);
});
