import { vercelStegaEncode } from '@vercel/stega';
import { expect, test } from 'vitest';
import { editAttributes, parseEditAttribute } from './edit-attributes.ts';

const MARK = vercelStegaEncode({ origin: 'galley', id: 'c_2', path: 'name', language: 'de' });

test('names the content, the field and the language', () => {
  const content = { id: 'c_1', name: 'A', language: 'en', source_map: [] };
  expect(editAttributes(content, 'fields.rank')).toEqual({ 'data-galley-edit': 'c_1 fields.rank en' });
});

test('takes the language of linked content from the mark in its name', () => {
  expect(editAttributes({ id: 'c_2', name: `B${MARK}` }, 'fields.rank')).toEqual({
    'data-galley-edit': 'c_2 fields.rank de',
  });
});

test('returns no attributes for published content', () => {
  expect(editAttributes({ id: 'c_1', name: 'A', language: 'en' }, 'fields.rank')).toEqual({});
});

test.each([
  ['c_1 fields.rank en', { id: 'c_1', path: 'fields.rank', language: 'en' }],
  [' c_1  fields.rank ', { id: 'c_1', path: 'fields.rank', language: undefined }],
  ['c_1', undefined],
  ['', undefined],
  [null, undefined],
])('parses %j', (value, mark) => {
  expect(parseEditAttribute(value)).toEqual(mark);
});
