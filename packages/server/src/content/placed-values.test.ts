import { describe, expect, test } from 'vitest';
import type { FieldValues } from './field-value.ts';
import { dropBlocks, dropPlacedValues, findBlocks, findPlacedValues } from './placed-values.ts';

const quote = (words: string) => ({ content_type: 'quote', name: null, fields: { title: { text: words } } });
const box = (...blocks: readonly ReturnType<typeof quote>[]) => ({
  content_type: 'box',
  name: 'Box',
  fields: { title: { text: 'Box' }, inner: { blocks } },
});

const VALUES: FieldValues = {
  title: { text: 'Top' },
  body: { blocks: [quote('First'), box(quote('Second'), quote('Third'))] },
  aside: { blocks: [quote('Fourth')] },
};

const ON_TOP = { blockType: null, handle: 'title' };
const IN_QUOTES = { blockType: 'quote', handle: 'title' };

describe('the values of a field', () => {
  test('are found in that field, but not in another field with the same handle', () => {
    expect(findPlacedValues(VALUES, ON_TOP)).toEqual([{ text: 'Top' }]);
    expect(findPlacedValues(VALUES, IN_QUOTES).map((value) => 'text' in value && value.text)).toEqual([
      'First',
      'Second',
      'Third',
      'Fourth',
    ]);
    expect(findPlacedValues(VALUES, { blockType: null, handle: 'constructor' })).toEqual([]);
    expect(findPlacedValues(VALUES, { blockType: 'quote', handle: 'inner' })).toEqual([]);
  });

  test('are removed without affecting other values', () => {
    const { title: _, ...others } = VALUES;
    expect(dropPlacedValues(VALUES, ON_TOP)).toEqual(others);
    const dropped = dropPlacedValues(VALUES, IN_QUOTES);
    expect(findPlacedValues(dropped, IN_QUOTES)).toEqual([]);
    expect(findPlacedValues(dropped, ON_TOP)).toEqual([{ text: 'Top' }]);
    expect(findPlacedValues(dropped, { blockType: 'box', handle: 'title' })).toEqual([{ text: 'Box' }]);
    expect(findBlocks(dropped, 'quote')).toHaveLength(4);
  });
});

test('blocks of a type are removed at every depth, along with lists that become empty', () => {
  expect(dropBlocks(VALUES, 'quote')).toEqual({
    title: { text: 'Top' },
    body: { blocks: [{ content_type: 'box', name: 'Box', fields: { title: { text: 'Box' } } }] },
  });
  expect(dropBlocks(VALUES, 'nothing')).toEqual(VALUES);
});
