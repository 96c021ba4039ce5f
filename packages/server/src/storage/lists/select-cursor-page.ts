// Reads a page by cursor: its rows and one more, to determine whether there is another page. A list is read from a position, forward or
// backward, one segment after another, until there are enough rows.

import type { AnswerRoom } from '../../content/answer-limit.ts';
import {
  type Cursor,
  type DistantPosition,
  digestKeys,
  type Edge,
  type KeyValue,
  type Position,
} from '../../listing/cursor.ts';
import { type SortKeys, selectSortKeys } from '../publication/sort-keys.ts';
import { type Cells, type Procedure, queryCells, type SlotValues, type Statement } from '../statement.ts';
import { type ContentRow, lacksBody, type OversizedPage, openLargeRows, openRow } from './content-rows.ts';
import type { ListOutput } from './list-branches.ts';
import type { ListPlan, PlannedSort } from './list-plan.ts';
import { findStatement } from './list-sql.ts';
import { buildGatheredSegments, buildSegments, listProbesOf, type Segment } from './segments.ts';

export interface CursorPage {
  readonly mode: 'cursor';
  readonly rows: readonly ContentRow[];
  /** The edges of the previous and next pages; null if there is no such page. */
  readonly previous: Edge | null;
  readonly next: Edge | null;
}

/** Undefined if the cursor's position is no longer known. */
export function* selectCursorPage(
  plan: ListPlan,
  cursor: Cursor | null,
  room: AnswerRoom,
): Procedure<CursorPage | OversizedPage | undefined> {
  const { limit } = plan;
  const asks = cursor?.position ?? null;
  const position = asks === null || 'keys' in asks ? asks : yield* findPosition(plan, asks);
  if (position === undefined) return undefined;
  const isForward = cursor?.isForward ?? true;
  const asked = position && { position, isInclusive: cursor?.isInclusive ?? false };
  // The cursor's object usually still exists. If it is read along with the page, its presence shows that there is a previous page, so no
  // other query is needed.
  const behindIt = asked !== null && !asked.isInclusive ? asked.position : null;
  const from = behindIt && { position: behindIt, isInclusive: true };
  const found = yield* readOn(plan, from ?? asked, isForward, limit + (from === null ? 1 : 2));
  const isThere = behindIt !== null && isAt(plan, found[0], behindIt);
  const read = isThere ? found.slice(1) : found.slice(0, limit + 1);
  const hasMore = read.length > limit;
  const page = hasMore ? read.slice(0, limit) : read;
  const ordered = isForward ? page : page.toReversed();
  const ahead = hasMore ? edgeAfter(plan, isForward ? ordered.at(-1) : ordered[0]) : null;
  const nearest = isForward ? ordered[0] : ordered.at(-1);
  const behind =
    isThere && nearest !== undefined
      ? edgeAfter(plan, nearest)
      : asked && (yield* findEdgeBehind(plan, asked, nearest, isForward));
  const rows = ordered.some(lacksBody)
    ? yield* openLargeRows(ordered, plan.siteNo, plan.view.selectBodies, room)
    : ordered.map(openRow);
  if (rows === undefined) return { mode: 'oversized', objects: ordered.length };
  return isForward
    ? { mode: 'cursor', rows, previous: behind, next: ahead }
    : { mode: 'cursor', rows, previous: ahead, next: behind };
}

/**
 * The position of a cursor. Most cursors contain their sort keys. If the keys are very long, a cursor contains a digest instead, and the
 * keys are looked up: the object's current keys, or those saved when it left that position. Public lists do not use keys from previews,
 * because the content may never have been published.
 */
function* findPosition(plan: ListPlan, { id, digest }: DistantPosition): Procedure<Position | undefined> {
  for (const model of plan.view.models) {
    for (const candidate of yield* selectSortKeys(model, plan.siteNo, id)) {
      const keys = plan.sorts.map((sort) => readSortKey(sort, candidate));
      if (digestKeys(keys) === digest) return { id, keys };
    }
  }
  return undefined;
}

function readSortKey(sort: PlannedSort, keys: SortKeys): KeyValue {
  if (sort.kind === 'attribute') return keys.columns[sort.column] ?? null;
  const field = sort.fields.find(({ fieldNo }) => keys.fields[fieldNo] !== undefined);
  return field === undefined ? null : (keys.fields[field.fieldNo] ?? null);
}

/** @param edge null for the start of the list, or for its end when reading backward */
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
    // All list queries are yielded directly like this, because each generator in between would make lists 1% slower.
    const found = yield { statement, values, common: plan.values };
    rows = rows.length === 0 ? found.rows : [...rows, ...found.rows];
    if (rows.length === most) break;
  }
  return rows;
}

export function listSegments(
  { sorts, gathersBy }: ListPlan,
  edge: Edge | null,
  isForward: boolean,
): readonly Segment[] {
  const build = gathersBy === null ? buildSegments : buildGatheredSegments;
  return build(
    sorts.map((sort) => sort.isNullable),
    edge,
    isForward,
  );
}

/** Statements by plan. A plan lives as long as its shape, and its statements are found here without building their full names. */
const statementsByPlan = new WeakMap<ListPlan, Map<string, Statement | undefined>>();

/** Undefined if no content type can have rows in the segment. */
export function findListStatement(
  plan: ListPlan,
  segment: Segment,
  isForward: boolean,
  output: ListOutput,
): Statement | undefined {
  const ofPlan = findStatementsOf(plan);
  const name = `${output} ${isForward} ${segment.id} ${segment.keys.join()}`;
  if (ofPlan.has(name)) return ofPlan.get(name);
  const statement = findStatement(plan, segment, isForward, output);
  ofPlan.set(name, statement);
  return statement;
}

function findStatementsOf(plan: ListPlan): Map<string, Statement | undefined> {
  const known = statementsByPlan.get(plan);
  if (known !== undefined) return known;
  const statements = new Map<string, Statement | undefined>();
  statementsByPlan.set(plan, statements);
  return statements;
}

export function bindPosition(position: Position | null, limit: number): SlotValues {
  if (position === null) return { limit };
  const [key0 = null, ...others] = position.keys;
  const values = { limit, id: position.id, key0 };
  // Most lists have only one key.
  return others.length === 0
    ? values
    : { ...values, ...Object.fromEntries(others.map((key, index) => [`key${index + 1}`, key])) };
}

/** Whether the row is exactly at this position. The object may have moved since the cursor was created. */
function isAt(plan: ListPlan, row: Cells | undefined, { id, keys }: Position): boolean {
  if (row === undefined || row[0] !== id) return false;
  return positionOf(plan, row, 'rows').keys.every((key, index) => key === keys[index]);
}

function edgeAfter(plan: ListPlan, row: Cells | undefined): Edge | null {
  return row === undefined ? null : { position: positionOf(plan, row, 'rows'), isInclusive: false };
}

/** The edge of the page before this one, in the reading direction; null if no objects are left there. */
function* findEdgeBehind(
  plan: ListPlan,
  asked: Edge,
  nearest: Cells | undefined,
  isForward: boolean,
): Procedure<Edge | null> {
  if (nearest !== undefined) {
    const edge = { position: positionOf(plan, nearest, 'rows'), isInclusive: false };
    return (yield* hasAny(plan, edge, !isForward)) ? edge : null;
  }
  // There are no objects on this side of the edge, so the page in the opposite direction starts with the nearest object on the other side.
  const turned = { position: asked.position, isInclusive: !asked.isInclusive };
  const found = yield* findNearest(plan, turned, !isForward);
  return found === undefined ? null : { position: found, isInclusive: true };
}

/** Starts with the last segment, because it is the widest and most likely to have objects. */
function* hasAny(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<boolean> {
  const values = bindPosition(edge.position, 1);
  const segments = listSegments(plan, edge, isForward).toReversed();
  for (const segment of plan.gathersBy === null ? segments.flatMap(listProbesOf) : segments) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    if (statement === undefined) continue;
    if ((yield { statement, values, common: plan.values }).rows.length > 0) return true;
  }
  return false;
}

function* findNearest(plan: ListPlan, edge: Edge, isForward: boolean): Procedure<Position | undefined> {
  const values = bindPosition(edge.position, 1);
  for (const segment of listSegments(plan, edge, isForward)) {
    const statement = findListStatement(plan, segment, isForward, 'probe');
    const [row] = statement === undefined ? [] : yield* queryCells(statement, values, plan.values);
    if (row !== undefined) return positionOf(plan, row, 'probe');
  }
  return undefined;
}

/** The index of the first sort key in a row's cells. */
const FIRST_KEY = { rows: 2, probe: 1, skip: 1 } as const;

export function positionOf(plan: ListPlan, cells: Cells, output: keyof typeof FIRST_KEY): Position {
  const firstKey = FIRST_KEY[output];
  return { id: String(cells[0]), keys: cells.slice(firstKey, firstKey + plan.sorts.length) };
}
