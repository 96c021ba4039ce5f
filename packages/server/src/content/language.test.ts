import { describe, expect, test } from 'vitest';
import { isLanguage, isRealLanguage } from './language.ts';

describe('a language tag', () => {
  test.each(['en', 'fr', 'EN', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'x-klingon', 'de-CH-1996', 'a'.repeat(35)])(
    'may be %s',
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
  ])('may not be %j', (text) => {
    expect(isLanguage(text)).toBe(false);
  });
});

describe('a real language', () => {
  test.each([
    ...['en', 'EN', 'de', 'fil', 'tlh', 'aaa', 'pt-BR', 'pt-br', 'zh-Hant', 'zh-Hant-TW'],
    ...['es-419', 'de-CH-1996', 'en-x-plain', 'no', 'iw'],
  ])('is %s', (text) => {
    expect(isRealLanguage(text)).toBe(true);
  });

  test.each([
    ...['German', 'Deutsch', 'english', 'xx', 'zz', 'qqq', 'und', 'root', 'x-klingon', 'en-XX', 'en-Abcd', 'de-germ'],
    ...['', 'en_GB', 'e n', 'en-GB-GB', 'a'.repeat(35), `en-x-${'plain-'.repeat(6)}plain`],
  ])('is not %j', (text) => {
    expect(isRealLanguage(text)).toBe(false);
  });
});
