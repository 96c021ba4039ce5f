// Where a cursor stands. Most cursors hold their sort keys; those with very long keys hold a digest instead, and the keys
// are those of the object as it is now, or as it was before it left that place.

import { type DistantPosition, digestKeys, type KeyValue, type Position } from '../../listing/cursor.ts';
import { type SortKeys, selectDepartedKeys, selectStandingKeys } from '../publication/sort-keys.ts';
import type { Procedure } from '../statement.ts';
import type { ListPlan, PlannedSort } from './list-plan.ts';

export function* findPosition(plan: ListPlan, { id, digest }: DistantPosition): Procedure<Position | undefined> {
  const standing = yield* selectStandingKeys(plan.siteNo, id, plan.audience);
  const departed = yield* selectDepartedKeys(plan.siteNo, id, plan.audience);
  for (const candidate of [...standing, ...departed]) {
    const keys = plan.sorts.map((sort) => readSortKey(sort, candidate));
    if (digestKeys(keys) === digest) return { id, keys };
  }
  return undefined;
}

function readSortKey(sort: PlannedSort, keys: SortKeys): KeyValue {
  if (sort.kind === 'attribute') return keys.columns[sort.column] ?? null;
  const field = sort.fields.find(({ fieldNo }) => keys.fields[fieldNo] !== undefined);
  return field === undefined ? null : (keys.fields[field.fieldNo] ?? null);
}
