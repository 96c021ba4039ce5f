import { expect, test } from 'vitest';
import { takeParts } from './draft-values.ts';
import { mergeDrafts } from './merge-drafts.ts';

const BASE = {
  name: 'Tide',
  slug: 'tide',
  author: null,
  seo: { title: null },
  fields: { title: { text: 'Tide' }, rank: { number: 1 } },
};

test('what only one of two editors changed is taken from that one', () => {
  const mine = { ...BASE, name: 'Tides', fields: { ...BASE.fields, rank: { number: 2 } } };
  const theirs = { ...BASE, author: 'u_ada', fields: { title: { text: 'Ebb' }, rank: { number: 1 } } };
  expect(mergeDrafts(BASE, mine, theirs)).toEqual({
    values: {
      name: 'Tides',
      slug: 'tide',
      author: 'u_ada',
      seo: { title: null },
      fields: { title: { text: 'Ebb' }, rank: { number: 2 } },
    },
    contested: [],
  });
});

test('a field that one has emptied is empty', () => {
  const theirs = { ...BASE, fields: { rank: { number: 1 } } };
  expect(mergeDrafts(BASE, { ...BASE, name: 'Tides' }, theirs).values.fields).toEqual({ rank: { number: 1 } });
});

test('what both changed alike is not contested, what they changed differently is', () => {
  const mine = { ...BASE, name: 'Ebb', slug: 'mine', fields: { ...BASE.fields, title: { text: 'Mine' } } };
  const theirs = { ...BASE, name: 'Ebb', slug: 'theirs', fields: { rank: { number: 1 } } };
  const { values, contested } = mergeDrafts(BASE, mine, theirs);
  expect(contested).toEqual([
    { path: 'slug', mine: 'mine', theirs: 'theirs' },
    { path: 'fields.title', mine: { text: 'Mine' }, theirs: undefined },
  ]);
  expect(values).toEqual(mine);
  expect(takeParts(values, theirs, ['slug', 'fields.title'])).toEqual(theirs);
});

test('members in another order say the same', () => {
  const mine = { ...BASE, seo: { title: 'a', robots: 'b' } };
  const theirs = { ...BASE, seo: { robots: 'b', title: 'a' } };
  expect(mergeDrafts(BASE, mine, theirs).contested).toEqual([]);
});
