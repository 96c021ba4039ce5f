import { expect, test } from 'vitest';
import { buildListParameters, parseAssetSearch } from './asset-search.ts';

test('keeps only allowed values that are not defaults', () => {
  expect(
    parseAssetSearch({ search: 2026, kind: 'image/', folder: 'press/2026', tag: 'birds', sort: 'name', view: 'list' }),
  ).toEqual({ search: '2026', kind: 'image/', folder: 'press/2026', tag: 'birds', sort: 'name', view: 'list' });
  expect(parseAssetSearch({ search: '', kind: 'all', sort: '-created_at', view: 'grid', folder: '' })).toEqual({});
  expect(parseAssetSearch({ kind: 'toString', sort: 'colour', view: 1, tag: ['a'] })).toEqual({});
});

test.each([
  ['the top level shows files from all folders', {}, { sort: '-created_at' }],
  ['a folder shows its own files', { folder: 'press' }, { folder: 'press', sort: '-created_at' }],
  ['a search at the top level covers all folders', { search: 'heron' }, { search: 'heron', sort: '-created_at' }],
  [
    'a tag filter in a folder covers only that folder',
    { folder: 'press', tag: 'birds', sort: 'size' as const },
    { folder: 'press', tag: 'birds', sort: 'size' },
  ],
])('%s', (_, search, parameters) => {
  expect(buildListParameters(search)).toEqual(parameters);
});
