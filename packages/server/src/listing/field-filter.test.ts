import { describe, expect, test } from 'vitest';
import { CATALOG } from './catalog.fixture.ts';
import { type Match, parseFieldFilters } from './field-filter.ts';
import { LIST_PARAMETERS, parseQueryParameters } from './query-parameters.ts';

function parse(text: string, match: Match = 'all'): unknown {
  const parameters = parseQueryParameters(text, LIST_PARAMETERS);
  const tree = parameters.ok ? parameters.value.get('fields') : undefined;
  if (tree === undefined) throw new Error(`${text} has no fields`);
  const filters = parseFieldFilters(tree, match, CATALOG);
  return filters.ok ? filters.value : filters.problem;
}

describe('field filters', () => {
  test('use the fields of all content types that have the handle and the accessor', () => {
    expect(parse('fields[text][title]=a')).toEqual([{ kind: 'text', fieldNos: [11, 21], values: ['a'] }]);
    expect(parse('fields[number][rank]=5')).toEqual([{ kind: 'number', fieldNos: [12], values: [5] }]);
    expect(parse('fields[text][rank]=5')).toEqual([{ kind: 'text', fieldNos: [22], values: ['5'] }]);
    expect(parse('fields[selected_option][mood]=x')).toEqual([{ kind: 'option', fieldNos: [14], values: ['x'] }]);
  });

  test('list the content types that have the switch, because only their content can have it turned off', () => {
    const on = { kind: 'switch', fieldNos: [13, 23], isOn: true, typeNos: [1, 2] };
    expect(parse('fields[is_on][lit]=true')).toEqual([on]);
    expect(parse('fields[is_on][lit]=1')).toEqual([on]);
    expect(parse('fields[is_on][lit]=false')).toEqual([{ ...on, isOn: false }]);
    expect(parse('fields[is_on][lit]=0')).toEqual([{ ...on, isOn: false }]);
    expect(parse('fields[is_on][lit]=0&fields[is_on][lit]=1')).toBe('none');
    expect(parse('fields[is_on][lit]=0&fields[is_on][lit]=1', 'any')).toEqual([{ ...on, fieldNos: [], isOn: false }]);
  });

  test('match links by slug or by id, with all values of each in one filter', () => {
    const byId = { kind: 'link', fieldNos: [15], by: 'id', values: ['a', 'b'], match: 'all' };
    const query = 'fields[content_links][related][id][]=a&fields[content_links][related][id][]=b';
    expect(parse(query)).toEqual([byId]);
    expect(parse(query, 'any')).toEqual([{ ...byId, match: 'any' }]);
    expect(parse('fields[content_links][related][slug]=x&fields[content_links][related][id]=y')).toEqual([
      { kind: 'link', fieldNos: [15], by: 'slug', values: ['x'], match: 'all' },
      { kind: 'link', fieldNos: [15], by: 'id', values: ['y'], match: 'all' },
    ]);
  });

  test('cannot match if one field has to equal two different values', () => {
    for (const query of ['fields[text][title]', 'fields[selected_option][mood]']) {
      expect(parse(`${query}=a&${query}=b`)).toBe('none');
      expect(parse(`${query}=a&${query}=a`)).toMatchObject([{ values: ['a'] }]);
      expect(parse(`${query}=a&${query}=b`, 'any')).toMatchObject([{ values: ['a', 'b'] }]);
    }
    expect(parse('fields[number][rank]=1&fields[number][rank]=2')).toBe('none');
    expect(parse('fields[number][rank]=1&fields[number][rank]=1.0')).toMatchObject([{ values: [1] }]);
    expect(parse('fields[text][title]=a&fields[text][title]=b&fields[text][rank]=c')).toBe('none');
  });

  test('all have to match if there are several', () => {
    expect(parse('fields[text][title]=a&fields[number][rank]=1&fields[text][rank]=b')).toHaveLength(3);
  });

  test.each([
    ['fields=a', 'must have the form'],
    ['fields[]=a', 'must have the form'],
    ['fields[text]=a', 'does not support "text"'],
    ['fields[title]=a', 'does not support "title"'],
    ['fields[date][starts]=a', 'does not support "date"'],
    ['fields[text][nothing]=a', 'names "nothing"'],
    ['fields[text][toString]=a', 'names "toString"'],
    ['fields[number][title]=1', 'names "title"'],
    ['fields[text][title]=', 'is empty'],
    ['fields[text][title][a]=b', 'takes one value or a list'],
    ['fields[number][rank]=x', 'is "x"; a number is allowed'],
    ['fields[number][rank]=1e999', 'a number is allowed'],
    ['fields[is_on][lit]=yes', 'is "yes"; true, false, 1 and 0 are allowed'],
    ['fields[content_links][related]=x', 'must have the form'],
    ['fields[content_links][related][name]=x', 'does not support "name"'],
    ['fields[content_links][related][id]=', 'is empty'],
  ])('are rejected if they are %s', (text, problem) => {
    expect(parse(text)).toContain(problem);
  });
});
