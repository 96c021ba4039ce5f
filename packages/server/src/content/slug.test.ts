import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from './any-character.fixture.ts';
import { isSlug, isSlugOf, makeSlug, numberSlug } from './slug.ts';

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
  ])('can be %j', (text) => {
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
  ])('cannot be %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });

  test('is unchanged after a round trip through a URL path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(isSlug), (slug) => {
        fc.pre(slug !== '.' && slug !== '..');
        const url = new URL(`https://example.com/blog/${encodeURIComponent(slug)}`);
        expect(decodeURIComponent(url.pathname)).toBe(`/blog/${slug}`);
      }),
    );
  });
});

describe('makeSlug', () => {
  test.each([
    ['Hello, World!', 'hello-world'],
    ['  A   B -- C ', 'a-b-c'],
    ['Crème brûlée à la façon d’Émile', 'creme-brulee-a-la-facon-demile'],
    ["Don't panic", 'dont-panic'],
    ['Straße & Œuvre: Ærø', 'strasse-oeuvre-aero'],
    ['İstanbul', 'istanbul'],
    ['ﬁne ① ½', 'fine-1-1-2'],
    ['Αθήνα', 'αθηνα'],
    ['Йод и ёж', 'йод-и-ёж'],
    ['東京 タワー', '東京-タワー'],
    ['한국어', '한국어'],
    ['हिन्दी लेख', 'हिन्दी-लेख'],
    ['100% /?#&', '100'],
    ['🎉🎉', 'untitled'],
    ['..', 'untitled'],
  ])('turns %j into %j', (name, slug) => {
    expect(makeSlug(name)).toBe(slug);
  });

  test('shortens long names to 80 characters, without a dash at the end', () => {
    const slug = makeSlug(`${'x'.repeat(79)} and more`);
    expect(slug).toBe('x'.repeat(79));
    expect([...makeSlug('漢'.repeat(200))]).toHaveLength(80);
  });

  test('always returns a valid slug, and does not change a slug that it generated', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 120 }), (name) => {
        const slug = makeSlug(name);
        expect(isSlug(slug)).toBe(true);
        expect([...slug].length).toBeLessThanOrEqual(80);
        expect(makeSlug(slug)).toBe(slug);
      }),
    );
  });
});

test('a numbered slug stays within the length limit', () => {
  expect(numberSlug('hello', 2)).toBe('hello-2');
  expect(numberSlug('x'.repeat(80), 12)).toBe(`${'x'.repeat(77)}-12`);
});

test.each([
  ['hello-world', 'Hello, world', true],
  ['hello-world-2', 'Hello, world', true],
  ['hello-world-10', 'Hello, world', true],
  [numberSlug('x'.repeat(80), 12), 'x'.repeat(200), true],
  ['hello-world-1', 'Hello, world', false],
  ['hello-world-02', 'Hello, world', false],
  ['hello-world-two', 'Hello, world', false],
  ['hello', 'Hello, world', false],
  ['top-10', 'Top 10', true],
  ['untitled-3', '…', true],
  ['-2', '', false],
])('whether %s was generated from the name %s: %s', (slug, name, isMade) => {
  expect(isSlugOf(slug, name)).toBe(isMade);
});
