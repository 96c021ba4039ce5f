import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseWithSchema } from './parse-with-schema.ts';
import { countMember, nameMember, orNull, strictMembers } from './schema-members.ts';

const schema = strictMembers('a thing', {
  name: nameMember,
  size: orNull(countMember),
  parts: z.array(strictMembers('a part', { name: nameMember })),
});

describe('a value that matches its schema', () => {
  test('is returned with null for omitted optional properties', () => {
    expect(parseWithSchema(schema, { name: 'A', parts: [] })).toEqual({
      ok: true,
      value: { name: 'A', size: null, parts: [] },
    });
  });
});

describe('a value that does not match its schema', () => {
  test('is rejected with all its faults, each with its path, rule and given value', () => {
    const raw = { name: ' ', size: 1.5, parts: [{ name: 'ok' }, { name: 3, colour: 'red' }], weight: 1 };
    expect(parseWithSchema(schema, raw)).toEqual({
      ok: false,
      problem: [
        { path: 'name', message: 'must be 1 to 255 characters and not blank, got " "', code: 'required' },
        { path: 'size', message: 'must be a whole number of at least 0, got 1.5' },
        { path: 'parts[1].name', message: 'must be 1 to 255 characters and not blank, got 3' },
        { path: 'parts[1].colour', message: 'is unknown; a part has name', code: 'unknown' },
        { path: 'weight', message: 'is unknown; a thing has name, size, parts', code: 'unknown' },
      ],
    });
  });

  test('is rejected with an error that contains the limit', () => {
    const limited = z.array(countMember.max(9)).min(1).max(2);
    expect(parseWithSchema(nameMember, 'x'.repeat(256))).toMatchObject({
      problem: [{ path: '', code: 'too_long', values: { max: 255, length: 256 } }],
    });
    expect(parseWithSchema(limited, [-1, 10])).toMatchObject({
      problem: [
        { path: '[0]', code: 'too_small', values: { min: 0 } },
        { path: '[1]', code: 'too_large', values: { max: 9 } },
      ],
    });
    expect(parseWithSchema(limited, [])).toMatchObject({
      problem: [{ code: 'too_few', values: { min: 1, count: 0 } }],
    });
    expect(parseWithSchema(limited, [1, 2, 3])).toMatchObject({
      problem: [{ code: 'too_many', values: { max: 2, count: 3 } }],
    });
  });

  test('is reported only once if it is text instead of an array and also exceeds the maximum length of the array', () => {
    const rule = 'must be an array of at most 2 numbers';
    const limited = z.array(countMember, { error: rule }).max(2, { error: rule });
    expect(parseWithSchema(limited, 'text', 'sizes')).toEqual({
      ok: false,
      problem: [{ path: 'sizes', message: `${rule}, got "text"` }],
    });
  });

  test('is rejected with faults whose paths start with the given path', () => {
    expect(parseWithSchema(schema, { parts: [] }, 'box')).toEqual({
      ok: false,
      problem: [
        {
          path: 'box.name',
          message: 'must be 1 to 255 characters and not blank, got nothing',
          code: 'required',
        },
      ],
    });
  });

  test.each([null, [], 'text', 1])('is rejected as a whole if it is %j', (raw) => {
    const parsed = parseWithSchema(schema, raw, 'box');
    expect(parsed).toMatchObject({ ok: false, problem: [{ path: 'box' }] });
  });

  test.each(['__proto__', 'constructor', 'toString'])('is rejected if it has the property %s', (name) => {
    const parsed = parseWithSchema(schema, JSON.parse(`{"name":"A","parts":[],"${name}":{"size":1}}`));
    expect(parsed).toEqual({
      ok: false,
      problem: [{ path: name, message: 'is unknown; a thing has name, size, parts', code: 'unknown' }],
    });
  });
});
