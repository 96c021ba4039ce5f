import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSlug } from './slug.ts';

describe('a slug', () => {
  test.each([
    'a',
    'hello-world',
    'Hello_World.html',
    'füße',
    '日本語',
    '1',
    '😀',
    'a:b',
    'x'.repeat(255),
    '😀'.repeat(255),
  ])('may be %j', (text) => {
    expect(isSlug(text)).toBe(true);
  });

  test.each([
    '',
    ' ',
    'a b',
    'a\tb',
    'a\nb',
    'a\n',
    'a\u00a0b',
    'a\u2028b',
    '\ufeffa',
    'a/b',
    'a?b',
    'a#b',
    'a%20b',
    'a&b',
    'a\0b',
    'a\u007fb',
    'a\u0085b',
    'a\ud800b',
    'x'.repeat(256),
    '😀'.repeat(256),
  ])('may not be %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });

  test('survives being put into a URL path and read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(isSlug), (slug) => {
        fc.pre(slug !== '.' && slug !== '..');
        const url = new URL(`https://example.com/blog/${encodeURIComponent(slug)}`);
        expect(decodeURIComponent(url.pathname)).toBe(`/blog/${slug}`);
      }),
    );
  });
});
