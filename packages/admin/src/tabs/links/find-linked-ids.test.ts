import { expect, test } from 'vitest';
import { findLinkedIds } from './find-linked-ids.ts';

test('finds each link once, even in nested blocks, with the fields that contain it', () => {
  const values = {
    title: { text: 'c_text' },
    related: { content_links: ['c_1', 'c_2'] },
    parts: {
      blocks: [
        {
          content_type: 'row',
          name: null,
          fields: {
            cards: {
              blocks: [{ content_type: 'card', name: null, fields: { see: { content_links: ['c_2', 'c_3'] } } }],
            },
          },
        },
      ],
    },
  };
  expect(findLinkedIds(values, undefined)).toEqual([
    { id: 'c_1', fields: ['related'] },
    { id: 'c_2', fields: ['related', 'parts'] },
    { id: 'c_3', fields: ['parts'] },
  ]);
});
