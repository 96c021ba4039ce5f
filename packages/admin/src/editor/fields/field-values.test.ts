import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { fitToType, readBlocks } from './field-values.ts';

function buildType(handle: string, fields: readonly Pick<ManagedFieldBody, 'handle' | 'type'>[]): ManagedTypeBody {
  return {
    id: `t_${handle}`,
    handle,
    name: handle,
    object_type: 'page',
    uri_pattern: '{slug}',
    fields: fields.map((field) => ({
      id: `f_${field.handle}`,
      name: field.handle,
      hidden: false,
      required: false,
      help_text: null,
      ...field,
    })),
  };
}

const QUOTE = buildType('quote', [{ handle: 'words', type: 'text' }]);
const POST = buildType('post', [
  { handle: 'title', type: 'text' },
  { handle: 'parts', type: 'blocks' },
]);

test('omits values of deleted fields, including those in blocks, and keeps blocks of a deleted type', () => {
  const lost = { content_type: 'gone', name: null, fields: { any: { text: 'x' } } };
  const values = {
    title: { text: 'Tide' },
    lead: { text: 'gone' },
    parts: {
      blocks: [{ content_type: 'quote', name: null, fields: { words: { text: 'Ebb' }, by: { text: 'gone' } } }, lost],
    },
  };
  expect(fitToType(values, POST, [POST, QUOTE])).toEqual({
    title: { text: 'Tide' },
    parts: { blocks: [{ content_type: 'quote', name: null, fields: { words: { text: 'Ebb' } } }, lost] },
  });
});

test('returns the same object for a block that has not changed, however often the form stores it', () => {
  const value = {
    blocks: [
      { content_type: 'quote', fields: {} },
      { content_type: 'quote', name: 'Ebb', fields: {} },
    ],
  };
  const read = readBlocks(value);
  const [, second] = readBlocks({
    blocks: readBlocks({ blocks: read }).with(0, { content_type: 'post', name: null, fields: {} }),
  });
  expect(second).toBe(read[1]);
});
