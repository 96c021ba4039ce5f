import { describe, expect, test } from 'vitest';
import { isLanguage } from './language.ts';

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
