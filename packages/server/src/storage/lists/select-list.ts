// Reads one page of a list: the segments in turn until the page is full, and one row more, to know whether it goes on.

import type { Cursor, Edge, Position } from '../../listing/cursor.ts';
import { type Procedure, query, type SqlValue } from '../statement.ts';
import { findPosition, readKeys } from './find-position.ts';
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
  const first = rows[0];
  const last = rows.at(-1);
  const start = first === undefined ? turnBack(asked) : edgeAt(plan, first);
  const end = last === undefined ? turnBack(asked) : edgeAt(plan, last);
  // Only the side that the request came from is not known yet.
  const origin = asked && (isForward ? start : end);
  const hasOrigin = origin !== null && (yield* hasRows(plan, origin, !isForward));
  const hasNext = isForward ? hasMore : hasOrigin;
  const hasPrevious = isForward ? hasOrigin : hasMore;
  return { rows, previous: hasPrevious ? start : null, next: hasNext ? end : null };
}

/** Nothing was found on this side of the edge: going back starts with what the edge left out. */
function turnBack(edge: Edge | null): Edge | null {
  return edge && { position: edge.position, isInclusive: !edge.isInclusive };
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

function* hasRows(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<boolean> {
  const values = { ...bindPlan(plan), ...bindPosition(edge.position), limit: 1 };
  for (const segment of buildSegments(nullableKeys(plan), edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    if (statement !== undefined && (yield* query(statement, values)).length > 0) return true;
  }
  return false;
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

function edgeAt(plan: ListPlan, row: ContentRow): Edge {
  return { position: { id: row.id, keys: readKeys(plan, row) }, isInclusive: false };
}
