import { runInNewContext } from 'node:vm';
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
])('encodes %j as %s', (params, text) => {
  expect(decodeURIComponent(encodeParams(params))).toBe(text);
});

test('escapes characters that have a special meaning in a query', () => {
  const slug = 'a b&c=d+é%20[0]#?';
  expect([...new URLSearchParams(encodeParams({ slug }))]).toEqual([['slug', slug]]);
});

test.each([{ slug: [] }, { slug: {} }, { slug: '' }, { slug: null }])(
  'sends an empty value (%j), which the server rejects',
  (params) => {
    expect(encodeParams(params)).toBe('slug=');
  },
);

test.each([
  [{ slug: [{}] }, 'slug[0]='],
  [{ slug: [[]] }, 'slug[0]='],
  [{ fields: { text: { title: {} } } }, 'fields[text][title]='],
  [{ fields: { text: { title: [] } } }, 'fields[text][title]='],
  [{ fields: { content_links: { to: {} } } }, 'fields[content_links][to]='],
  [{ fields: [] }, 'fields='],
  [{ fields: {} }, ''],
])('sends empty values within %j, but omits an empty fields object', (params, text) => {
  expect(decodeURIComponent(encodeParams(params))).toBe(text);
});

class Slug {
  get text(): string {
    return 'a';
  }
}

test.each([
  new Date(0),
  new Set(['a']),
  new Map([['a', 1]]),
  new URLSearchParams('slug=a'),
  /a/,
  new Slug(),
  () => 'a',
  Object.create({ slug: 'a' }),
])('rejects an object that is not plain data: %s', (value) => {
  for (const [name, params] of [
    ['slug', { slug: value }],
    ['slug[0]', { slug: [value] }],
    ['fields[text][title]', { fields: { text: { title: value } } }],
  ] as const) {
    expect(() => encodeParams(params)).toThrow(new TypeError(`${name} must be plain data.`));
  }
});

test('accepts objects from another realm and objects without a prototype', () => {
  const bare = Object.assign(Object.create(null), { text: runInNewContext('({ title: ["v"] })') });
  expect(decodeURIComponent(encodeParams({ fields: bare }))).toBe('fields[text][title][0]=v');
});

test('keeps the position of empty values in an array', () => {
  expect(decodeURIComponent(encodeParams({ slug: ['a', undefined, null] }))).toBe('slug[0]=a&slug[1]=&slug[2]=');
  const holes = ['a', 'b'];
  delete holes[0];
  expect(decodeURIComponent(encodeParams({ slug: holes }))).toBe('slug[0]=&slug[1]=b');
});
