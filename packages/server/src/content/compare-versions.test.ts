import { describe, expect, test } from 'vitest';
import { type Change, type ComparedVersion, compareVersions } from './compare-versions.ts';
import type { FieldValues } from './field-value.ts';
import { EMPTY_SEO } from './seo.ts';

function version(parts: Partial<ComparedVersion> = {}): ComparedVersion {
  return { name: 'Hello', slug: 'hello', uri: null, author: 'u_ada', seo: EMPTY_SEO, fields: {}, ...parts };
}

function compareFields(before: FieldValues, after: FieldValues): readonly Change[] {
  return compareVersions(version({ fields: before }), version({ fields: after }));
}

function card(title: string, name: string | null = null) {
  return { content_type: 'card', name, fields: { title: { text: title } } };
}

describe('comparing two versions', () => {
  test('reports no changes if all values are the same', () => {
    const fields = { body: { blocks: [card('One')] }, tags: { list: ['a'] }, rank: { number: 1 } };
    expect(compareFields(fields, structuredClone(fields))).toEqual([]);
  });

  test('reports changes outside the fields, with each seo property separately', () => {
    const after = version({
      name: 'Hello, changed',
      slug: 'changed',
      uri: 'blog/changed',
      author: null,
      seo: { ...EMPTY_SEO, description: 'New', open_graph: { ...EMPTY_SEO.open_graph, image_width: 800 } },
    });
    expect(compareVersions(version(), after)).toEqual([
      { path: 'name', before: 'Hello', after: 'Hello, changed' },
      { path: 'slug', before: 'hello', after: 'changed' },
      { path: 'uri', before: null, after: 'blog/changed' },
      { path: 'author', before: 'u_ada', after: null },
      { path: 'seo.description', before: null, after: 'New' },
      { path: 'seo.open_graph.image_width', before: null, after: 800 },
    ]);
  });

  test.each<[what: string, before: FieldValues, after: FieldValues, changes: readonly Change[]]>([
    [
      'text as a whole',
      { a: { text: 'one two' } },
      { a: { text: 'one three' } },
      [{ path: 'fields.a.text', before: 'one two', after: 'one three' }],
    ],
    ['added values', {}, { a: { number: 0 } }, [{ path: 'fields.a.number', before: null, after: 0 }]],
    ['removed values', { a: { is_on: false } }, {}, [{ path: 'fields.a.is_on', before: false, after: null }]],
    [
      'lists by position',
      { a: { list: ['x', 'y'] } },
      { a: { list: ['y', 'y', 'z'] } },
      [
        { path: 'fields.a.list[0]', before: 'x', after: 'y' },
        { path: 'fields.a.list[2]', before: null, after: 'z' },
      ],
    ],
    [
      'a removed list, item by item',
      { a: { content_links: ['c_1', 'c_2'] } },
      {},
      [
        { path: 'fields.a.content_links[0]', before: 'c_1', after: null },
        { path: 'fields.a.content_links[1]', before: 'c_2', after: null },
      ],
    ],
    [
      'blocks, field by field',
      { a: { blocks: [card('One'), card('Two', 'Old')] } },
      { a: { blocks: [card('One'), card('Deux', 'New')] } },
      [
        { path: 'fields.a.blocks[1].name', before: 'Old', after: 'New' },
        { path: 'fields.a.blocks[1].fields.title.text', before: 'Two', after: 'Deux' },
      ],
    ],
    [
      'an added block as one change',
      {},
      { a: { blocks: [card('One')] } },
      [{ path: 'fields.a.blocks[0]', before: null, after: card('One') }],
    ],
    [
      'a block of a different type as one change',
      { a: { blocks: [card('One')] } },
      { a: { blocks: [{ ...card('One'), content_type: 'quote' }] } },
      [{ path: 'fields.a.blocks[0]', before: card('One'), after: { ...card('One'), content_type: 'quote' } }],
    ],
    [
      'blocks inside blocks',
      { a: { blocks: [{ ...card('x'), fields: { more: { blocks: [card('In')] } } }] } },
      { a: { blocks: [{ ...card('x'), fields: { more: { blocks: [card('Out')] } } }] } },
      [{ path: 'fields.a.blocks[0].fields.more.blocks[0].fields.title.text', before: 'In', after: 'Out' }],
    ],
    [
      'fields named after inherited object properties',
      {},
      { constructor: { text: 'x' } },
      [{ path: 'fields.constructor.text', before: null, after: 'x' }],
    ],
  ])('compares %s', (_what, before, after, changes) => {
    expect(compareFields(before, after)).toEqual(changes);
    const swapped = changes.map(({ path, before: was, after: is }) => ({ path, before: is, after: was }));
    expect(compareFields(after, before)).toEqual(swapped);
  });
});
