import { describe, expect, test } from 'vitest';
import {
  LIST_PARAMETERS,
  listValues,
  parseFilterValues,
  parseQueryParameters,
  parseSingleValue,
  quote,
  readRawQuery,
} from './query-parameters.ts';

test.each([
  ['/a', ''],
  ['/a?', ''],
  ['/a?b=c&d[]=%20', 'b=c&d[]=%20'],
  ['/a?b?c', 'b?c'],
  ['/a?b#c', 'b'],
])('the raw query of %s is "%s"', (url, query) => {
  expect(readRawQuery(url)).toBe(query);
});

/** The values of a parameter, or the error message for the query. */
function valuesOf(name: string, text: string): unknown {
  const parameters = parseQueryParameters(text, LIST_PARAMETERS);
  if (!parameters.ok) return parameters.problem;
  const tree = parameters.value.get(name);
  return tree === undefined ? 'absent' : listValues(tree);
}

describe('a query string', () => {
  test.each([
    ['slug=a&slug=b', ['a', 'b']],
    ['slug[]=a&slug[]=b', ['a', 'b']],
    ['slug[0]=a&slug[1]=b', ['a', 'b']],
    ['slug[1]=b&slug[0]=a', ['a', 'b']],
    ['slug[90]=b&slug[7]=a', ['a', 'b']],
    ['slug[5000]=b&slug[7]=a', ['a', 'b']],
    ['slug%5B%5D=a&slug%5b0%5d=b', ['a', 'b']],
    ['slug[0]=a&slug[0]=b', ['a', 'b']],
    ['slug=a', ['a']],
    ['slug', ['']],
    ['slug=', ['']],
    ['slug[]', ['']],
    ['%73lug=a', ['a']],
    ['slug=a+b%20c', ['a b c']],
    ['slug=%C3%A9', ['é']],
    ['slug=a=b', ['a=b']],
    ['slug=a]=b', ['a]=b']],
    ['slug=a%5D=b', ['a]=b']],
    ['slug=[a]', ['[a]']],
    ['slug=a%26b', ['a&b']],
    ['&&slug=a&&', ['a']],
    ['slug=a%', 'The slug parameter is not valid percent-encoded UTF-8.'],
    ['slug[%ff]=a', 'The slug parameter is not valid percent-encoded UTF-8.'],
    ['slug%5B%ff%5D=a', 'The slug parameter is not valid percent-encoded UTF-8.'],
    ['slug=a%00', 'The slug parameter contains a NUL character.'],
    ['slug[__proto__]=a', 'The slug parameter does not support "slug[__proto__]".'],
    ['slug[a]=b', undefined],
    ['slug[0][a]=b', undefined],
    ['slug=a&slug[b]=c', undefined],
    ['slug[=a', undefined],
    ['slug[a][b][c][d][e][f]=g', 'The query nests brackets too deeply; at most 5 levels are allowed.'],
    ['SLUG=a', 'absent'],
    ['[slug]=a', 'absent'],
    ['slug.x=a', 'absent'],
    ['slug]=a', 'absent'],
    ['', 'absent'],
  ])('%s is parsed into the values of slug', (text, values) => {
    expect(valuesOf('slug', text)).toEqual(values);
  });

  test('does not parse unknown parameters, even if there are many of them or they are malformed', () => {
    const unknown = ['a[b][c][d][e][f][g][h]=1', '%ff=%ff', 'x=%00', '__proto__[slug]=1', '='];
    const text = [...unknown, ...Array.from({ length: 5000 }, () => 'x'), 'slug=a'].join('&');
    expect(valuesOf('slug', text)).toEqual(['a']);
  });

  test('may have at most a thousand known parameters', () => {
    const text = Array.from({ length: 1001 }, (_, index) => `sort[]=${index}`);
    expect(valuesOf('sort', text.slice(1).join('&'))).toHaveLength(1000);
    expect(valuesOf('sort', text.join('&'))).toBe('The query has 1001 parameters; at most 1000 are allowed.');
  });

  test('is parsed into objects without a prototype, so they inherit no properties', () => {
    const parameters = parseQueryParameters('fields[text][a]=1', LIST_PARAMETERS);
    const tree = parameters.ok ? parameters.value.get('fields') : undefined;
    expect(tree !== undefined && typeof tree === 'object' && 'toString' in tree).toBe(false);
    expect(parameters.ok && parameters.value.get('constructor')).toBe(undefined);
  });
});

describe('the values of a filter', () => {
  test('must not be empty, and there must be between 1 and 100 of them', () => {
    expect(parseFilterValues('slug', 'a')).toEqual({ ok: true, value: ['a'] });
    expect(parseFilterValues('slug', ['a', 'b'])).toEqual({ ok: true, value: ['a', 'b'] });
    const empty = { ok: false, problem: 'The slug parameter is empty; give it a value or leave it out.' };
    for (const tree of ['', [''], ['a', '']]) expect(parseFilterValues('slug', tree)).toEqual(empty);
    const hundred = Array.from({ length: 100 }, (_, index) => `${index}`);
    expect(parseFilterValues('slug', hundred).ok).toBe(true);
    expect(parseFilterValues('slug', [...hundred, 'x'])).toEqual({
      ok: false,
      problem: 'The slug parameter has 101 values; at most 100 are allowed.',
    });
    expect(parseFilterValues('slug', { a: 'b' }).ok).toBe(false);
  });
});

describe('a single value', () => {
  test('is one value or absent, never a list', () => {
    expect(parseSingleValue('limit', undefined)).toEqual({ ok: true, value: undefined });
    expect(parseSingleValue('limit', '5')).toEqual({ ok: true, value: '5' });
    expect(parseSingleValue('limit', ['5'])).toEqual({ ok: true, value: '5' });
    for (const tree of [['5', '6'], { a: '5' }, [['5', '6']]]) {
      expect(parseSingleValue('limit', tree)).toEqual({
        ok: false,
        problem: 'The limit parameter takes exactly one value.',
      });
    }
  });
});

describe('a quoted value', () => {
  test('is shortened to fit into a message, but never cut in the middle of a character', () => {
    expect(quote('a"b')).toBe('"a\\"b"');
    expect(quote('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`);
    expect(quote(`${'x'.repeat(59)}😀y`).isWellFormed()).toBe(true);
  });
});
