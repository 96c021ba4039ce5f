import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildListUrl } from './list-urls.ts';

const PATH = 'https://content.example/api/v1/content';

describe('the URLs of a list', () => {
  test.each([
    ['', 'page=2'],
    ['limit=5', 'limit=5&page=2'],
    ['page=1&limit=5', 'limit=5&page=2'],
    ['limit=5&page=1&sort=name', 'limit=5&sort=name&page=2'],
    ['page[]=1&limit=5', 'limit=5&page=2'],
    ['page%5B0%5D=1&%70age=3&page', 'page=2'],
    ['cursor=abc', 'cursor=abc&page=2'],
    ['pages=1&page_size=2&xpage=3', 'pages=1&page_size=2&xpage=3&page=2'],
    ['slug%5B%5D=a&slug[]=b', 'slug%5B%5D=a&slug[]=b&page=2'],
    ['a=1&a=2&b=&c', 'a=1&a=2&b=&c&page=2'],
    ['q=a+b%20c%2Bd', 'q=a+b%20c%2Bd&page=2'],
    ['&&a=1&&', 'a=1&page=2'],
    ['%zz=1', '%zz=1&page=2'],
    ['a="><b>', 'a=%22%3E%3Cb%3E&page=2'],
    ['a=\u00e9', 'a=%E9&page=2'],
    ['a={b}|c^d`e\\f', 'a=%7Bb%7D%7Cc%5Ed%60e%5Cf&page=2'],
  ])('set one parameter of %s and keep the others as they are', (queryString, expected) => {
    expect(buildListUrl(PATH, queryString, 'page', '2')).toBe(`${PATH}?${expected}`);
  });

  test('set the cursor in the same way', () => {
    expect(buildListUrl(PATH, 'cursor=old&page=3', 'cursor', 'new')).toBe(`${PATH}?page=3&cursor=new`);
  });

  test('are the same when they are built from themselves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (queryString) => {
        const once = buildListUrl(PATH, queryString, 'page', '2');
        const rest = once.slice(PATH.length + 1);
        expect(buildListUrl(PATH, rest, 'page', '2')).toBe(once);
      }),
    );
  });

  test('hold nothing that would end a URL in a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (queryString) => {
        expect(buildListUrl(PATH, queryString, 'page', '2')).toMatch(/^[\x21-\x7e]+$/);
        expect(buildListUrl(PATH, queryString, 'page', '2')).not.toMatch(/[<>"]/);
      }),
    );
  });
});
