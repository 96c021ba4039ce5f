import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContentType, type Field, type FieldSettings, type FieldType, MAX_BLOCK_DEPTH } from './field.ts';
import { collectReferences, findMissingRequired, parseFieldValues } from './field-value.ts';

function buildField(handle: string, type: FieldType, settings: FieldSettings = {}, isRequired = false): Field {
  return {
    no: 1,
    id: `f_${handle}`,
    handle,
    name: handle,
    helpText: null,
    type,
    isRequired,
    settings,
    slot: 0,
    isHidden: false,
    marksMissing: false,
  };
}

function buildType(handle: string, objectType: ContentType['objectType'], fields: readonly Field[]): ContentType {
  return { no: 1, id: `t_${handle}`, handle, name: handle, objectType, uriPattern: '{slug}', fields };
}

const OPTIONS = [
  { label: 'Red', value: 'r' },
  { label: 'Green', value: 'g' },
];

const post = buildType('post', 'page', [
  buildField('title', 'text', {}, true),
  buildField('rank', 'number'),
  buildField('featured', 'boolean'),
  buildField('day', 'date'),
  buildField('tags', 'list'),
  buildField('colour', 'option', { options: OPTIONS }),
  buildField('gallery', 'assets'),
  buildField('sections', 'blocks'),
  buildField('related', 'content_links'),
  buildField('constructor', 'text'),
]);
const quote = buildType('quote', 'block', [
  buildField('quote', 'text', {}, true),
  buildField('inner', 'blocks'),
  buildField('source', 'content_links'),
  buildField('photo', 'assets'),
]);
const types = new Map([post, quote].map((type) => [type.handle, type]));

function parse(raw: unknown) {
  return parseFieldValues(post, raw, types);
}

function findFaults(raw: unknown) {
  const parsed = parse(raw);
  return parsed.ok ? [] : parsed.problem.map((fault) => `${fault.path} ${fault.message}`);
}

function readValues(raw: unknown) {
  const parsed = parse(raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
  return parsed.value;
}

/** Quotes nested inside each other, this many levels deep. */
function nestQuotes(levels: number): unknown {
  const inner = levels > 1 ? { inner: { blocks: [nestQuotes(levels - 1)] } } : {};
  return { content_type: 'quote', fields: { quote: { text: `${levels}` }, ...inner } };
}

describe('field values', () => {
  test('are parsed according to the type of their field', () => {
    const values = readValues({
      title: { text: 'Hello' },
      rank: { number: 3 },
      featured: { is_on: false },
      day: { date: '2024-05-01T10:00:00.123+02:00' },
      tags: { list: ['a', '', 'a'] },
      colour: { selected_option: 'g' },
      gallery: { assets: ['a_2', 'a_1'] },
      sections: { blocks: [{ content_type: 'quote', name: 'First', fields: { quote: { text: 'To be' } } }] },
      related: { content_links: ['c_2'] },
    });
    expect(values).toEqual({
      title: { text: 'Hello' },
      rank: { number: 3 },
      featured: { is_on: false },
      day: { date: '2024-05-01T08:00:00+00:00' },
      tags: { list: ['a', '', 'a'] },
      colour: { selected_option: 'g' },
      gallery: { assets: ['a_2', 'a_1'] },
      sections: { blocks: [{ content_type: 'quote', name: 'First', fields: { quote: { text: 'To be' } } }] },
      related: { content_links: ['c_2'] },
    });
  });

  test("are in the order of the type's fields", () => {
    const raw = { related: { content_links: ['c_2'] }, rank: { number: 3 }, title: { text: 'Hello' } };
    expect(Object.keys(readValues(raw))).toEqual(['title', 'rank', 'related']);
  });

  test.each([
    undefined,
    null,
    {},
    { title: null },
    { title: {} },
    { title: { text: null } },
    { tags: { list: [] } },
    { gallery: { assets: [] } },
    { sections: { blocks: [] } },
    { related: { content_links: [] } },
    { rank: { number: null }, featured: { is_on: null }, day: { date: null }, colour: { selected_option: null } },
  ])('are absent for %j', (raw) => {
    expect(Object.keys(readValues(raw))).toEqual([]);
  });

  test('are deeply frozen', () => {
    const values = readValues({
      tags: { list: ['a'] },
      sections: { blocks: [{ content_type: 'quote', fields: { quote: { text: 'x' } } }] },
    });
    const seen: unknown[] = [values];
    for (const each of seen) {
      if (typeof each !== 'object' || each === null) continue;
      expect(Object.isFrozen(each)).toBe(true);
      seen.push(...Object.values(each));
    }
    expect(seen.length).toBeGreaterThan(5);
  });

  test('stay the same when they are parsed again', () => {
    const raw = {
      title: fc.record({ text: fc.string() }),
      rank: fc.record({ number: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
      featured: fc.record({ is_on: fc.boolean() }),
      tags: fc.record({ list: fc.array(fc.string()) }),
      colour: fc.record({ selected_option: fc.constantFrom('r', 'g') }),
      related: fc.record({ content_links: fc.uniqueArray(fc.stringMatching(/^[a-z0-9_-]{1,64}$/)) }),
      sections: fc.record({ blocks: fc.array(fc.integer({ min: 1, max: MAX_BLOCK_DEPTH }).map(nestQuotes)) }),
    };
    fc.assert(
      fc.property(fc.record(raw, { requiredKeys: [] }), (each) => {
        const text = JSON.stringify(readValues(each));
        expect(JSON.stringify(readValues(JSON.parse(text)))).toBe(text);
      }),
    );
  });
});

describe('numbers', () => {
  test.each([0, -1, 1.5, 1e300, 2 ** 53, -(2 ** 53)])('can be %d', (number) => {
    expect(readValues({ rank: { number } })).toEqual({ rank: { number } });
  });

  test('become zero if they are negative zero', () => {
    const value = readValues({ rank: { number: -0 } }).rank;
    expect(value !== undefined && 'number' in value && Object.is(value.number, 0)).toBe(true);
  });

  test('must be finite', () => {
    expect(findFaults(JSON.parse('{"rank":{"number":1e999}}'))).toEqual([
      'fields.rank.number must be a finite number, got Infinity',
    ]);
  });
});

describe('a fault in field values', () => {
  test.each([
    [{ title: { text: 3 } }, 'fields.title.text must be text, got 3'],
    [{ title: 'Hello' }, 'fields.title must be an object with the property text, got "Hello"'],
    [{ title: [] }, 'fields.title must be an object with the property text, got an array'],
    [
      { title: { text: 'a\0' } },
      'fields.title.text must be well-formed Unicode text without NUL characters, got "a\\u0000"',
    ],
    [
      { title: { text: '\ud800' } },
      'fields.title.text must be well-formed Unicode text without NUL characters, got "\\ud800"',
    ],
    [{ rank: { number: '3' } }, 'fields.rank.number must be a finite number, got "3"'],
    [{ featured: { is_on: 1 } }, 'fields.featured.is_on must be true or false, got 1'],
    [
      { day: { date: '2024-05-01' } },
      'fields.day.date must be an ISO 8601 time with an offset, like 2026-03-01T08:00:00+00:00; got "2024-05-01"',
    ],
    [{ colour: { selected_option: 'b' } }, 'fields.colour.selected_option must be one of r, g; got "b"'],
    [{ colour: { selected_option: '' } }, 'fields.colour.selected_option must be one of r, g; got ""'],
    [{ tags: { list: 'a' } }, 'fields.tags.list must be an array, got "a"'],
    [{ tags: { list: ['a', null] } }, 'fields.tags.list[1] must be text, got null'],
    [
      { gallery: { assets: ['a b'] } },
      'fields.gallery.assets[0] must be an id of 1 to 64 characters from A-Z a-z 0-9 _ -, got "a b"',
    ],
    [
      { related: { content_links: [7] } },
      'fields.related.content_links[0] must be an id of 1 to 64 characters from A-Z a-z 0-9 _ -, got 7',
    ],
    [
      { related: { content_links: ['c_1', 'c_2', 'c_1'] } },
      'fields.related.content_links[2] must not repeat an id in the same list, got "c_1"',
    ],
    [
      { nope: { text: 'x' } },
      'fields.nope is not a field of post; its fields: title, rank, featured, day, tags, colour, gallery, sections, related, constructor',
    ],
    [
      { rank: { text: 'x' } },
      'fields.rank.text is unknown; the value of a field of type number has the property number',
    ],
    [
      { rank: { number: 1, unit: 'kg' } },
      'fields.rank.unit is unknown; the value of a field of type number has the property number',
    ],
    [
      { rank: { text: null } },
      'fields.rank.text is unknown; the value of a field of type number has the property number',
    ],
    ['text', 'fields must be an object with field values keyed by handle, got "text"'],
    [[], 'fields must be an object with field values keyed by handle, got an array'],
  ])('contains the given value and the rule: %j', (raw, fault) => {
    expect(findFaults(raw)).toEqual([fault]);
  });

  test('does not hide other faults', () => {
    const raw = {
      title: { text: 1, html: '' },
      rank: { number: 'x' },
      sections: { blocks: [null, { content_type: 'quote', fields: { quote: { text: 2 }, nope: null } }] },
      other: {},
    };
    expect(findFaults(raw).map((fault) => fault.split(' ')[0])).toEqual([
      'fields.title.html',
      'fields.title.text',
      'fields.rank.number',
      'fields.sections.blocks[0]',
      'fields.sections.blocks[1].fields.quote.text',
      'fields.sections.blocks[1].fields.nope',
      'fields.other',
    ]);
  });
});

describe('blocks', () => {
  test('can be given without a name or fields', () => {
    expect(readValues({ sections: { blocks: [{ content_type: 'quote' }] } })).toEqual({
      sections: { blocks: [{ content_type: 'quote', name: null, fields: {} }] },
    });
    expect(readValues({ sections: { blocks: [{ content_type: 'quote', name: '', fields: null }] } })).toEqual({
      sections: { blocks: [{ content_type: 'quote', name: null, fields: {} }] },
    });
  });

  test.each([
    [3, 'fields.sections.blocks[0] must be an object with content_type, name, fields; got 3'],
    [{}, 'fields.sections.blocks[0].content_type must be one of the block types: quote, got nothing'],
    [
      { content_type: 'post' },
      'fields.sections.blocks[0].content_type must be one of the block types: quote, got "post"',
    ],
    [
      { content_type: 'nope', fields: { x: 1 } },
      'fields.sections.blocks[0].content_type must be one of the block types: quote, got "nope"',
    ],
    [
      { content_type: 'quote', sort: 1 },
      'fields.sections.blocks[0].sort is unknown; a block has content_type, name, fields',
    ],
    [{ content_type: 'quote', name: 5 }, 'fields.sections.blocks[0].name must be text, got 5'],
    [
      { content_type: 'quote', name: 'x'.repeat(256) },
      `fields.sections.blocks[0].name must be at most 255 characters, got "${'x'.repeat(60)}…"`,
    ],
    [
      { content_type: 'quote', fields: [] },
      'fields.sections.blocks[0].fields must be an object with field values keyed by handle, got an array',
    ],
  ])('cannot be %j', (block, fault) => {
    expect(findFaults({ sections: { blocks: [block] } })).toEqual([fault]);
  });

  test('can be nested to the maximum depth', () => {
    expect(findFaults({ sections: { blocks: [nestQuotes(MAX_BLOCK_DEPTH)] } })).toEqual([]);
  });

  test('cannot be nested deeper', () => {
    const step = '.blocks[0].fields.inner';
    expect(findFaults({ sections: { blocks: [nestQuotes(MAX_BLOCK_DEPTH + 1)] } })).toEqual([
      `fields.sections${step.repeat(MAX_BLOCK_DEPTH)}.blocks nests blocks 5 levels deep; at most 4 levels are allowed`,
    ]);
    expect(findFaults({ sections: { blocks: [nestQuotes(500)] } })).toHaveLength(1);
  });
});

describe('names of inherited properties', () => {
  test('are ordinary field names if the type has such fields', () => {
    expect(readValues({ constructor: { text: 'Brunel' } })).toEqual({ constructor: { text: 'Brunel' } });
  });

  test('do not provide a value if none was given', () => {
    for (const name of ['constructor', 'toString', '__proto__']) expect(readValues({})[name]).toBeUndefined();
  });

  test.each(['__proto__', 'toString', 'hasOwnProperty'])(
    'are rejected as unknown fields if the type does not have them: %s',
    (name) => {
      const raw = JSON.parse(`{"${name}":{"text":"x"}}`);
      expect(findFaults(raw)[0]).toMatch(`fields.${name} is not a field of post`);
    },
  );

  test('are rejected as unknown properties next to an accessor', () => {
    const raw = JSON.parse('{"title":{"text":"x","__proto__":{"text":"y"}}}');
    expect(findFaults(raw)[0]).toMatch('fields.title.__proto__ is unknown');
    expect(findFaults(JSON.parse('{"sections":{"blocks":[{"__proto__":{"content_type":"quote"}}]}}'))).toHaveLength(2);
  });

  test('never change Object.prototype', () => {
    findFaults(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect('polluted' in {}).toBe(false);
  });
});

describe('missing required values', () => {
  test('are found at every depth', () => {
    const values = readValues({
      sections: {
        blocks: [
          { content_type: 'quote', fields: { quote: { text: 'x' }, inner: { blocks: [{ content_type: 'quote' }] } } },
          { content_type: 'quote' },
        ],
      },
    });
    expect(findMissingRequired(post, values, types)).toEqual([
      { path: 'fields.title', message: 'is required and has no value', code: 'required' },
      {
        path: 'fields.sections.blocks[0].fields.inner.blocks[0].fields.quote',
        message: 'is required and has no value',
        code: 'required',
      },
      { path: 'fields.sections.blocks[1].fields.quote', message: 'is required and has no value', code: 'required' },
    ]);
  });

  test('include blank text', () => {
    expect(findMissingRequired(post, readValues({ title: { text: '' } }), types)).toHaveLength(1);
  });

  test('are not reported if all values are present', () => {
    expect(findMissingRequired(post, readValues({ title: { text: 'x' } }), types)).toEqual([]);
  });

  test('are found for a field with an inherited name', () => {
    const type = buildType('odd', 'page', [buildField('constructor', 'text', {}, true)]);
    expect(findMissingRequired(type, {}, types)).toHaveLength(1);
  });

  test('are not reported in blocks of a deleted type', () => {
    const values = { title: { text: 'x' }, sections: { blocks: [{ content_type: 'gone', name: null, fields: {} }] } };
    expect(findMissingRequired(post, values, types)).toEqual([]);
  });
});

describe('references', () => {
  test('are collected without duplicates, in order of first appearance, including those in blocks', () => {
    const values = readValues({
      related: { content_links: ['c_3', 'c_1'] },
      gallery: { assets: ['a_2'] },
      sections: {
        blocks: [
          {
            content_type: 'quote',
            fields: {
              source: { content_links: ['c_2', 'c_1'] },
              photo: { assets: ['a_1', 'a_2'] },
              inner: { blocks: [{ content_type: 'quote', fields: { source: { content_links: ['c_9'] } } }] },
            },
          },
        ],
      },
    });
    expect(collectReferences(post, values, types)).toEqual({
      links: ['c_9', 'c_2', 'c_1', 'c_3'],
      assets: ['a_2', 'a_1'],
      shown: 10,
    });
  });

  test('are empty lists if there are no values', () => {
    expect(collectReferences(post, {}, types)).toEqual({ links: [], assets: [], shown: 0 });
  });
});
