// A page by cursor: its rows and one more, which shows whether the list continues.

import type { AnswerRoom } from '../../content/answer-limit.ts';
import {
  type Cursor,
  type DistantPosition,
  digestKeys,
  type Edge,
  type KeyValue,
  type Position,
} from '../../listing/cursor.ts';
import { type SortKeys, selectDepartedKeys, selectStandingKeys } from '../publication/sort-keys.ts';
import type { Cells, Procedure } from '../statement.ts';
import { type ContentRow, lacksBody, type OversizedPage, openLargeRows, openRow } from './content-rows.ts';
import type { ListPlan, PlannedSort } from './list-plan.ts';
import { findNearest, hasAny, positionOf, readOn } from './list-reading.ts';

export interface CursorPage {
  readonly mode: 'cursor';
  readonly rows: readonly ContentRow[];
  /** The edges of the previous and the next page; null if there is none. */
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
  // The object of a cursor usually still exists. Reading it too shows that there is a previous page, which saves another
  // query.
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
  const rows = ordered.some(lacksBody) ? yield* openLargeRows(plan, ordered, room) : ordered.map(openRow);
  if (rows === undefined) return { mode: 'oversized', objects: ordered.length };
  return isForward
    ? { mode: 'cursor', rows, previous: behind, next: ahead }
    : { mode: 'cursor', rows, previous: ahead, next: behind };
}

/** Whether the row is exactly at this position: the object may have moved since. */
function isAt(plan: ListPlan, row: Cells | undefined, { id, keys }: Position): boolean {
  if (row === undefined || row[0] !== id) return false;
  return positionOf(plan, row, 'rows').keys.every((key, index) => key === keys[index]);
}

function edgeAfter(plan: ListPlan, row: Cells | undefined): Edge | null {
  return row === undefined ? null : { position: positionOf(plan, row, 'rows'), isInclusive: false };
}

/** The edge of the page that the request came from; null if nothing is left of it. */
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
  // There is nothing on this side of the edge, so the way back starts with the objects on the other side.
  const turned = { position: asked.position, isInclusive: !asked.isInclusive };
  const found = yield* findNearest(plan, turned, !isForward);
  return found === undefined ? null : { position: found, isInclusive: true };
}

/**
 * The position of a cursor. Most cursors contain their sort keys. Those with very long keys contain a digest instead; then the keys are
 * those that the object has now, or had before it left that position.
 */
function* findPosition(plan: ListPlan, { id, digest }: DistantPosition): Procedure<Position | undefined> {
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
