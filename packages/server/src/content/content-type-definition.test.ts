import { describe, expect, test } from 'vitest';
import {
  buildFieldParts,
  contentTypeDefinition,
  describeField,
  fieldDefinition,
  isSameField,
} from './content-type-definition.ts';
import { parseWithSchema } from './parse-with-schema.ts';

function parse(raw: unknown) {
  return parseWithSchema(contentTypeDefinition, raw);
}

function parseField(field: unknown) {
  return parse({ handle: 'post', name: 'Post', fields: [field] });
}

describe('a content type definition', () => {
  test('is completed with defaults if only the required properties are given', () => {
    expect(parse({ handle: 'post', name: 'Post', fields: [] })).toEqual({
      ok: true,
      value: { handle: 'post', name: 'Post', object_type: 'page', uri_pattern: '{slug}', fields: [] },
    });
  });

  test('accepts null for optional properties', () => {
    const raw = { handle: 'post', name: 'Post', object_type: null, uri_pattern: null, fields: [] };
    expect(parse(raw)).toMatchObject({ ok: true, value: { object_type: 'page', uri_pattern: '{slug}' } });
  });

  test('keeps its fields in order', () => {
    const parsed = parse({
      handle: 'post',
      name: 'Post',
      object_type: 'entry',
      uri_pattern: '{language}/blog/{slug}',
      fields: [
        { handle: 'title', name: 'Title', type: 'text', required: true },
        { handle: 'rank', id: 'f_rank', type: 'number', help_text: 'Lower is first' },
      ],
    });
    expect(parsed).toEqual({
      ok: true,
      value: {
        handle: 'post',
        name: 'Post',
        object_type: 'entry',
        uri_pattern: '{language}/blog/{slug}',
        fields: [
          {
            id: null,
            handle: 'title',
            name: 'Title',
            type: 'text',
            required: true,
            hidden: false,
            help_text: null,
            settings: {},
          },
          {
            id: 'f_rank',
            handle: 'rank',
            name: 'Rank',
            type: 'number',
            required: false,
            hidden: false,
            help_text: 'Lower is first',
            settings: {},
          },
        ],
      },
    });
  });

  test.each([
    [{ handle: 'Post' }, 'handle'],
    [{ handle: 'x'.repeat(65) }, 'handle'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ object_type: 'thing' }, 'object_type'],
    [{ uri_pattern: '{name}' }, 'uri_pattern'],
    [{ uri_pattern: 'a b' }, 'uri_pattern'],
    [{ uri_pattern: 'a?b={slug}' }, 'uri_pattern'],
    [{ uri_pattern: 5 }, 'uri_pattern'],
    [{ fields: {} }, 'fields'],
    [{ fields: undefined }, 'fields'],
    [{ colour: 'red' }, 'colour'],
  ])('is rejected with %j', (change, path) => {
    const parsed = parse({ handle: 'post', name: 'Post', fields: [], ...change });
    expect(parsed).toMatchObject({ ok: false, problem: [{ path }] });
  });

  test('reports the fault in a pattern', () => {
    expect(parse({ handle: 'post', name: 'Post', fields: [], uri_pattern: 'blog/{name}' })).toEqual({
      ok: false,
      problem: [
        {
          path: 'uri_pattern',
          message:
            'must contain only known placeholders ({name} is unknown; {slug}, {id} and {language} are allowed); ' +
            'got "blog/{name}"',
        },
      ],
    });
  });

  test('cannot have two fields with the same handle or id', () => {
    const fields = [
      { handle: 'a', type: 'text', id: 'f_1' },
      { handle: 'b', type: 'text', id: 'f_1' },
      { handle: 'a', type: 'number' },
    ];
    expect(parse({ handle: 'post', name: 'Post', fields })).toEqual({
      ok: false,
      problem: [
        { path: 'fields[2].handle', message: 'must be unique among the fields, got "a"', code: 'duplicate' },
        { path: 'fields[1].id', message: 'must be unique among the fields, got "f_1"', code: 'duplicate' },
      ],
    });
  });
});

describe('a field', () => {
  test.each([
    ['cover_image', 'Cover image'],
    ['title', 'Title'],
    ['a__b_', 'A b'],
  ])('has a default name based on its handle: %s becomes %s', (handle, name) => {
    expect(parseField({ handle, type: 'date', name: null })).toMatchObject({ ok: true, value: { fields: [{ name }] } });
  });

  test.each([
    [
      { type: 'text', format: 'markdown', min_length: 1, max_length: 1 },
      { format: 'markdown', min_length: 1, max_length: 1 },
    ],
    [{ type: 'text', format: null, min_length: null, max_length: null, required: null }, {}],
    [
      { type: 'number', min: -1.5, max: 2, integer: true },
      { min: -1.5, max: 2, integer: true },
    ],
    [{ type: 'boolean' }, {}],
    [{ type: 'date' }, {}],
    [
      { type: 'list', min_items: 0, max_items: 9 },
      { min_items: 0, max_items: 9 },
    ],
    [{ type: 'option', options: [{ label: 'Red', value: 'r' }] }, { options: [{ label: 'Red', value: 'r' }] }],
    [
      { type: 'assets', allowed_kinds: ['image/', 'application/pdf'] },
      { allowed_kinds: ['image/', 'application/pdf'] },
    ],
    [{ type: 'assets', allowed_kinds: [] }, {}],
    [
      { type: 'content_links', allowed_types: ['post'], max_items: 1 },
      { allowed_types: ['post'], max_items: 1 },
    ],
    [{ type: 'blocks', allowed_types: ['hero', 'quote'] }, { allowed_types: ['hero', 'quote'] }],
  ])('accepts the settings for its type: %j', (raw, settings) => {
    const parsed = parseField({ handle: 'x', ...raw });
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && parsed.value.fields[0]?.settings).toStrictEqual(settings);
  });

  test.each([
    [{ type: 'text', format: 'rtf' }, 'fields[0].format'],
    [{ type: 'text', min_length: -1 }, 'fields[0].min_length'],
    [{ type: 'text', max_length: 1.5 }, 'fields[0].max_length'],
    [{ type: 'text', min_length: 3, max_length: 2 }, 'fields[0].min_length'],
    [{ type: 'text', options: [] }, 'fields[0].options'],
    [{ type: 'number', min: 3, max: 2 }, 'fields[0].min'],
    [{ type: 'number', min: '1' }, 'fields[0].min'],
    [{ type: 'number', integer: 'yes' }, 'fields[0].integer'],
    [{ type: 'list', min_items: 3, max_items: 2 }, 'fields[0].min_items'],
    [{ type: 'option' }, 'fields[0].options'],
    [{ type: 'option', options: [] }, 'fields[0].options'],
    [{ type: 'option', options: [{ label: 'A' }] }, 'fields[0].options[0].value'],
    [{ type: 'option', options: [{ label: '', value: 'a' }] }, 'fields[0].options[0].label'],
    [{ type: 'option', options: [{ label: 'A', value: 'a', colour: 1 }] }, 'fields[0].options[0].colour'],
    [
      {
        type: 'option',
        options: [
          { label: 'A', value: 'a' },
          { label: 'B', value: 'a' },
        ],
      },
      'fields[0].options[1].value',
    ],
    [{ type: 'assets', allowed_kinds: ['image'] }, 'fields[0].allowed_kinds[0]'],
    [{ type: 'assets', allowed_kinds: ['image/', 'image/'] }, 'fields[0].allowed_kinds[1]'],
    [{ type: 'assets', allowed_kinds: 'image/' }, 'fields[0].allowed_kinds'],
    [{ type: 'content_links', allowed_types: ['Post'] }, 'fields[0].allowed_types[0]'],
    [{ type: 'blocks', allowed_types: ['a', 'b', 'a'] }, 'fields[0].allowed_types[2]'],
    [{ type: 'text', required: 'yes' }, 'fields[0].required'],
    [{ type: 'text', help_text: 5 }, 'fields[0].help_text'],
    [{ type: 'text', id: 'a b' }, 'fields[0].id'],
    [{ type: 'text', handle: 'A' }, 'fields[0].handle'],
    [{ type: 'text', name: ' ' }, 'fields[0].name'],
    [{ type: 'json' }, 'fields[0].type'],
    [{ type: 'constructor' }, 'fields[0].type'],
    [{}, 'fields[0].type'],
  ])('is rejected with %j', (raw, path) => {
    expect(parseField({ handle: 'x', ...raw })).toMatchObject({ ok: false, problem: [{ path }] });
  });

  test.each([null, 'text', []])('cannot be %j', (raw) => {
    expect(parseField(raw)).toMatchObject({ ok: false, problem: [{ path: 'fields[0]' }] });
  });

  test('lists the settings for its type if a property is unknown', () => {
    expect(parseField({ handle: 'x', type: 'number', max_length: 5 })).toEqual({
      ok: false,
      problem: [
        {
          path: 'fields[0].max_length',
          message:
            'is unknown; a field of type number has type, id, handle, name, required, hidden, help_text, min, max, integer',
          code: 'unknown',
        },
      ],
    });
  });

  test('lists the allowed types if its type is unknown', () => {
    expect(parseField({ handle: 'x', type: 'json' })).toEqual({
      ok: false,
      problem: [
        {
          path: 'fields[0].type',
          message:
            'must be one of text, number, boolean, date, list, option, assets, blocks, content_links; got "json"',
        },
      ],
    });
  });

  test('reports both limits if they are swapped', () => {
    expect(parseField({ handle: 'x', type: 'text', min_length: 9, max_length: 2 })).toEqual({
      ok: false,
      problem: [
        {
          path: 'fields[0].min_length',
          message: 'must not be greater than max_length (2), got 9',
          code: 'too_large',
          values: { max: 2 },
        },
      ],
    });
  });
});

describe('a described field', () => {
  const parts = {
    handle: 'rank',
    name: 'Rank',
    helpText: 'Lower is first',
    type: 'number',
    isRequired: true,
    isHidden: true,
    settings: { min: 1, max: 9, integer: true },
  } as const;

  test('stays the same when it is parsed again', () => {
    const parsed = parseWithSchema(fieldDefinition, describeField(parts));
    expect(parsed.ok && buildFieldParts(parsed.value)).toEqual(parts);
    expect(parsed.ok && isSameField(buildFieldParts(parsed.value), parts)).toBe(true);
  });

  test.each([
    [{ name: 'Place' }],
    [{ helpText: null }],
    [{ isRequired: false }],
    [{ isHidden: false }],
    [{ settings: { min: 1, max: 9 } }],
    [{ settings: { min: 1, max: 9, integer: false } }],
  ])('counts as a different field with %j', (change) => {
    expect(isSameField(parts, { ...parts, ...change })).toBe(false);
  });

  test('counts as the same field if its settings are in a different order', () => {
    expect(isSameField(parts, { ...parts, settings: { integer: true, max: 9, min: 1 } })).toBe(true);
  });
});
