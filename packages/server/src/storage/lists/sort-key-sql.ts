// A list's sort keys in SQL: as columns, in `order by`, and as the conditions for a segment that starts at a position.

import { type RawBuilder, sql } from 'kysely';
import { slot } from '../statement.ts';
import { type Branch, walkedOf } from './list-branches.ts';
import type { ListPlan, PlannedSort } from './list-plan.ts';
import type { KeyCondition, Segment } from './segments.ts';

type Fragment = RawBuilder<unknown>;

/** The keys as columns, followed by columns that indicate whether a key is missing. */
export function buildKeyColumns(plan: ListPlan, segment: Segment, branch: Branch): readonly Fragment[] {
  const columns = plan.sorts.map((sort, index) => {
    const key = keyOf(branch, sort, index);
    // Only the first key can use an index. A planner that used an index for a later key would walk the whole list.
    return sql`${index > 0 && branch.source.kind !== 'gathered' ? unindexed(key, sort) : key} as ${sql.ref(`k${index}`)}`;
  });
  const missing = plan.sorts.flatMap((sort, index) =>
    sortsMissingLast(sort, segment.keys[index])
      ? [sql`case when ${keyOf(branch, sort, index)} is null then 1 else 0 end as ${sql.ref(`m${index}`)}`]
      : [],
  );
  return [...columns, ...missing];
}

/** The aliases of the key columns. */
export function nameKeys({ sorts }: ListPlan, { keys }: Segment): readonly string[] {
  return [
    ...sorts.map((_, index) => `k${index}`),
    ...sorts.flatMap((sort, index) => (sortsMissingLast(sort, keys[index]) ? [`m${index}`] : [])),
  ];
}

export function buildOrder(
  plan: ListPlan,
  segment: Segment,
  isForward: boolean,
  ordersMissing: boolean,
): readonly Fragment[] {
  const direct = (direction: 'asc' | 'desc'): Fragment => ((direction === 'asc') === isForward ? sql`asc` : sql`desc`);
  const terms = plan.sorts.flatMap((sort, index) => {
    const condition = segment.keys[index];
    const isAlike = condition === 'equal' || (condition === 'missing' && (index > 0 || ordersMissing));
    if (isAlike) return [];
    if (condition === 'level') return [sql`${sql.ref(`k${index}`)} ${direct('asc')}`];
    const key = sql`${sql.ref(`k${index}`)} ${direct(sort.direction)}`;
    return sortsMissingLast(sort, condition) ? [sql`${sql.ref(`m${index}`)} ${direct('asc')}`, key] : [key];
  });
  return [...terms, sql`id ${direct('asc')}`];
}

function sortsMissingLast(sort: PlannedSort, condition: KeyCondition | undefined): boolean {
  return sort.isNullable && (condition === 'any' || condition === 'ahead');
}

export function buildKeyConditions(
  plan: ListPlan,
  branch: Branch,
  sort: PlannedSort,
  index: number,
  segment: Segment,
  isForward: boolean,
): readonly Fragment[] {
  const key = keyOf(branch, sort, index);
  const beyond = sql`${key} ${(sort.direction === 'asc') === isForward ? sql`>` : sql`<`} ${slot(`key${index}`)}`;
  switch (segment.keys[index] ?? 'any') {
    case 'any':
      return [];
    case 'equal':
      return [sql`${key} = ${slot(`key${index}`)}`];
    // This key is compared together with the id.
    case 'following':
      return [];
    case 'level':
      return [sql`${key} ${isForward ? sql`<=` : sql`>=`} ${slot(`key${index}`)}`];
    case 'onward':
    case 'ahead': {
      if (branch.source.kind !== 'gathered') throw new Error('An onward segment must be split into ranges first');
      const missing = segment.keys[index] === 'ahead' ? sql`${key} is null or` : sql``;
      return [
        sql`(${missing} ${beyond} or ${key} = ${slot(`key${index}`)} and ${compareId(segment, branch, isForward)})`,
      ];
    }
    case 'beyond':
      return [beyond];
    case 'present':
      return [sql`${key} is not null`];
    case 'missing':
      return index === 0 &&
        (branch.source.kind === 'contents' || branch.source.kind === 'contents-lacking') &&
        plan.sorts[0]?.kind === 'field'
        ? []
        : [sql`${key} is null`];
  }
}

function keyOf(branch: Branch, sort: PlannedSort, index: number): Fragment {
  if (branch.source.kind === 'gathered') {
    // Keeps a planner without statistics from using the index on the key instead of the gathered objects.
    return unindexed(sql.ref(sort.kind === 'attribute' ? `p.${sort.column}` : `v${index}.key`), sort);
  }
  if (sort.kind === 'attribute') return sql.ref(`p.${sort.column}`);
  // These objects have no value in the leading field, so their key is always null.
  if (index === 0 && branch.source.kind !== 'values') {
    return sort.accessor === 'text' ? sql`cast(null as text)` : sql`cast(null as double precision)`;
  }
  return sql.ref(`v${index}.key`);
}

/** The same key, in a form that no planner matches to an index. */
function unindexed(key: Fragment, sort: PlannedSort): Fragment {
  const isText = sort.kind === 'field' ? sort.accessor === 'text' : sort.column.endsWith('_key');
  return isText ? sql`${key} || ''` : sql`${key} + 0`;
}

export function buildPlaceConditions(
  { sorts: [lead] }: ListPlan,
  { id, keys: [condition] }: Segment,
  branch: Branch,
  isForward: boolean,
): readonly Fragment[] {
  if (condition === 'onward' || condition === 'ahead') return [];
  const comparison = compare(id, isForward);
  if (lead !== undefined && (condition === 'level' || condition === 'following')) {
    const key = keyOf(branch, lead, 0);
    return id === 'any'
      ? [sql`${key} ${comparison} ${slot('key0')}`]
      : [sql`(${key}, ${idOf(branch)}) ${comparison} (${slot('key0')}, ${slot('id')})`];
  }
  return id === 'any' ? [] : [compareId({ id }, branch, isForward)];
}

function compareId({ id }: Pick<Segment, 'id'>, branch: Branch, isForward: boolean): Fragment {
  return sql`${idOf(branch)} ${compare(id, isForward)} ${slot('id')}`;
}

function compare(id: Segment['id'], isForward: boolean): Fragment {
  return sql.raw(`${isForward ? '>' : '<'}${id === 'beyond' ? '' : '='}`);
}

export function idOf(branch: Branch): Fragment {
  const id = sql.ref(`${walkedOf(branch.source)}.id`);
  return branch.source.kind === 'gathered' ? sql`${id} || ''` : id;
}
