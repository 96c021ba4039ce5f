import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPreviewUrl, canShare, isPreviewPattern, parsePreviewAddress, readBrand } from './preview-rules.ts';

describe('a preview address', () => {
  test.each([
    ['https://site.example', 'https://site.example'],
    ['https://site.example/', 'https://site.example'],
    ['HTTPS://Site.Example:443/Blog//', 'https://site.example/Blog'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://127.0.0.1:4000/a/b', 'http://127.0.0.1:4000/a/b'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s is stored as %s', (text, address) => {
    expect(parsePreviewAddress(text)).toBe(address);
  });

  test.each([
    '',
    'site.example',
    '//site.example',
    'ftp://site.example',
    'javascript:alert(1)',
    'https://',
    'https://*.site.example',
    'https://*',
    'https://user@site.example',
    'https://user:password@site.example',
    'https://site.example?a=b',
    'https://site.example/#a',
    "https://site.example;script-src'*'",
    'https://site.example; script-src *',
    'https://site.example,https://other.example',
    "https://site.example/'",
    'https://site.example/"',
    'https://site.example\\@evil.example',
    ' https://site.example',
    'https://site.example\r\nset-cookie: a=b',
    'https://site_1.example',
    'http://[::1]:4000',
    'https://site.example/{id}',
    `https://site.example/${'a'.repeat(2000)}`,
    `https://site.example/${'ü'.repeat(1900)}`,
  ])('must not be %j', (text) => {
    expect(parsePreviewAddress(text)).toBeUndefined();
  });

  test('has an origin that means the same thing in a security policy, whatever people enter', () => {
    const part = fc.oneof(
      fc.stringMatching(/^https?:\/\/[a-z0-9.-]{1,9}(?::\d{1,5})?(?:\/[\w%.~-]{0,6}){0,3}(?:\?\w{0,3})?(?:#\w{0,3})?$/),
      fc.string(),
      fc.constantFrom('https://', '*', ';', ',', "'", '@', ':', '/', ' '),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const address = parsePreviewAddress(parts.join(''));
        if (address === undefined) return;
        const { origin } = new URL(address);
        expect(origin).toMatch(/^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/);
        expect(address.startsWith(origin)).toBe(true);
        expect(parsePreviewAddress(address)).toBe(address);
      }),
    );
  });
});

describe('a pattern', () => {
  test.each([
    '{base}/api/draft?secret={secret}&id={id}',
    '{base}/preview?id={id}&token={secret}',
    '{base}?id={id}',
    '{base}/{language}/draft/{id}',
    '{base}/#/draft/{id}',
  ])('can be %s', (pattern) => {
    expect(isPreviewPattern(pattern)).toBe(true);
  });

  test.each([
    '',
    '{base}',
    '{base}/draft',
    'https://evil.example/{id}',
    '{base}.evil.example/{id}',
    '{base}@evil.example/{id}',
    '{base}:8080/{id}',
    '{base}{id}',
    ' {base}/{id}',
    '{base}/{id}?again={base}',
    '{base}/{id}/{name}',
    '{base}/{id}/{',
    '{base}/{id}\\',
    '{base}/{id}"',
    '{base}/{id} ',
    '{base}/{id}\n',
    '{base}/ü/{id}',
    `{base}/{id}/${'a'.repeat(2000)}`,
  ])('cannot be %j', (pattern) => {
    expect(isPreviewPattern(pattern)).toBe(false);
  });

  test('never changes the origin', () => {
    const part = fc.constantFrom(
      '{base}',
      '{id}',
      '{secret}',
      '/',
      '//',
      '@',
      ':',
      '.evil.example',
      '?',
      '#',
      '\\',
      '..',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.string(), (parts, id) => {
        const pattern = parts.join('');
        if (!isPreviewPattern(pattern)) return;
        const url = buildPreviewUrl({ address: 'https://site.example', pattern }, { id, language: 'en' }, 'gps_x');
        expect(new URL(url).origin).toBe('https://site.example');
      }),
      { numRuns: 2000 },
    );
  });
});

test('a preview URL contains the encoded values', () => {
  const content = { id: 'c_1', language: 'pt-BR' };
  const address = 'https://site.example/blog';
  expect(buildPreviewUrl({ address, pattern: null }, content, 'gps_a-b')).toBe(
    'https://site.example/blog/api/draft?secret=gps_a-b&id=c_1',
  );
  const pattern = '{base}/{language}/preview/{id}?token={secret}&id={id}';
  expect(buildPreviewUrl({ address, pattern }, content, 'a&b=c')).toBe(
    'https://site.example/blog/pt-BR/preview/c_1?token=a%26b%3Dc&id=c_1',
  );
});

test('only an address with the secret in its pattern can be shared', () => {
  expect(canShare({ pattern: null })).toBe(true);
  expect(canShare({ pattern: '{base}/{id}?t={secret}' })).toBe(true);
  expect(canShare({ pattern: '{base}/{id}?t=fixed' })).toBe(false);
});

test('messages are named after the header prefix', () => {
  expect(['X-SERVICE', 'X-ACME', 'Acme-CMS'].map(readBrand)).toEqual(['service', 'acme', 'acme-cms']);
});
