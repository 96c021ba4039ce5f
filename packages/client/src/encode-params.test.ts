import { expect, test } from 'vitest';
import { encodeParams } from './encode-params.ts';

test.each([
  [{}, ''],
  [{ limit: 5, slug: 'a' }, 'limit=5&slug=a'],
  [{ slug: undefined, limit: 5 }, 'limit=5'],
  [{ slug: ['a', 'b'] }, 'slug[0]=a&slug[1]=b'],
  [{ slug: ['a'] }, 'slug[0]=a'],
  [{ fields: { text: { title: 'v' } } }, 'fields[text][title]=v'],
  [{ fields: { text: { title: undefined }, number: {} } }, ''],
  [
    { fields: { content_links: { to: { id: ['x', 'y'] } } } },
    'fields[content_links][to][id][0]=x&fields[content_links][to][id][1]=y',
  ],
  [{ isOn: false, count: 0 }, 'isOn=false&count=0'],
])('writes %j as %s', (params, text) => {
  expect(decodeURIComponent(encodeParams(params))).toBe(text);
});

test('escapes what means something in a query', () => {
  const slug = 'a b&c=d+é%20[0]#?';
  expect([...new URLSearchParams(encodeParams({ slug }))]).toEqual([['slug', slug]]);
});

test.each([{ slug: [] }, { slug: '' }, { slug: null }])(
  'keeps a value that is nothing (%j), for the server to refuse',
  (params) => {
    expect(encodeParams(params)).toBe('slug=');
  },
);

test('keeps the place of what is nothing in an array', () => {
  expect(decodeURIComponent(encodeParams({ slug: ['a', undefined, null] }))).toBe('slug[0]=a&slug[1]=&slug[2]=');
});
