import { expect, test } from 'vitest';
import { countFilters, parseContentSearch } from './content-search.ts';

const NONE = {
  search: undefined,
  content_type: undefined,
  status: undefined,
  author: undefined,
  language: undefined,
  sort: undefined,
};

test.each([
  [{}, {}],
  [
    { search: 'moss', sort: 'name:asc' },
    { search: 'moss', sort: 'name:asc' },
  ],
  [{ search: 1984 }, { search: '1984' }],
  [{ search: '', author: [], language: null, content_type: {} }, {}],
  [{ status: 'scheduled' }, { status: 'scheduled' }],
  [{ status: 'toString', sort: 'constructor', other: 'x' }, {}],
  [{ sort: 'updated_at:desc' }, {}],
])('reads %j as %j', (raw, expected) => {
  expect(parseContentSearch(raw)).toEqual({ ...NONE, ...expected });
});

test('does not count the search or the sort order as filters', () => {
  expect(countFilters({ search: 'x', sort: 'name:asc' })).toBe(0);
  expect(countFilters({ content_type: 'post', status: 'draft', author: 'u_ada', language: 'en' })).toBe(4);
});
