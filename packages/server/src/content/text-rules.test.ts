import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildEmailKey,
  countCharacters,
  hasAtMostCharacters,
  isEmail,
  isLanguage,
  isPlainText,
  isRealLanguage,
} from './text-rules.ts';

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
  ])('are counted in %j: %i', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  test('are counted as code points when text is checked against a maximum length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀'), maxLength: 30 }), fc.nat(30), (text, most) => {
        expect(hasAtMostCharacters(text, most)).toBe([...text].length <= most);
      }),
    );
  });
});

describe('a language tag', () => {
  test.each(['en', 'fr', 'EN', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'x-klingon', 'de-CH-1996', 'a'.repeat(35)])(
    'can be %s',
    (text) => {
      expect(isLanguage(text)).toBe(true);
    },
  );

  test.each([
    '',
    '-',
    'en-',
    '-en',
    'en--GB',
    'en_GB',
    'en GB',
    '1en',
    '419',
    'e1',
    'en\n',
    'fr,en',
    'français',
    '*',
    'a'.repeat(36),
    `en-${'a'.repeat(33)}`,
  ])('cannot be %j', (text) => {
    expect(isLanguage(text)).toBe(false);
  });
});

describe('an email', () => {
  test.each([
    'ada@example.com',
    '  ada@example.com ',
    "o'hara+news@mail.example.co.uk",
    'root@localhost',
    'josé@exämple.org',
    `${'a'.repeat(64)}@example.com`,
  ])('can be %j', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'a da@example.com',
    'ada@exa mple.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com.',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada\n@example.com',
    'ada\u0000@example.com',
    'ada\u202e@example.com',
    '<ada@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('cannot be %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  test('has a key that ignores case, surrounding spaces and the encoding of accents', () => {
    expect(buildEmailKey(' JOSE\u0301@Example.COM')).toBe(buildEmailKey('josé@example.com'));
    expect(buildEmailKey('ada@example.com')).not.toBe(buildEmailKey('ada@example.org'));
  });
});

describe('a real language', () => {
  test.each([
    ...['en', 'EN', 'de', 'fil', 'tlh', 'aaa', 'pt-BR', 'pt-br', 'zh-Hant', 'zh-Hant-TW'],
    ...['es-419', 'de-CH-1996', 'en-x-plain', 'no', 'iw'],
  ])('can be %s', (text) => {
    expect(isRealLanguage(text)).toBe(true);
  });

  test.each([
    ...['German', 'Deutsch', 'english', 'xx', 'zz', 'qqq', 'und', 'root', 'x-klingon', 'en-XX', 'en-Abcd', 'de-germ'],
    ...['', 'en_GB', 'e n', 'en-GB-GB', 'a'.repeat(35), `en-x-${'plain-'.repeat(6)}plain`],
  ])('cannot be %j', (text) => {
    expect(isRealLanguage(text)).toBe(false);
  });
});
