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
const FROM_BASE = { saved: BASE, known: [BASE] };

test('takes each part from the editor who changed it', () => {
  const mine = { ...BASE, name: 'Tides', fields: { ...BASE.fields, rank: { number: 2 } } };
  const theirs = { ...BASE, author: 'u_ada', fields: { title: { text: 'Ebb' }, rank: { number: 1 } } };
  expect(mergeDrafts(FROM_BASE, mine, theirs)).toEqual({
    values: {
      name: 'Tides',
      slug: 'tide',
      author: 'u_ada',
      seo: { title: null },
      fields: { title: { text: 'Ebb' }, rank: { number: 2 } },
    },
    contested: [],
    base: { saved: theirs, known: [theirs] },
  });
});

test('keeps a field empty after one editor has cleared it', () => {
  const theirs = { ...BASE, fields: { rank: { number: 1 } } };
  expect(mergeDrafts(FROM_BASE, { ...BASE, name: 'Tides' }, theirs).values.fields).toEqual({ rank: { number: 1 } });
});

test('reports a conflict only for parts that the two editors changed differently', () => {
  const mine = { ...BASE, name: 'Ebb', slug: 'mine', fields: { ...BASE.fields, title: { text: 'Mine' } } };
  const theirs = { ...BASE, name: 'Ebb', slug: 'theirs', fields: { rank: { number: 1 } } };
  const { values, contested } = mergeDrafts(FROM_BASE, mine, theirs);
  expect(contested).toEqual([
    { path: 'slug', mine: 'mine', theirs: 'theirs' },
    { path: 'fields.title', mine: { text: 'Mine' }, theirs: undefined },
  ]);
  expect(values).toEqual(mine);
  expect(takeParts(values, theirs, ['slug', 'fields.title'])).toEqual(theirs);
});

test('still reports the conflict when the same version is merged again', () => {
  const mine = { ...BASE, slug: 'mine' };
  const theirs = { ...BASE, name: 'Ebb', slug: 'theirs' };
  const first = mergeDrafts(FROM_BASE, mine, theirs);
  expect(first.base.saved).toEqual({ ...BASE, name: 'Ebb' });
  const second = mergeDrafts(first.base, { ...first.values, author: 'u_ada' }, theirs);
  expect(second.contested).toEqual([{ path: 'slug', mine: 'mine', theirs: 'theirs' }]);
  expect(second.values).toEqual({ ...mine, name: 'Ebb', author: 'u_ada' });
});

test("reports no conflict with the editor's own save if its response was lost", () => {
  const sent = { ...BASE, name: 'Tides' };
  const mine = { ...BASE, name: 'Tides and ebbs' };
  const theirs = { ...sent, slug: 'theirs' };
  const { values, contested } = mergeDrafts({ saved: BASE, known: [BASE, sent] }, mine, theirs);
  expect(contested).toEqual([]);
  expect(values).toEqual({ ...mine, slug: 'theirs' });
});

test('does not report a conflict for HTML that the service removed', () => {
  const written = { ...BASE, fields: { ...BASE.fields, title: { text: '<p style="x">Tide</p>' } } };
  const stored = { ...BASE, fields: { ...BASE.fields, title: { text: '<p>Tide</p>' } } };
  const mine = { ...written, fields: { ...written.fields, title: { text: '<p style="x">Tides</p>' } } };
  const theirs = { ...stored, slug: 'theirs' };
  const { values, contested } = mergeDrafts({ saved: written, known: [stored] }, mine, theirs);
  expect(contested).toEqual([]);
  expect(values).toEqual({ ...mine, slug: 'theirs' });
});

test('ignores the order of properties', () => {
  const mine = { ...BASE, seo: { title: 'a', robots: 'b' } };
  const theirs = { ...BASE, seo: { robots: 'b', title: 'a' } };
  expect(mergeDrafts(FROM_BASE, mine, theirs).contested).toEqual([]);
});
