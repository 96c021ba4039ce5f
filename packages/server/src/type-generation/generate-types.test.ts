import { expect, test } from 'vitest';
import { nameTypes } from './generate-types.ts';

test('names types after their handles', () => {
  expect(Object.fromEntries(nameTypes(['article', 'author_page', 'class', 'constructor', 'place']))).toEqual({
    article: 'Article',
    author_page: 'AuthorPage',
    class: 'Class',
    constructor: 'Constructor',
    place: 'Place',
  });
});

test('gives different names to handles that would otherwise have the same name', () => {
  const handles = [
    'a1',
    'a_1',
    'a__1',
    'a_1_',
    'content_types',
    'extract',
    'extract_',
    'galley',
    'galley_author',
    'in',
    'site',
  ];
  const names = [...nameTypes(handles).values()];
  expect(names).toEqual([
    'A1',
    'A_1',
    'A__1',
    'A_1_',
    'Content_Types',
    'Extract_',
    'Extract__',
    'Galley_',
    'Galley_Author',
    'In_',
    'Site_',
  ]);
  expect(new Set(names).size).toBe(handles.length);
});
