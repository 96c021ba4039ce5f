import { describe, expect, test } from 'vitest';
import { buildUri, DEFAULT_URI_PATTERN, findUriPatternFault, isUri } from './uri.ts';

const PARTS = { slug: 'x', id: 'c_1', language: 'fr', defaultLanguage: 'en' };

describe('a URI', () => {
  test.each([
    [DEFAULT_URI_PATTERN, 'fr', 'x'],
    ['blog/{slug}', 'fr', 'blog/x'],
    ['{language}/blog/{slug}', 'fr', 'fr/blog/x'],
    ['{language}/blog/{slug}', 'en', 'blog/x'],
    ['/blog//{slug}/', 'fr', 'blog/x'],
    ['{id}-{slug}', 'fr', 'c_1-x'],
    ['{slug}/{slug}', 'fr', 'x/x'],
    ['about', 'fr', 'about'],
    ['', 'fr', ''],
    ['{language}', 'en', ''],
  ])('for the pattern %j in %s is %j', (pattern, language, uri) => {
    expect(buildUri(pattern, { ...PARTS, language })).toBe(uri);
  });

  test('contains the slug unchanged, even if it looks like a pattern', () => {
    expect(buildUri('blog/{slug}', { ...PARTS, slug: '{id}$&$1' })).toBe('blog/{id}$&$1');
  });
});

describe('a URI pattern', () => {
  test.each(['', DEFAULT_URI_PATTERN, '{language}/blog/{slug}', '{id}', 'about'])('can be %j', (pattern) => {
    expect(findUriPatternFault(pattern)).toBeUndefined();
  });

  test.each([
    ['{name}', '{name} is unknown; {slug}, {id} and {language} are allowed'],
    ['{}', '{} is unknown; {slug}, {id} and {language} are allowed'],
    ['{ slug }', '{ slug } is unknown; {slug}, {id} and {language} are allowed'],
    ['{constructor}', '{constructor} is unknown; {slug}, {id} and {language} are allowed'],
    ['blog/{slug', 'a brace is unmatched'],
    ['blog/slug}', 'a brace is unmatched'],
    ['{{slug}}', 'a brace is unmatched'],
  ])('cannot be %j: %s', (pattern, fault) => {
    expect(findUriPatternFault(pattern)).toBe(fault);
  });
});

describe('a URI', () => {
  test.each(['', 'blog/hello', 'a', 'blog/füße', 'a%20b', 'a/b/', 'x'.repeat(1024)])('can be %j', (text) => {
    expect(isUri(text)).toBe(true);
  });

  test.each(['/blog', '//evil.example', 'a b', 'a?b', 'a#b', 'a\nb', 'a\0', 'a\ud800', 'x'.repeat(1025)])(
    'cannot be %j',
    (text) => {
      expect(isUri(text)).toBe(false);
    },
  );
});
