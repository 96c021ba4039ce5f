import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countCharacters, hasAtMostCharacters, isPlainText } from './plain-text.ts';

describe('plain text', () => {
  test.each(['', 'Hello', 'Füße', '日本語', '😀', 'line\nbreak\ttab', '\u{10ffff}'])('includes %j', (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  test.each(['\0', 'a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])('does not include %j', (text) => {
    expect(isPlainText(text)).toBe(false);
  });
});

describe('characters', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['😀😀', 2],
  ])('of %j are %i', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  test('are counted alike by the limit and by the count', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀'), maxLength: 30 }), fc.nat(30), (text, most) => {
        expect(hasAtMostCharacters(text, most)).toBe([...text].length <= most);
      }),
    );
  });
});
