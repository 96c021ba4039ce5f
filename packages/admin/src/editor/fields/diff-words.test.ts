import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findChangedWords, splitWords } from './diff-words.ts';

/** Both texts, with brackets around the words that occur in only one of them. */
function show(before: string, after: string): readonly string[] {
  const [was, is] = [splitWords(before), splitWords(after)];
  const { removed, added } = findChangedWords(was, is);
  return [bracket(was, removed), bracket(is, added)];
}

function bracket(words: readonly string[], marked: ReadonlySet<number>): string {
  return words
    .map((word, place) => (marked.has(place) ? `[${word}]` : word))
    .join('')
    .replaceAll('][', '');
}

test.each([
  ['a red house', 'a green house', ['a [red] house', 'a [green] house']],
  ['one', 'one two', ['one', 'one[ two]']],
  ['same', 'same', ['same', 'same']],
  ['low tide at two', 'high tide at three', ['[low] tide at [two]', '[high] tide at [three]']],
  ['the old red boat', 'the new green boat', ['the [old red] boat', 'the [new green] boat']],
  ['', 'new', ['', '[new]']],
])('marks the words that differ between %j and %j', (before, after, shown) => {
  expect(show(before, after)).toEqual(shown);
});

test('leaves the words that both texts share unmarked', () => {
  const text = fc.array(fc.constantFrom('tide', 'ebb', ' ', '.', 'ä')).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [was, is] = [splitWords(before), splitWords(after)];
      const { removed, added } = findChangedWords(was, is);
      const solid = (words: readonly string[], marked: ReadonlySet<number>): string =>
        words.filter((word, place) => word.trim() !== '' && !marked.has(place)).join(' ');
      expect(solid(was, removed)).toBe(solid(is, added));
    }),
  );
});

test('compares two long texts that have nothing in common', () => {
  const [was, is] = ['a', 'b'].map((letter) => Array.from({ length: 6000 }, (_, index) => `${letter}${index}`));
  const { removed, added } = findChangedWords(['same', ...(was ?? []), 'end'], ['same', ...(is ?? []), 'end']);
  expect([removed.size, added.size, removed.has(0), added.has(6001)]).toEqual([6000, 6000, false, false]);
});
