import { describe, expect, test } from 'vitest';
import type { ContentType, Field, FieldSettings, FieldType } from './field.ts';
import type { FieldValues } from './field-value.ts';
import { type FittedValues, fitValues } from './fit-values.ts';

function buildField(handle: string, type: FieldType, settings: FieldSettings = {}): Field {
  const common = { name: handle, helpText: null, isRequired: true, isHidden: false, marksMissing: true };
  return { ...common, no: 1, id: `f_${handle}`, handle, type, settings, slot: 1 };
}

function buildType(handle: string, objectType: ContentType['objectType'], fields: readonly Field[]): ContentType {
  return { no: 1, id: `t_${handle}`, handle, name: handle, objectType, uriPattern: '{slug}', fields };
}

const CARD = buildType('card', 'block', [
  buildField('title', 'text'),
  buildField('mood', 'option', { options: [{ label: 'Calm', value: 'calm' }] }),
  buildField('inner', 'blocks'),
]);
const NOTE = buildType('note', 'page', [
  buildField('line', 'text'),
  buildField('related', 'content_links'),
  buildField('files', 'assets'),
  buildField('body', 'blocks'),
]);
const TYPES = new Map([CARD, NOTE].map((type) => [type.handle, type]));

function fitNote(values: FieldValues, links: readonly string[] = [], assets: readonly string[] = []): FittedValues {
  return fitValues(NOTE, values, TYPES, { links: new Set(links), assets: new Set(assets) });
}

function card(fields: FieldValues) {
  return { content_type: 'card', name: 'A card', fields };
}

describe('fitting old values', () => {
  test('keeps all values that are still valid, and does not report fields without a value', () => {
    const values = {
      line: { text: 'a' },
      related: { content_links: ['c_1'] },
      body: { blocks: [card({ mood: { selected_option: 'calm' }, inner: { blocks: [card({})] } })] },
    };
    expect(fitNote(values)).toEqual({ fields: values, leftOut: [] });
  });

  test('leaves out deleted fields, including those in blocks', () => {
    const values = { was: { text: 'x' }, body: { blocks: [card({ title: { text: 't' }, was: { text: 'y' } })] } };
    expect(fitNote(values)).toEqual({
      fields: { body: { blocks: [card({ title: { text: 't' } })] } },
      leftOut: [
        { path: 'fields.was', message: 'is no longer a field of note' },
        { path: 'fields.body.blocks[0].fields.was', message: 'is no longer a field of card' },
      ],
    });
  });

  test('leaves out values that are no longer valid for their field', () => {
    const values = { line: { number: 3 }, body: { blocks: [card({ mood: { selected_option: 'wild' } })] } };
    expect(fitNote(values)).toEqual({
      fields: { body: { blocks: [card({})] } },
      leftOut: [
        { path: 'fields.line', message: 'is no longer valid for its field' },
        { path: 'fields.body.blocks[0].fields.mood', message: 'is no longer valid for its field' },
      ],
    });
  });

  test('leaves out blocks of a deleted type', () => {
    const values = { body: { blocks: [card({}), { content_type: 'quote', name: null, fields: {} }] } };
    expect(fitNote(values)).toEqual({
      fields: { body: { blocks: [card({})] } },
      leftOut: [
        {
          path: 'fields.body.blocks[1]',
          message: 'is a block of type quote, which no longer exists',
        },
      ],
    });
  });

  test('leaves out references to deleted records, and lists that become empty', () => {
    const values = { related: { content_links: ['c_1', 'c_2'] }, files: { assets: ['a_1'] } };
    expect(fitNote(values, ['c_1'], ['a_1'])).toEqual({
      fields: { related: { content_links: ['c_2'] } },
      leftOut: [
        {
          path: 'fields.related.content_links[0]',
          message: 'refers to content c_1, which does not exist in the site',
        },
        { path: 'fields.files.assets[0]', message: 'refers to the asset a_1, which does not exist in the site' },
      ],
    });
  });
});
