import { describe, expect, test } from 'vitest';
import { buildFault, formatFault, joinMember, listNames, notAllowed, showGiven } from './fault.ts';

describe('a fault', () => {
  test('forms one sentence with its path', () => {
    const fault = buildFault('fields.rank.number', 'must be a finite number', '3');
    expect(formatFault(fault)).toBe('fields.rank.number must be a finite number, got "3"');
  });

  test('separates the given value from the list of allowed values', () => {
    expect(formatFault(buildFault('kind', 'must be one of a, b', 'c'))).toBe('kind must be one of a, b; got "c"');
  });

  test.each([undefined, null, '', ' \n'])('has the code "required" if %j was given', (given) => {
    expect(buildFault('slug', 'must be a slug', given, { code: 'slug_invalid' }).code).toBe('required');
    expect(buildFault('slug', 'must be a slug', 'a b', { code: 'slug_invalid' }).code).toBe('slug_invalid');
  });

  test('shortens a value that is not allowed', () => {
    expect(notAllowed('x'.repeat(1_000_000)).values).toEqual({ value: `${'x'.repeat(60)}…` });
    expect(notAllowed({ a: 1 }).values).toEqual({ value: 'an object' });
  });

  test('consists only of its message if it has no path', () => {
    expect(formatFault({ path: '', message: 'must be an object' })).toBe('must be an object');
  });
});

describe('a given value', () => {
  test.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    ['a "b"', '"a \\"b\\""'],
    ['line\nbreak', '"line\\nbreak"'],
    [[1, 2], 'an array'],
    [{ a: 1 }, 'an object'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
    [`${'x'.repeat(59)}😀y`, `"${'x'.repeat(59)}…"`],
    [`${'x'.repeat(58)}😀y`, `"${'x'.repeat(58)}😀…"`],
  ])('%j is shown as %s', (given, shown) => {
    expect(showGiven(given)).toBe(shown);
  });
});

describe('joining a path and a property name', () => {
  test.each([
    ['', 'slug', 'slug'],
    ['fields', 'rank', 'fields.rank'],
    ['fields', '__proto__', 'fields.__proto__'],
    ['fields', 'a b', 'fields["a b"]'],
    ['fields', '', 'fields[""]'],
    ['fields', 'x'.repeat(80), `fields["${'x'.repeat(60)}…"]`],
  ])('turns %j and %j into %s', (path, name, joined) => {
    expect(joinMember(path, name)).toBe(joined);
  });
});

describe('a list of names', () => {
  test('is complete if there are few names', () => {
    expect(listNames(['a', 'b'])).toBe('a, b');
  });

  test('ends with the number of remaining names if there are many', () => {
    const names = Array.from({ length: 23 }, (_, index) => `n${index}`);
    expect(listNames(names)).toMatch(/^n0, .*, n19 and 3 more$/);
  });

  test('is "none" if there are no names', () => {
    expect(listNames([])).toBe('none');
  });
});
