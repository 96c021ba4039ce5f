import { describe, expect, test } from 'vitest';
import { CATALOG } from './catalog.fixture.ts';
import { DEFAULT_SORTS, formatSorts, parseSorts, SORT_ATTRIBUTES } from './sort.ts';

function parsed(...values: readonly string[]): string {
  const sorts = parseSorts(values, CATALOG);
  return sorts.ok ? formatSorts(sorts.value) : `refused: ${sorts.problem}`;
}

describe('sort values', () => {
  test('consist of an attribute and a direction, or of a field, its accessor and a direction', () => {
    for (const attribute of SORT_ATTRIBUTES) {
      for (const direction of ['asc', 'desc']) {
        expect(parsed(`${attribute}:${direction}`)).toBe(`${attribute}:${direction}`);
      }
    }
    expect(parsed('title.text:desc', 'rank.number:asc')).toBe('title.text:desc,rank.number:asc');
  });

  test('are ascending by default', () => {
    expect(parsed('name')).toBe('name:asc');
    expect(parsed('title.text')).toBe('title.text:asc');
  });

  test('count as absent if they are empty', () => {
    for (const values of [[], [''], ['', '']]) {
      const sorts = parseSorts(values, CATALOG);
      expect(sorts.ok && sorts.value).toBe(DEFAULT_SORTS);
    }
    expect(parsed('', 'name', '')).toBe('name:asc');
  });

  test('keep their order', () => {
    expect(parsed('slug', 'name:desc', 'uri')).toBe('slug:asc,name:desc,uri:asc');
  });

  test('use the accessor to choose between fields with the same handle', () => {
    expect(parsed('rank.number')).toBe('rank.number:asc');
    expect(parsed('rank.text')).toBe('rank.text:asc');
  });

  test.each([
    ['id', 'does not support "id"'],
    ['Name:asc', 'does not support "Name"'],
    ['toString', 'does not support "toString"'],
    ['name:up', 'has the direction "up"'],
    ['name:', 'has the direction ""'],
    ['name:asc:desc', 'has the direction "asc:desc"'],
    ['name :asc', 'does not support "name "'],
    ['title.value', 'has the accessor "value"'],
    ['title.', 'has the accessor ""'],
    ['.text', 'names the field ""'],
    ['a.b.text', 'names the field "a.b"'],
    ['nothing.text', 'names the field "nothing"'],
    ['title.number', 'reads the field "title" as number, but its type is text'],
    ['starts.text', 'reads the field "starts" as text, but its type is date'],
  ])('are rejected if one of them is %s', (value, problem) => {
    expect(parsed(value)).toContain(problem);
    expect(parsed('slug', value)).toContain(problem);
  });

  test('are rejected if a key is named twice, or if there are more than eight', () => {
    expect(parsed('name', 'slug', 'name:desc')).toContain('names "name" twice');
    expect(parsed('title.text', 'title.text:desc')).toContain('names "title.text" twice');
    expect(parsed(...SORT_ATTRIBUTES, 'title.text', 'rank.number')).not.toContain('refused');
    expect(parsed(...SORT_ATTRIBUTES, 'title.text', 'rank.number', 'rank.text')).toContain('has 9 values');
  });
});
