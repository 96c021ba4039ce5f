import { expect, test } from 'vitest';
import { addUploaded, isKindAllowed } from './added-assets.ts';

test('uploaded assets follow the existing ones, in the order of their files', () => {
  const batch: (string | undefined)[] = [];
  let ids: readonly string[] = ['old'];
  for (const [index, id] of [
    [2, 'c'],
    [0, 'a'],
    [3, 'd'],
    [1, 'b'],
  ] as const) {
    batch[index] = id;
    ids = addUploaded(ids, batch, index);
  }
  expect(ids).toEqual(['old', 'a', 'b', 'c', 'd']);
});

test('removing an asset in the meantime does not change the positions of the others', () => {
  expect(addUploaded(['x'], ['a', 'b'], 1)).toEqual(['x', 'b']);
  expect(addUploaded(['b', 'x'], ['a', 'b'], 0)).toEqual(['a', 'b', 'x']);
});

test('an asset is added only once', () => {
  expect(addUploaded(['a', 'b'], ['a'], 0)).toEqual(['a', 'b']);
});

test.each([
  [undefined, 'application/pdf', true],
  [['image/'], 'image/png', true],
  [['image/', 'video/'], 'application/pdf', false],
] as const)('%j allows %s: %s', (kinds, type, isAllowed) => {
  expect(isKindAllowed(kinds, type)).toBe(isAllowed);
});
