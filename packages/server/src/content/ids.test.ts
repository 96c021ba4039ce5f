import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildId, type IdKind, isId } from './ids.ts';

describe('an id', () => {
  test.each(['c_1', 'a', 'Z', '0', '_', '-', '0190b5a2-7c3e-7000-8000-000000000000', 'x'.repeat(64)])(
    'can be %s',
    (text) => {
      expect(isId(text)).toBe(true);
    },
  );

  test.each(['', ' ', 'a b', 'c_1\n', 'é', 'a.b', 'a/b', 'x'.repeat(65), '../x', 'a\0'])('cannot be %j', (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('a generated id', () => {
  const kinds: readonly (readonly [IdKind, string])[] = [
    ['content', 'c_'],
    ['site', 's_'],
    ['author', 'u_'],
    ['contentType', 't_'],
    ['field', 'f_'],
    ['asset', 'a_'],
    ['key', 'k_'],
  ];

  test.each(kinds)('is valid and, for the kind %s, starts with %s', (kind, prefix) => {
    const id = buildId(kind, '0190b5a2-7c3e-7000-8000-0123456789ab');
    expect(id).toBe(`${prefix}0190b5a27c3e700080000123456789ab`);
    expect(isId(id)).toBe(true);
  });

  test('sorts by its UUID', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.uuid({ version: 7 }), (one, other) => {
        expect(buildId('content', one) < buildId('content', other)).toBe(one < other);
      }),
    );
  });
});
