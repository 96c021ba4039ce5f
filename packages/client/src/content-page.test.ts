import { expect, test } from 'vitest';
import { parseLinkHeader } from './content-page.ts';

test.each([
  [null, {}],
  ['', {}],
  ['nonsense', {}],
  ['<https://a.example/?page=2>; rel="next"', { next: 'https://a.example/?page=2' }],
  ['<a>; rel="prev", <b>; rel="next"', { prev: 'a', next: 'b' }],
  ['<a>;rel=prev,<b>;rel=next', { prev: 'a', next: 'b' }],
  ['  <a> ;  REL = "NEXT"  ', { next: 'a' }],
  ['<a>; rel="first prev"', { first: 'a', prev: 'a' }],
  ['<a?x=1,2;3>; rel="next"', { next: 'a?x=1,2;3' }],
  ['<a>; title="one, two; rel=\\"prev\\""; rel="next", <b>; rel=last', { next: 'a', last: 'b' }],
  ['<a>; title="; rel=prev"; rel=next', { next: 'a' }],
  ['<a>; rel="next"; rel="prev"', { next: 'a' }],
  ['<a>; rel="next", <b>; rel="next"', { next: 'a' }],
  ['<a>; crossorigin; rel="next"', { next: 'a' }],
  ["<a>; title*=UTF-8''x; rel=next", { next: 'a' }],
  ['<a>; rel="next', { next: 'a' }],
  ['<a>; rel=""', {}],
  ['<a>; title="x"', {}],
  ['<a>, <b>; rel=" next "', { next: 'b' }],
  ['rel=next', {}],
])('parses the header %s', (header, links) => {
  expect(parseLinkHeader(header)).toEqual(links);
});
