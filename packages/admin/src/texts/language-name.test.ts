import { expect, test } from 'vitest';
import { LANGUAGES } from './language-list.ts';
import { findLanguages, nameLanguage } from './language-name.ts';

const first = (typed: string): string | undefined => findLanguages(typed)[0]?.tag;

test.each([
  ['German', 'de'],
  ['german', 'de'],
  ['Deutsch', 'de'],
  ['de', 'de'],
  ['Brazil', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['francais', 'fr'],
  ['日本', 'ja'],
  ['de-LU', 'de-LU'],
  [' fr ', 'fr'],
])('for %s, finds %s first', (typed, tag) => {
  expect(first(typed)).toBe(tag);
});

test.each(['Klingonese', 'xx', 'en-XX', 'e n'])('finds nothing for %s', (typed) => {
  expect(findLanguages(typed)).toEqual([]);
});

test('lists each language and each name once', () => {
  expect(new Set(LANGUAGES.map(({ tag }) => tag)).size).toBe(LANGUAGES.length);
  expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(LANGUAGES.length);
  expect(LANGUAGES.filter(({ tag }) => Intl.getCanonicalLocales(tag)[0] !== tag)).toEqual([]);
});

test.each([
  ['de', ['en', 'de'], 'German'],
  ['gsw', [], 'Swiss German'],
  ['cmn', ['zh', 'cmn'], 'Chinese (cmn)'],
  ['German', ['en'], 'German'],
  ['house', [], 'house'],
])('names %s when it is shown beside %j', (tag, among, name) => {
  expect(nameLanguage(tag, among)).toBe(name);
});
