import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  countMember,
  handleMember,
  idMember,
  nameMember,
  oneOfMember,
  optionalTextMember,
  orNull,
  orUnset,
  strictMembers,
  switchMember,
  timeMember,
} from './schema-members.ts';

function accepts(schema: z.ZodType, raw: unknown): boolean {
  return schema.safeParse(raw).success;
}

describe('a handle', () => {
  test.each(['a', 'post', 'blog_post', 'a1', 'constructor', 'a'.repeat(64)])('can be %s', (text) => {
    expect(accepts(handleMember, text)).toBe(true);
  });

  test.each(['', 'Post', '1a', '_a', 'blog-post', 'a b', 'é', '__proto__', 'a\n', 'a'.repeat(65), 1, null])(
    'cannot be %j',
    (raw) => {
      expect(accepts(handleMember, raw)).toBe(false);
    },
  );
});

describe('a name', () => {
  test.each(['A', ' A ', '😀'.repeat(255)])('can be %j and is not changed', (text) => {
    expect(nameMember.parse(text)).toBe(text);
  });

  test.each(['', '  ', '\n', 'x'.repeat(256), '😀'.repeat(256), 'a\0', 'a\ud800', 1, null, undefined])(
    'cannot be %j',
    (raw) => {
      expect(accepts(nameMember, raw)).toBe(false);
    },
  );
});

describe('other properties', () => {
  test('a time becomes milliseconds', () => {
    expect(timeMember.parse('1970-01-01T00:00:01+00:00')).toBe(1000);
    expect(accepts(timeMember, '1970-01-01')).toBe(false);
    expect(accepts(timeMember, 1000)).toBe(false);
  });

  test('a count is a non-negative whole number that can be represented exactly', () => {
    expect(countMember.parse(0)).toBe(0);
    expect([-1, 0.5, '1', 2 ** 53, Number.NaN, null].filter((raw) => accepts(countMember, raw))).toEqual([]);
  });

  test('an id follows the rule for ids', () => {
    expect([accepts(idMember, 'c_1'), accepts(idMember, 'c 1'), accepts(idMember, 1)]).toEqual([true, false, false]);
  });

  test('a switch is true or false, and nothing else', () => {
    expect([true, false, 0, 1, 'true', null].filter((raw) => accepts(switchMember, raw))).toEqual([true, false]);
  });

  test('optional text is null if it is empty, null or omitted', () => {
    expect(['', null, undefined, 'x'].map((raw) => optionalTextMember.parse(raw))).toEqual([null, null, null, 'x']);
    expect(accepts(optionalTextMember, 'a\0')).toBe(false);
  });

  test('the message for an enumeration lists all its values', () => {
    const parsed = oneOfMember(['a', 'b']).safeParse('c');
    expect(parsed.error?.issues[0]?.message).toBe('must be one of a, b');
  });
});

describe('an optional property', () => {
  const schema = strictMembers('a thing', { size: orNull(countMember), limit: orUnset(countMember) });

  test.each([{}, { size: null, limit: null }])('can be omitted or null: %j', (raw) => {
    expect(schema.parse(raw)).toEqual({ size: null, limit: undefined });
  });

  test('is validated if it is given', () => {
    expect(schema.parse({ size: 0, limit: 0 })).toEqual({ size: 0, limit: 0 });
    expect(accepts(schema, { size: -1 })).toBe(false);
    expect(accepts(schema, { limit: '' })).toBe(false);
  });
});
