import { expect, test } from 'vitest';
import { summarisePart } from './summarise-part.ts';

test.each([
  ['Hello', 'Hello'],
  [null, ''],
  [undefined, ''],
  [{ text: 'Hello' }, 'Hello'],
  [{ number: 0 }, '0'],
  [{ is_on: false }, 'false'],
  [{ list: ['one', 'two'] }, '• one\n• two'],
  [{ blocks: [{ content_type: 'quote', name: null, fields: { text: { text: 'Ebb' } } }] }, '• quote\n  Ebb'],
])('%j reads %j', (value, expected) => {
  expect(summarisePart(value)).toBe(expected);
});
