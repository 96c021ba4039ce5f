// Reads a list from a position on, forwards or backwards: segment by segment, until there are enough rows.

import type { Edge, Position } from '../../listing/cursor.ts';
import { type Cells, type Procedure, query, queryCells, type SlotValues } from '../statement.ts';
import type { ListPlan } from './list-plan.ts';
import { findListStatement } from './list-sql.ts';
import { listGatherers } from './planned-filters.ts';
import { buildGatheredSegments, buildSegments, listProbesOf, type Segment } from './segments.ts';

/** The index of the first sort key in the cells of a row. */
const FIRST_KEY = { rows: 2, probe: 1, skip: 1 } as const;

/** @param edge null for the start of the list, or its end when going backwards */
export function* readOn(
  plan: ListPlan,
  edge: Edge | null,
  isForward: boolean,
  most: number,
): Procedure<readonly Cells[]> {
  let rows: readonly Cells[] = [];
  for (const segment of listSegments(plan, edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'rows');
    if (statement === undefined) continue;
    const values = bindPosition(edge?.position ?? null, most - rows.length);
    // Yielded here, like all queries of lists: each generator in between costs a list a hundredth of its time.
    const found = yield { statement, values, common: plan.values };
    rows = rows.length === 0 ? found.rows : [...rows, ...found.rows];
    if (rows.length === most) break;
  }
  return rows;
}

/** Starts with the widest segment, which is last: it most likely has objects. */
export function* hasAny(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<boolean> {
  const values = bindPosition(edge.position, 1);
  const segments = listSegments(plan, edge, isForward).toReversed();
  for (const segment of plan.gathersBy === null ? segments.flatMap(listProbesOf) : segments) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    if (statement === undefined) continue;
    if ((yield { statement, values, common: plan.values }).rows.length > 0) return true;
  }
  return false;
}

export function* findNearest(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<Position | undefined> {
  const values = bindPosition(edge.position, 1);
  for (const segment of listSegments(plan, edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    const [row] = statement === undefined ? [] : yield* queryCells(statement, values, plan.values);
    if (row !== undefined) return positionOf(plan, row, 'probe');
  }
  return undefined;
}

/** The position of the object after this many others; undefined if there are fewer. Reads no body. */
export function* findAfter(
  plan: ListPlan,
  edge: Edge | null,
  isForward: boolean,
  skipped: number,
): Procedure<Position | undefined> {
  let left = skipped;
  const position = edge?.position ?? null;
  for (const segment of listSegments(plan, edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'skip');
    if (statement === undefined) continue;
    const values = { ...bindPosition(position, 1), offset: left };
    const [row] = yield* queryCells(statement, values, plan.values);
    if (row !== undefined) return positionOf(plan, row, 'skip');
    left -= yield* countSegment(plan, segment, position, isForward);
  }
  return undefined;
}

export function* countAll(plan: ListPlan): Procedure<number> {
  const { filters, types } = plan;
  // The order does not matter, so the matches of all filters are found without looking up each object.
  const gathersBy = plan.gathersBy ?? (listGatherers(filters).length > 0 ? 'all' : null);
  const unsorted: ListPlan = { ...plan, gathersBy, sorts: [], types: filters.typeNos === null ? null : types };
  return yield* countSegment(unsorted, { keys: [], id: 'any' }, null, true);
}

function* countSegment(
  plan: ListPlan,
  segment: Segment,
  position: Position | null,
  isForward: boolean,
): Procedure<number> {
  const statement = findListStatement(plan, segment, isForward, 'count');
  if (statement === undefined) return 0;
  const [row] = yield* query<{ total: number }>(statement, { ...plan.values, ...bindPosition(position, 0) });
  return row?.total ?? 0;
}

function listSegments({ sorts, gathersBy }: ListPlan, edge: Edge | null, isForward: boolean): readonly Segment[] {
  const build = gathersBy === null ? buildSegments : buildGatheredSegments;
  return build(
    sorts.map((sort) => sort.isNullable),
    edge,
    isForward,
  );
}

function bindPosition(position: Position | null, limit: number): SlotValues {
  if (position === null) return { limit };
  const [key0 = null, ...others] = position.keys;
  const values = { limit, id: position.id, key0 };
  // Most lists have one key.
  return others.length === 0
    ? values
    : { ...values, ...Object.fromEntries(others.map((key, index) => [`key${index + 1}`, key])) };
}

export function positionOf(plan: ListPlan, cells: Cells, output: keyof typeof FIRST_KEY): Position {
  const firstKey = FIRST_KEY[output];
  return { id: String(cells[0]), keys: cells.slice(firstKey, firstKey + plan.sorts.length) };
}
