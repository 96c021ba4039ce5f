import { describe, expect, test } from 'vitest';
import { isAssetUrl, parseSiteUrl } from './web-address.ts';

describe("a site's URL", () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['http://localhost:3000//', 'http://localhost:3000'],
    ['HTTPS://Example.com/base/', 'HTTPS://Example.com/base'],
    ['https://bücher.example', 'https://bücher.example'],
  ])('%s is parsed as %s', (text, url) => {
    expect(parseSiteUrl(text)).toBe(url);
  });

  test.each([
    '',
    'example.com',
    '//example.com',
    '/base',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https:///',
    'https:example.com',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com\n',
    'https://example.com?x=1',
    'https://example.com/#top',
    'https://example.com:99999',
    'https://example.com/a b',
    'https://example.com/a\tb',
    'https://example.com/\0',
    `https://example.com/${'a'.repeat(2048)}`,
    'data:,x',
  ])('cannot be %j', (text) => {
    expect(parseSiteUrl(text)).toBeUndefined();
  });
});

describe("an asset's URL", () => {
  test.each([
    'https://example.com/a.jpg?w=1#x',
    'http://example.com/a',
    '/assets/a.jpg',
    '/',
    '/a photo.jpg',
    'https://example.com/a photo.jpg',
    'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"/>',
    'data:image/png;base64,AAAA',
    'data:,x',
    `data:image/png;base64,${'A'.repeat(5_000_000)}`,
  ])('can be %.60s', (text) => {
    expect(isAssetUrl(text)).toBe(true);
  });

  test.each([
    '',
    'a.jpg',
    'assets/a.jpg',
    '//evil.example/a.jpg',
    '/\\evil.example/a.jpg',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'data:image/png;base64',
    'data:x y,z',
    '/a.jpg ',
    '/a\tb.jpg',
    '/a\0',
    'https://exa mple.com/a.jpg',
    'https://example.com/a.jpg\n',
    'https://',
  ])('cannot be %j', (text) => {
    expect(isAssetUrl(text)).toBe(false);
  });
});
