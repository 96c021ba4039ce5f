import { describe, expect, test } from 'vitest';
import { buildEmailKey, isEmail } from './email.ts';

describe('an email', () => {
  test.each([
    'ada@example.com',
    '  ada@example.com ',
    "o'hara+news@mail.example.co.uk",
    'root@localhost',
    'josé@exämple.org',
    `${'a'.repeat(64)}@example.com`,
  ])('may be %j', (text) => {
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
  ])('may not be %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  test('is the same in any case, with blanks around it, and however its accents are written', () => {
    expect(buildEmailKey(' JOSE\u0301@Example.COM')).toBe(buildEmailKey('josé@example.com'));
    expect(buildEmailKey('ada@example.com')).not.toBe(buildEmailKey('ada@example.org'));
  });
});
