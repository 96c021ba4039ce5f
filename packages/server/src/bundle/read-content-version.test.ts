import { describe, expect, test } from 'vitest';
import { EMPTY_SEO, type Seo } from '../content/seo.ts';
import { mergeFields, mergeSeo } from './read-content-version.ts';

const SEO: Seo = { ...EMPTY_SEO, title: 'Title', open_graph: { ...EMPTY_SEO.open_graph, title: 'Graph', url: 'u' } };

describe('the seo of a draft', () => {
  test.each<[what: string, raw: unknown, merged: unknown]>([
    ['that is not named is the published one', undefined, SEO],
    ['that is null is none', null, null],
    ['keeps the members that it does not name', { robots: 'noindex' }, { ...SEO, robots: 'noindex' }],
    ['takes away a member that is null', { title: null }, { ...SEO, title: null }],
    [
      'keeps the members of its open graph that it does not name',
      { open_graph: { title: null } },
      { ...SEO, open_graph: { ...SEO.open_graph, title: null } },
    ],
    ['that is something else is left for the parser to refuse', 3, 3],
    ['with an open graph that is something else, too', { open_graph: 3 }, { ...SEO, open_graph: 3 }],
  ])('%s', (_what, raw, merged) => {
    expect(mergeSeo(SEO, raw)).toEqual(merged);
  });
});

describe('the fields of a draft', () => {
  const fields = [{ handle: 'one' }, { handle: 'two' }, { handle: 'three' }];
  const base = { one: { text: 'A' }, two: { text: 'B' } };

  test('replace the fields they name, remove those they name without a value, and keep the rest', () => {
    const draft = { two: { text: 'C' } };
    expect(mergeFields(fields, base, draft, { one: null, two: { text: 'C' } })).toEqual({ two: { text: 'C' } });
    expect(mergeFields(fields, base, draft, { two: { text: 'C' } })).toEqual({
      one: { text: 'A' },
      two: { text: 'C' },
    });
    expect(mergeFields(fields, base, {}, undefined)).toEqual(base);
  });

  test('are in the order of the type', () => {
    const draft = { three: { text: 'D' }, one: { text: 'C' } };
    expect(Object.keys(mergeFields(fields, base, draft, draft))).toEqual(['one', 'two', 'three']);
  });
});
