import { expect, test } from 'vitest';
import { summarisePart } from './draft-values.ts';

test.each([
  ['Hello', 'Hello'],
  [null, ''],
  [undefined, ''],
  [{ text: 'Hello' }, 'Hello'],
  [{ number: 0 }, '0'],
  [{ is_on: false }, 'false'],
  [{ list: ['one', 'two'] }, '• one\n• two'],
  [{ blocks: [{ content_type: 'quote', name: null, fields: { text: { text: 'Ebb' } } }] }, '• quote\n  Ebb'],
])('summarises %j as %j', (value, expected) => {
  expect(summarisePart(value)).toBe(expected);
});
