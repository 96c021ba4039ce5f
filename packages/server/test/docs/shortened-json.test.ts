import { expect, test } from 'vitest';
import { findDifference } from './shortened-json.ts';

test.each([
  ['the same value', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
  ['omitted properties', { a: 1, '…': '…' }, { a: 1, b: 2 }],
  ['omitted items', [1, '…'], [1, 2, 3]],
  ['truncated text', 'Take a sheet …', 'Take a sheet of paper'],
])('no difference is reported for %s', (_, shown, real) => {
  expect(findDifference(shown, real)).toBeUndefined();
});

test.each([
  ['a different value', { a: 1 }, { a: 2 }, 'body.a: the value shown is 1, not 2'],
  ['null instead of text', { a: null }, { a: '' }, 'body.a: the value shown is null, not ""'],
  ['a missing property', { a: 1, b: 2 }, { a: 1 }, 'body: the properties shown are a,b, not a'],
  ['an extra property', { a: 1 }, { a: 1, b: 2 }, 'body: the properties shown are a, not a,b'],
  ['a different order', { b: 2, a: 1, '…': '…' }, { a: 1, b: 2, c: 3 }, 'body: the properties shown are b,a, not a,b'],
  ['a gap without omitted properties', { a: 1, '…': '…' }, { a: 1 }, 'body: nothing was omitted'],
  ['one item too few', { a: [1] }, { a: [1, 2] }, 'body.a: the number of items shown is 1, not 2'],
  ['a gap after the last item', [1, '…'], [1], 'body: the number of items shown is more than 1, not 1'],
  ['a different beginning', ['Take …'], ['Give me'], 'body[0]: the value shown is "Take …", not "Give me"'],
])('a difference is reported for %s', (_, shown, real, difference) => {
  expect(findDifference(shown, real)).toBe(difference);
});
