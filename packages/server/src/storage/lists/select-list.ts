// Reads one page of a list: the segments in turn until the page is full, and one row more, to know whether it goes on.

import { type Body, decodeBody } from '../../content/body.ts';
import type { Cursor, Edge, Position } from '../../listing/cursor.ts';
import { type Cells, type Procedure, query, queryCells, type SlotValues } from '../statement.ts';
import { findPosition } from './find-position.ts';
import type { ListPlan } from './list-plan.ts';
import { findListStatement } from './list-sql.ts';
import { buildSegments, type Segment } from './segments.ts';

export interface ContentRow {
  readonly id: string;
  readonly body: Body;
}

/** @param cells the id and the body, then whatever else */
export function openRow(cells: Cells): ContentRow {
  return { id: String(cells[0]), body: decodeBody(String(cells[1])) };
}

export interface CursorPage {
  readonly rows: readonly ContentRow[];
  /** Where the sets before and after this one begin; null where there is none. */
  readonly previous: Edge | null;
  readonly next: Edge | null;
}

export interface NumberedPage {
  readonly rows: readonly ContentRow[];
  readonly total: number;
}

/** Undefined where the cursor's position is not known any more. */
export function* selectCursorPage(
  plan: ListPlan,
  cursor: Cursor | null,
  limit: number,
): Procedure<CursorPage | undefined> {
  const asks = cursor?.position ?? null;
  const position = asks === null || 'keys' in asks ? asks : yield* findPosition(plan, asks);
  if (position === undefined) return undefined;
  const isForward = cursor?.isForward ?? true;
  const asked = position && { position, isInclusive: cursor?.isInclusive ?? false };
  const read = yield* readOn(plan, asked, isForward, limit + 1);
  const hasMore = read.length > limit;
  const page = hasMore ? read.slice(0, limit) : read;
  const ordered = isForward ? page : page.toReversed();
  const ahead = hasMore ? edgeAfter(plan, isForward ? ordered.at(-1) : ordered[0]) : null;
  const behind = asked && (yield* findEdgeBehind(plan, asked, isForward ? ordered[0] : ordered.at(-1), isForward));
  const rows = ordered.map(openRow);
  return isForward ? { rows, previous: behind, next: ahead } : { rows, previous: ahead, next: behind };
}

function edgeAfter(plan: ListPlan, row: Cells | undefined): Edge | null {
  return row === undefined ? null : { position: positionOf(plan, row, FIRST_KEY.rows), isInclusive: false };
}

/** Where the set begins that the request came from; null where nothing is left of it. */
function* findEdgeBehind(
  plan: ListPlan,
  asked: Edge,
  nearest: Cells | undefined,
  isForward: boolean,
): Procedure<Edge | null> {
  if (nearest !== undefined) {
    const edge = { position: positionOf(plan, nearest, FIRST_KEY.rows), isInclusive: false };
    return (yield* hasAny(plan, edge, !isForward)) ? edge : null;
  }
  // Nothing was found on this side of the edge: the way back begins with what stands on the other side.
  const turned = { position: asked.position, isInclusive: !asked.isInclusive };
  const found = yield* findNearest(plan, turned, !isForward);
  return found === undefined ? null : { position: found, isInclusive: true };
}

export function* selectNumberedPage(plan: ListPlan, page: number, limit: number): Procedure<NumberedPage> {
  const total = yield* countAll(plan);
  let offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total };
  const rows: ContentRow[] = [];
  for (const segment of buildSegments(nullableKeys(plan), null, true)) {
    const statement = findListStatement(plan, segment, true, 'rows');
    if (statement === undefined) continue;
    const values = { limit: limit - rows.length, offset };
    rows.push(...(yield* queryCells(statement, values, plan.values)).map(openRow));
    if (rows.length === limit) break;
    offset = rows.length > 0 ? 0 : offset - (yield* countSegment(plan, segment));
  }
  return { rows, total };
}

function* readOn(plan: ListPlan, edge: Edge | null, isForward: boolean, most: number): Procedure<readonly Cells[]> {
  let rows: readonly Cells[] = [];
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'rows');
    if (statement === undefined) continue;
    const values = bindPosition(edge?.position ?? null, most - rows.length);
    const found = yield* queryCells(statement, values, plan.values);
    rows = rows.length === 0 ? found : [...rows, ...found];
    if (rows.length === most) break;
  }
  return rows;
}

/** The widest segment is the likeliest to hold something, and stands last. */
function* hasAny(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<boolean> {
  const values = bindPosition(edge.position, 1);
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward).toReversed()) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    if (statement === undefined) continue;
    if ((yield* queryCells(statement, values, plan.values)).length > 0) return true;
  }
  return false;
}

function* findNearest(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<Position | undefined> {
  const values = bindPosition(edge.position, 1);
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    const [row] = statement === undefined ? [] : yield* queryCells(statement, values, plan.values);
    if (row !== undefined) return positionOf(plan, row, FIRST_KEY.probe);
  }
  return undefined;
}

function* countAll(plan: ListPlan): Procedure<number> {
  const unsorted: ListPlan = { ...plan, sorts: [], types: plan.filters.typeNos === null ? null : plan.types };
  return yield* countSegment(unsorted, { keys: [], id: 'any' });
}

function* countSegment(plan: ListPlan, segment: Segment): Procedure<number> {
  const statement = findListStatement(plan, segment, true, 'count');
  if (statement === undefined) return 0;
  const [row] = yield* query<{ total: number }>(statement, plan.values);
  return row?.total ?? 0;
}

function nullableKeys(plan: ListPlan): readonly boolean[] {
  return plan.sorts.map((sort) => sort.isNullable);
}

function bindPosition(position: Position | null, limit: number): SlotValues {
  if (position === null) return { limit, offset: 0 };
  const [key0 = null, ...others] = position.keys;
  const values = { limit, offset: 0, id: position.id, key0 };
  // Most lists have one key.
  return others.length === 0
    ? values
    : { ...values, ...Object.fromEntries(others.map((key, index) => [`key${index + 1}`, key])) };
}

/** Where the sort keys stand in the cells of a row. */
const FIRST_KEY = { rows: 2, probe: 1 } as const;

function positionOf(plan: ListPlan, cells: Cells, firstKey: number): Position {
  return { id: String(cells[0]), keys: cells.slice(firstKey, firstKey + plan.sorts.length) };
}
