import { describe, expect, test } from 'vitest';
import type { ContentType, FieldSettings, FieldType } from './field.ts';
import type { FieldValue, FieldValues } from './field-value.ts';
import { findSettingFaults, type ReferenceLookup } from './find-setting-faults.ts';

const lookup: ReferenceLookup = {
  findContentTypeHandle: (id) =>
    new Map([
      ['c_post', 'post'],
      ['c_page', 'page'],
    ]).get(id),
  findMimeType: (id) =>
    new Map([
      ['a_photo', 'image/jpeg'],
      ['a_paper', 'application/pdf'],
    ]).get(id),
};

function buildType(handle: string, type: FieldType, settings: FieldSettings): ContentType {
  const field = {
    no: 1,
    id: 'f_x',
    handle: 'x',
    name: 'X',
    helpText: null,
    type,
    isRequired: true,
    settings,
    slot: 0,
    isHidden: false,
    marksMissing: false,
  };
  return { no: 1, id: 't_1', handle, name: handle, objectType: 'page', uriPattern: '{slug}', fields: [field] };
}

function findFaults(type: FieldType, settings: FieldSettings, value: FieldValue): readonly string[] {
  const faults = findSettingFaults(buildType('post', type, settings), { x: value }, new Map(), lookup);
  return faults.map((fault) => `${fault.path} ${fault.message}`);
}

function buildBlocks(...handles: readonly string[]): FieldValue {
  return { blocks: handles.map((handle) => ({ content_type: handle, name: null, fields: {} })) };
}

describe('satisfied settings', () => {
  const cases: readonly (readonly [FieldType, FieldSettings, FieldValue])[] = [
    ['text', {}, { text: 'x'.repeat(10_000) }],
    ['text', { min_length: 2, max_length: 2 }, { text: '😀😀' }],
    ['number', {}, { number: 1.5 }],
    ['number', { min: 1, max: 3, integer: true }, { number: 3 }],
    ['boolean', {}, { is_on: false }],
    ['date', {}, { date: '2024-05-01T08:00:00+00:00' }],
    ['option', { options: [{ label: 'A', value: 'a' }] }, { selected_option: 'a' }],
    ['list', { min_items: 1, max_items: 2 }, { list: ['a', 'b'] }],
    ['assets', { allowed_kinds: ['video/', 'image/'] }, { assets: ['a_photo'] }],
    ['assets', { allowed_kinds: ['application/pdf'] }, { assets: ['a_paper', 'a_unknown'] }],
    ['content_links', { allowed_types: ['post'], max_items: 2 }, { content_links: ['c_post', 'c_unknown'] }],
    ['blocks', { allowed_types: ['hero'] }, buildBlocks('hero', 'hero')],
    ['blocks', {}, buildBlocks('anything')],
  ];

  test.each(cases)('in a field of type %s: %j accepts %j', (type, settings, value) => {
    expect(findFaults(type, settings, value)).toEqual([]);
  });

  test('accept a field without a value, even if there is a minimum', () => {
    const type = buildType('post', 'list', { min_items: 3 });
    expect(findSettingFaults(type, {}, new Map(), lookup)).toEqual([]);
  });
});

describe('violated settings', () => {
  const cases: readonly (readonly [FieldType, FieldSettings, FieldValue, readonly string[]])[] = [
    ['text', { min_length: 3 }, { text: '😀😀' }, ['fields.x.text must have at least 3 characters, has 2']],
    ['text', { max_length: 1 }, { text: '😀😀' }, ['fields.x.text must have at most 1 characters, has 2']],
    ['number', { min: 2 }, { number: 1 }, ['fields.x.number must be at least 2, got 1']],
    [
      'number',
      { max: 2, integer: true },
      { number: 2.5 },
      [
        'fields.x.number must be a whole number of at most 9007199254740991, got 2.5',
        'fields.x.number must be at most 2, got 2.5',
      ],
    ],
    [
      'number',
      { integer: true },
      { number: 2 ** 53 },
      ['fields.x.number must be a whole number of at most 9007199254740991, got 9007199254740992'],
    ],
    ['list', { min_items: 2 }, { list: ['a'] }, ['fields.x.list must have at least 2 items, has 1']],
    ['list', { max_items: 1 }, { list: ['a', 'b'] }, ['fields.x.list must have at most 1 items, has 2']],
    [
      'assets',
      { allowed_kinds: ['image/', 'video/'], max_items: 1 },
      { assets: ['a_photo', 'a_paper'] },
      [
        'fields.x.assets must have at most 1 items, has 2',
        'fields.x.assets[1] must be an asset of kind image/ or video/; "a_paper" is application/pdf',
      ],
    ],
    [
      'content_links',
      { allowed_types: ['post'] },
      { content_links: ['c_post', 'c_page'] },
      ['fields.x.content_links[1] must be content of type post; "c_page" is of type page'],
    ],
    [
      'blocks',
      { allowed_types: ['hero', 'quote'], max_items: 1 },
      buildBlocks('hero', 'gallery'),
      [
        'fields.x.blocks must have at most 1 items, has 2',
        'fields.x.blocks[1].content_type must be one of hero, quote; got "gallery"',
      ],
    ],
  ];

  test.each(cases)('in a field of type %s: %j rejects %j', (type, settings, value, faults) => {
    expect(findFaults(type, settings, value)).toEqual(faults);
  });

  test('are found inside blocks', () => {
    const outer = buildType('post', 'blocks', {});
    const inner = buildType('quote', 'text', { max_length: 1 });
    const values: FieldValues = {
      x: { blocks: [{ content_type: 'quote', name: null, fields: { x: { text: 'ab' } } }] },
    };
    expect(findSettingFaults(outer, values, new Map([['quote', inner]]), lookup)).toEqual([
      {
        path: 'fields.x.blocks[0].fields.x.text',
        message: 'must have at most 1 characters, has 2',
        code: 'too_long',
        values: { max: 1, length: 2 },
      },
    ]);
  });
});
