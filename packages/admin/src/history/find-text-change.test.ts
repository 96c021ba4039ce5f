import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTextChange } from './find-text-change.ts';

test.each([
  ['a red house', 'a green house', { start: 'a ', removed: 'red', added: 'green', end: ' house' }],
  ['one', 'one two', { start: 'one', removed: '', added: ' two', end: '' }],
  ['an an', 'an', { start: 'an', removed: ' an', added: '', end: '' }],
  ['same', 'same', { start: 'same', removed: '', added: '', end: '' }],
])('%s → %s', (before, after, change) => {
  expect(findTextChange(before, after)).toEqual(change);
});

test('the parts are the texts again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
      const { start, removed, added, end } = findTextChange(before, after);
      expect([start + removed + end, start + added + end]).toEqual([before, after]);
    }),
  );
});
