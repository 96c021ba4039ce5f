import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTextKey, TEXT_KEY_BYTES } from './text-key.ts';

describe('a text key', () => {
  test.each([
    ['', ''],
    ['Hello World', 'hello world'],
    ['Ärger', 'arger'],
    ['éclair', 'eclair'],
    ['e\u0301clair', 'eclair'],
    ['ﬁne', 'fine'],
    ['Ｆｕｌｌ', 'full'],
    ['İstanbul', 'istanbul'],
    ['STRASSE', 'strasse'],
    ['日本語', '日本語'],
    ['Ёлка', 'елка'],
    ['Tab\there', 'tab\there'],
    ['a\ud800b', 'a\ufffdb'],
  ])('for %j is %j', (text, key) => {
    expect(buildTextKey(text)).toBe(key);
  });

  test('has a maximum length in bytes and never ends in the middle of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'É', '日', '😀'), maxLength: 700 }), (text) => {
        const key = buildTextKey(text);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(TEXT_KEY_BYTES);
        expect(key.isWellFormed()).toBe(true);
      }),
    );
  });

  test('includes as much of a long string as fits', () => {
    expect(buildTextKey('A'.repeat(5000))).toBe('a'.repeat(TEXT_KEY_BYTES));
    expect(buildTextKey('é'.repeat(5000))).toBe('e'.repeat(TEXT_KEY_BYTES));
    expect(buildTextKey('日'.repeat(5000))).toBe('日'.repeat(Math.floor(TEXT_KEY_BYTES / 3)));
  });

  test('is the same for upper and lower case, and for composed and decomposed letters', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'É', 'ö', 'Ñ', 'å', ' ', 'z'), maxLength: 40 });
    fc.assert(
      fc.property(letters, (text) => {
        const key = buildTextKey(text);
        expect(buildTextKey(text.toUpperCase())).toBe(key);
        expect(buildTextKey(text.normalize('NFD'))).toBe(key);
        expect(buildTextKey(text.normalize('NFC'))).toBe(key);
      }),
    );
  });

  test('stays the same when it is turned into a key again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const key = buildTextKey(text);
        expect(buildTextKey(key)).toBe(key);
      }),
    );
  });
});
