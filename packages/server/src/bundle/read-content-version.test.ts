import { describe, expect, test } from 'vitest';
import { EMPTY_SEO, type Seo } from '../content/seo.ts';
import { mergeFields, mergeSeo } from './read-content-version.ts';

const SEO: Seo = { ...EMPTY_SEO, title: 'Title', open_graph: { ...EMPTY_SEO.open_graph, title: 'Graph', url: 'u' } };

describe('a draft’s seo', () => {
  test.each<[what: string, raw: unknown, merged: unknown]>([
    ['is the published seo if it is omitted', undefined, SEO],
    ['is empty if it is null', null, null],
    ['keeps the published properties that it omits', { robots: 'noindex' }, { ...SEO, robots: 'noindex' }],
    ['removes a property that is null', { title: null }, { ...SEO, title: null }],
    [
      'keeps the published Open Graph properties that it omits',
      { open_graph: { title: null } },
      { ...SEO, open_graph: { ...SEO.open_graph, title: null } },
    ],
    ['is passed on to the parser, which rejects it, if it is not an object', 3, 3],
    ['is also passed on if its Open Graph data is not an object', { open_graph: 3 }, { ...SEO, open_graph: 3 }],
  ])('%s', (_what, raw, merged) => {
    expect(mergeSeo(SEO, raw)).toEqual(merged);
  });
});

describe('a draft’s fields', () => {
  const fields = [{ handle: 'one' }, { handle: 'two' }, { handle: 'three' }];
  const base = { one: { text: 'A' }, two: { text: 'B' } };

  test('replace published values, remove those that are null, and keep the rest', () => {
    const draft = { two: { text: 'C' } };
    expect(mergeFields(fields, base, draft, { one: null, two: { text: 'C' } })).toEqual({ two: { text: 'C' } });
    expect(mergeFields(fields, base, draft, { two: { text: 'C' } })).toEqual({
      one: { text: 'A' },
      two: { text: 'C' },
    });
    expect(mergeFields(fields, base, {}, undefined)).toEqual(base);
  });

  test('are in the order defined by the type', () => {
    const draft = { three: { text: 'D' }, one: { text: 'C' } };
    expect(Object.keys(mergeFields(fields, base, draft, draft))).toEqual(['one', 'two', 'three']);
  });
});
