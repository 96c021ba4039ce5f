import { describe, expect, test } from 'vitest';
import { buildTextDigest, decodeBody, PIECES, readIds } from './body.ts';
import type { ContentType, Field, FieldType } from './field.ts';
import type { FieldValues } from './field-value.ts';
import { EMPTY_SEO } from './seo.ts';
import { buildTextKey } from './text-key.ts';
import { type ContentState, typesetContent } from './typeset.ts';

function buildField(no: number, handle: string, type: FieldType, slot: number): Field {
  return {
    no,
    id: `f_${no}`,
    handle,
    name: handle,
    helpText: null,
    type,
    isRequired: false,
    settings: {},
    slot,
    isHidden: false,
    marksMissing: true,
  };
}

function buildType(no: number, handle: string, fields: readonly Field[]): ContentType {
  return { no, id: `t_${handle}`, handle, name: handle, objectType: 'page', uriPattern: '{slug}', fields };
}

// The slots are not in the order of the fields, and slot 2 belonged to a deleted field.
const ARTICLE = buildType(1, 'article', [
  buildField(11, 'title', 'text', 4),
  buildField(12, 'rank', 'number', 0),
  buildField(13, 'lit', 'boolean', 1),
  buildField(14, 'mood', 'option', 3),
  buildField(15, 'starts', 'date', 5),
  buildField(16, 'tags', 'list', 6),
  buildField(17, 'files', 'assets', 7),
  buildField(18, 'body', 'blocks', 8),
  buildField(19, 'related', 'content_links', 9),
]);
const PART = buildType(2, 'part', [
  buildField(21, 'line', 'text', 0),
  buildField(22, 'inner', 'blocks', 1),
  buildField(23, 'see', 'content_links', 2),
  buildField(24, 'shot', 'assets', 3),
]);
const TYPES = new Map([ARTICLE, PART].map((type) => [type.handle, type]));

function typeset(fields: FieldValues, parts: Partial<ContentState> = {}) {
  const state: ContentState = {
    id: 'c_1',
    slug: 'hello',
    name: 'Hello',
    uri: 'blog/hello',
    language: 'en',
    authorNo: 7,
    seo: EMPTY_SEO,
    fields,
    publishedAt: Date.UTC(2024, 4, 1, 10),
    createdAt: Date.UTC(2024, 3, 30, 9),
    updatedAt: Date.UTC(2024, 4, 2, 11),
    ...parts,
  };
  return typesetContent(state, ARTICLE, TYPES);
}

function piecesOf(fields: FieldValues, parts: Partial<ContentState> = {}): readonly string[] {
  return decodeBody(typeset(fields, parts).body).pieces;
}

/** The object with every gap filled with null. */
function join(pieces: readonly string[]): unknown {
  const { head, language, seo, foot } = PIECES;
  return JSON.parse(`${pieces[head]}null${pieces[language]}null,"content_type":null${pieces[seo]}${pieces[foot]}`);
}

describe('typeset content', () => {
  test('forms a JSON object when its pieces are joined, with properties in the documented order', () => {
    const object = join(piecesOf({}));
    expect(Object.keys(object ?? {})).toEqual([
      'id',
      'published_at',
      'slug',
      'name',
      'uri',
      'url',
      'language',
      'author',
      'content_type',
      'seo',
      'fields',
      'created_at',
      'updated_at',
    ]);
    expect(object).toMatchObject({
      id: 'c_1',
      published_at: '2024-05-01T10:00:00+00:00',
      slug: 'hello',
      name: 'Hello',
      uri: 'blog/hello',
      language: 'en',
      created_at: '2024-04-30T09:00:00+00:00',
      updated_at: '2024-05-02T11:00:00+00:00',
    });
  });

  test('has no publish time if it was never published, and uses its name if no title is set', () => {
    expect(join(piecesOf({}, { publishedAt: null }))).toMatchObject({ published_at: null, seo: { title: 'Hello' } });
    expect(join(piecesOf({}, { seo: { ...EMPTY_SEO, title: 'Set' } }))).toMatchObject({ seo: { title: 'Set' } });
  });

  test('keeps its pieces separate, regardless of the characters in its text', () => {
    const text = 'a\nb\r\u2028"\\\t}';
    const pieces = piecesOf({ title: { text }, tags: { list: [text] } }, { name: text, uri: 'a"b', slug: 'x"\\' });
    expect(join(pieces)).toMatchObject({ name: text, uri: 'a"b', slug: 'x"\\' });
    expect(JSON.parse(pieces[PIECES.fields + 4] ?? '')).toBe(text);
    expect(JSON.parse(pieces[PIECES.fields + 6] ?? '')).toEqual([{ sort: 1, text }]);
    expect(JSON.parse(`"${pieces[PIECES.uri]}"`)).toBe('a"b');
  });

  test('puts each value in the slot of its field, and leaves the slot empty if there is no value', () => {
    const values = piecesOf({
      title: { text: 'T' },
      rank: { number: 1.5 },
      lit: { is_on: false },
      mood: { selected_option: 'calm' },
      starts: { date: '2024-05-01T10:00:00+00:00' },
      tags: { list: ['a', 'b'] },
      files: { assets: ['a_1', 'a_2'] },
      related: { content_links: ['c_2'] },
    }).slice(PIECES.fields);
    expect(values).toEqual([
      '1.5',
      'false',
      '',
      '"calm"',
      '"T"',
      '"2024-05-01T10:00:00+00:00"',
      '[{"sort":1,"text":"a"},{"sort":2,"text":"b"}]',
      '["a_1","a_2"]',
      '',
      '["c_2"]',
    ]);
    expect(piecesOf({}).slice(PIECES.fields)).toEqual(Array.from({ length: 10 }, () => ''));
  });

  test('contains blocks with their type number and their values by slot', () => {
    const inner = { content_type: 'part', name: null, fields: { line: { text: 'deep' } } };
    const block = {
      content_type: 'part',
      name: 'Outer',
      fields: { line: { text: 'top' }, inner: { blocks: [inner] } },
    };
    const gone = { content_type: 'gone', name: null, fields: {} };
    const piece = piecesOf({ body: { blocks: [block, gone] } })[PIECES.fields + 8];
    expect(JSON.parse(piece ?? '')).toEqual([
      [2, 'Outer', ['"top"', JSON.stringify([[2, null, ['"deep"', '', '', '']]]), '', '']],
    ]);
  });

  test('lists its links and assets without duplicates, including those in blocks', () => {
    const block = {
      content_type: 'part',
      name: null,
      fields: { see: { content_links: ['c_3', 'c_2'] }, shot: { assets: ['a_2', 'a_1'] } },
    };
    const { body } = typeset({
      files: { assets: ['a_1'] },
      body: { blocks: [block] },
      related: { content_links: ['c_2'] },
    });
    expect(readIds(decodeBody(body), PIECES.links).toSorted()).toEqual(['c_2', 'c_3']);
    expect(readIds(decodeBody(body), PIECES.assets).toSorted()).toEqual(['a_1', 'a_2']);
  });

  test('contains the sort keys for lists', () => {
    const { nameKey, slugKey, uriKey } = typeset({}, { name: 'Élan', slug: 'ÉLAN', uri: 'A/Élan' });
    expect([nameKey, slugKey, uriKey]).toEqual(['elan', 'elan', 'a/elan']);
  });

  test('has a row for each text and number field, with null for a missing value', () => {
    const empty = typeset({});
    expect(empty.texts).toEqual([{ fieldNo: 11, key: null, digest: null }]);
    expect(empty.numbers).toEqual([{ fieldNo: 12, key: null }]);
    const filled = typeset({ title: { text: 'Élan' }, rank: { number: -2 } });
    expect(filled.texts).toEqual([{ fieldNo: 11, key: buildTextKey('Élan'), digest: buildTextDigest('Élan') }]);
    expect(filled.numbers).toEqual([{ fieldNo: 12, key: -2 }]);
  });

  test('has a token for each switch, option and link, but none for values in blocks', () => {
    const block = { content_type: 'part', name: null, fields: { see: { content_links: ['c_9'] } } };
    const { tokens } = typeset({
      lit: { is_on: true },
      mood: { selected_option: 'calm' },
      body: { blocks: [block] },
      related: { content_links: ['c_2', 'c_3'] },
    });
    expect(tokens).toEqual([
      { fieldNo: 13, token: '1' },
      { fieldNo: 14, token: 'calm' },
      { fieldNo: 19, token: 'c_2' },
      { fieldNo: 19, token: 'c_3' },
    ]);
    expect(typeset({ lit: { is_on: false } }).tokens).toEqual([{ fieldNo: 13, token: '0' }]);
    expect(typeset({}).tokens).toEqual([{ fieldNo: 13, token: '0' }]);
  });

  test('does not treat inherited properties as values', () => {
    const odd = buildType(3, 'odd', [buildField(31, 'constructor', 'text', 0)]);
    const state = {
      id: 'c',
      slug: 's',
      name: 'n',
      uri: 'u',
      language: 'en',
      authorNo: null,
      seo: EMPTY_SEO,
      fields: {},
    };
    const times = { publishedAt: null, createdAt: 0, updatedAt: 0 };
    expect(typesetContent({ ...state, ...times }, odd, TYPES).texts).toEqual([
      { fieldNo: 31, key: null, digest: null },
    ]);
  });
});
