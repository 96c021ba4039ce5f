// Reads one page of a list: the segments in turn until the page is full, and one row more, to know whether it goes on.

import type { Cursor, Edge, KeyValue, Position } from '../../listing/cursor.ts';
import { type Procedure, query, type SqlValue } from '../statement.ts';
import { findPosition } from './find-position.ts';
import { bindFilters } from './list-conditions.ts';
import type { ListPlan } from './list-plan.ts';
import { findListStatement } from './list-sql.ts';
import { buildSegments, type Segment } from './segments.ts';

export interface ContentRow {
  readonly content_no: number;
  readonly id: string;
  readonly type_no: number;
  readonly author_no: number | null;
  readonly body: string;
  /** Changes with the body. */
  readonly digest: string;
  /** Ids of linked contents as a JSON list, null where there are none; the same for assets. */
  readonly links: string | null;
  readonly assets: string | null;
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
  const position = cursor === null ? null : yield* findPosition(plan, cursor.position);
  if (position === undefined) return undefined;
  const isForward = cursor?.isForward ?? true;
  const asked = position && { position, isInclusive: cursor?.isInclusive ?? false };
  const read = yield* readOn(plan, asked, isForward, limit + 1);
  const hasMore = read.length > limit;
  const page = hasMore ? read.slice(0, limit) : read;
  const rows = isForward ? page : [...page].reverse();
  const ahead = hasMore ? edgeAfter(plan, isForward ? rows.at(-1) : rows[0]) : null;
  const behind = asked && (yield* findEdgeBehind(plan, asked, isForward ? rows[0] : rows.at(-1), isForward));
  return isForward ? { rows, previous: behind, next: ahead } : { rows, previous: ahead, next: behind };
}

function edgeAfter(plan: ListPlan, row: ContentRow | undefined): Edge | null {
  return row === undefined ? null : { position: positionOf(plan, row), isInclusive: false };
}

/** Where the set begins that the request came from; null where nothing is left of it. */
function* findEdgeBehind(
  plan: ListPlan,
  asked: Edge,
  nearest: ContentRow | undefined,
  isForward: boolean,
): Procedure<Edge | null> {
  if (nearest !== undefined) {
    const edge = { position: positionOf(plan, nearest), isInclusive: false };
    return (yield* findNearest(plan, edge, !isForward)) === undefined ? null : edge;
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
    const values = { ...bindPlan(plan), limit: limit - rows.length, offset };
    rows.push(...(yield* query<ContentRow>(statement, values)));
    if (rows.length === limit) break;
    offset = rows.length > 0 ? 0 : offset - (yield* countSegment(plan, segment));
  }
  return { rows, total };
}

function* readOn(plan: ListPlan, edge: Edge | null, isForward: boolean, most: number): Procedure<ContentRow[]> {
  const rows: ContentRow[] = [];
  const values = { ...bindPlan(plan), ...bindPosition(edge?.position ?? null), offset: 0 };
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'rows');
    if (statement === undefined) continue;
    const found = yield* query<ContentRow>(statement, { ...values, limit: most - rows.length });
    for (const row of found) rows.push(row);
    if (rows.length === most) break;
  }
  return rows;
}

function* findNearest(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<Position | undefined> {
  const values = { ...bindPlan(plan), ...bindPosition(edge.position), limit: 1 };
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    const [row] = statement === undefined ? [] : yield* query<{ readonly id: string }>(statement, values);
    if (row !== undefined) return positionOf(plan, row);
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
  const [row] = yield* query<{ total: number }>(statement, bindPlan(plan));
  return row?.total ?? 0;
}

function nullableKeys(plan: ListPlan): readonly boolean[] {
  return plan.sorts.map((sort) => sort.isNullable);
}

function bindPlan(plan: ListPlan): Record<string, SqlValue> {
  return { site: plan.siteNo, language: plan.language, fallback: plan.fallback, ...bindFilters(plan.filters) };
}

function bindPosition(position: Position | null): Record<string, SqlValue> {
  if (position === null) return {};
  const values: Record<string, SqlValue> = { id: position.id };
  for (const [index, key] of position.keys.entries()) values[`key${index}`] = key;
  return values;
}

function positionOf(plan: ListPlan, row: { readonly id: string }): Position {
  const cells = asKeyCells(row);
  return { id: row.id, keys: plan.sorts.map((_, index) => cells[`k${index}`] ?? null) };
}

/** Rows of a list carry their sort keys as `k0`, `k1` and so on. */
function asKeyCells(row: object): Readonly<Record<string, KeyValue>> {
  return row as Readonly<Record<string, KeyValue>>;
}
