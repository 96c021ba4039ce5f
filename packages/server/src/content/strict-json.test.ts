import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, parseStrictJson } from './strict-json.ts';

describe('JSON in a bundle', () => {
  test('is parsed like other JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test.each([
    '"\\u0041\\ud83d\\ude00"',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a\\\\":1,"a":"\\\\","b":2}',
    '["a","a",["a"]]',
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ])('can be %s', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test.each([
    ['', 'is not valid JSON: Unexpected end of JSON input'],
    ['{"a":1', /^is not valid JSON: Expected/],
    ["{'a':1}", /^is not valid JSON: Expected/],
    ['{"a":1}{"b":2}', /^is not valid JSON: Unexpected non-whitespace/],
    ['NaN', /^is not valid JSON: /],
    ['{"a":"\u0007"}', /^is not valid JSON: \P{Cc}*$/u],
    ['{"a":1,"b":2,"a":3}', 'has the property "a" twice in one object'],
    ['{"a":1 , "\\u0061" :3}', 'has the property "a" twice in one object'],
    ['[{"x":{"a":[{}],"a":null}}]', 'has the property "a" twice in one object'],
    ['{"__proto__":1,"__proto__":2}', 'has the property "__proto__" twice in one object'],
    ['{"a":"x\\u0000"}', 'contains "x\\u0000", but text must be well-formed Unicode text without NUL characters'],
    ['["\\ud800"]', 'contains "\\ud800", but text must be well-formed Unicode text without NUL characters'],
    ['{"\\udc00":1}', 'contains "\\udc00", but text must be well-formed Unicode text without NUL characters'],
    ['"\ud800"', 'contains a lone surrogate'],
    [`${'['.repeat(101)}${']'.repeat(101)}`, 'is nested deeper than 100 levels'],
    [`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 'is nested deeper than 100 levels'],
    [`${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`, 'is nested deeper than 100 levels'],
  ])('cannot be %.60j', (text, problem) => {
    const parsed = parseStrictJson(text);
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.problem).toMatch(problem);
  });

  test('is rejected if it repeats a property anywhere', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', '{', ' ', 'é'), maxLength: 5 });
    const wrap = fc.array(fc.constantFrom('array', 'object'), { maxLength: 5 });
    fc.assert(
      fc.property(name, fc.jsonValue(), wrap, (member, value, wraps) => {
        const written = `${JSON.stringify(member)}: ${JSON.stringify(value)}`;
        let text = `{${written}, ${written}}`;
        for (const each of wraps) text = each === 'array' ? `[1, ${text}]` : `{"w": ${text}}`;
        expect(parseStrictJson(text).ok).toBe(false);
      }),
    );
  });

  test('is parsed in linear time', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(500_000), b: '['.repeat(500_000), c: '\\'.repeat(500_000) });
    expect(parseStrictJson(text).ok).toBe(true);
  });
});

describe('a JSON object', () => {
  test.each([{}, { a: 1 }, Object.create(null)])('can be %j', (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  test.each([null, undefined, [], 'text', 1, true])('cannot be %j', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});
