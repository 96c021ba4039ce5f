import { expect, test } from 'vitest';
import { VIEWS } from '../views.ts';
import type { ListPlan } from './list-plan.ts';
import { findStatement } from './list-sql.ts';

const PLAN: ListPlan = {
  siteNo: 1,
  siteLanguages: ['en'],
  view: VIEWS.public,
  language: 'en',
  fallback: null,
  filters: { typeNos: [1], authorIds: null, slugs: null, fields: [{ kind: 'token', fieldNos: [7, 8], values: ['a'] }] },
  fieldNosByType: new Map([[1, new Set([7, 8])]]),
  gathersBy: 0,
  gathersMany: false,
  keepsMost: false,
  needsSettling: true,
  limit: 20,
  values: {},
  sorts: [{ kind: 'attribute', column: 'published_at', direction: 'desc', isNullable: false }],
  types: null,
};

function find(plan: ListPlan) {
  return findStatement(plan, { keys: ['any'], id: 'any' }, true, 'rows');
}

test('two plans share a statement only if their SQL is the same', () => {
  expect(find({ ...PLAN })).toBe(find(PLAN));
  // In a different database, the same field numbers may belong to different types.
  expect(find({ ...PLAN, filters: { ...PLAN.filters, typeNos: [2] } })).not.toBe(find(PLAN));
  const apart = { ...PLAN, types: [1, 2].map((typeNo) => ({ typeNo, field: null })) };
  const one = { ...apart, fieldNosByType: new Map([1, 2].map((no) => [no, new Set([no + 6])])) };
  const other = { ...apart, fieldNosByType: new Map([1, 2].map((no) => [no, new Set([9 - no])])) };
  expect(find(one)).not.toBe(find(other));
});
