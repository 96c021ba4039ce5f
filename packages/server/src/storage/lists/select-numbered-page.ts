// Reads a page by its number. The database can reach a page only by counting rows, so we walk an index from the nearest known
// position, and remember positions along the way. If a distant page of a filtered list would take a long walk, we gather the matches.

import { LRUCache } from 'lru-cache';
import type { Edge, Position } from '../../listing/cursor.ts';
import { type Cells, type Procedure, query, queryCells } from '../statement.ts';
import { checksObjects, type ListPlan } from './list-plan.ts';
import { listGatherers } from './planned-filters.ts';
import type { Segment } from './segments.ts';
import { bindPosition, findListStatement, listSegments, positionOf, readOn } from './select-cursor-page.ts';
import { countObjects, findNarrowest, MOST_GATHERED } from './settle-plan.ts';

/**
 * The rows of a page. Large bodies are left out.
 * @param list the total and the known landmarks of the list; new landmarks are added to it
 */
export function* selectNumberedPage(plan: ListPlan, page: number, list: KnownList): Procedure<readonly Cells[]> {
  const { limit } = plan;
  const { total } = list;
  const start = (page - 1) * limit;
  if (start >= total) return [];
  const end = Math.min(start + limit, total);
  const before = findLandmark(list, start, true);
  const after = findLandmark(list, end, false);
  const isForward = start - before.at <= after.at - end;
  const place = yield* walk(plan, list, isForward ? before : after, isForward ? start : end);
  const cells = yield* readOn(plan, toEdge(place, isForward), isForward, end - start);
  const ordered = isForward ? cells : cells.toReversed();
  const [last] = ordered.slice(-1);
  if (last !== undefined) addVisited(list, { at: end, position: positionOf(plan, last, 'rows') });
  return ordered;
}

/** The nearest landmark at or before an offset, or at or after it if `isBefore` is false. Both ends of a list are landmarks. */
function findLandmark({ landmarks, visited }: KnownList, at: number, isBefore: boolean): Landmark {
  const found = isBefore
    ? landmarks.findLast((landmark) => landmark.at <= at)
    : landmarks.find((landmark) => landmark.at >= at);
  if (found === undefined) throw new Error(`The list has no landmark near ${at}`);
  const isNearer = (place: Landmark, other: Landmark): boolean =>
    isBefore ? place.at <= at && place.at > other.at : place.at >= at && place.at < other.at;
  return visited.reduce((nearest, place) => (isNearer(place, nearest) ? place : nearest), found);
}

function* walk(plan: ListPlan, list: KnownList, from: Landmark, to: number): Procedure<Landmark> {
  const gathering = yield* chooseGathering(plan, list, Math.abs(to - from.at));
  const stride = gathering === null ? list.stride : list.total;
  let place = from;
  while (place.at !== to) {
    const isForward = place.at < to;
    const at = isForward ? Math.min(place.at + stride, to) : Math.max(place.at - stride, to);
    // A landmark stores the position of the object before it. This is the last object passed when walking forward, and the next one when
    // walking backward.
    const skipped = isForward ? at - place.at - 1 : place.at - at;
    const position = yield* findAfter(gathering ?? plan, toEdge(place, isForward), isForward, skipped);
    if (position === undefined) throw new Error(`The list of ${list.total} objects has no object at position ${at}`);
    place = { at, position };
    addLandmark(list, place);
  }
  return place;
}

/**
 * The plan that gathers the matches of the narrowest filter; null if walking past the skipped objects takes fewer steps (settle-plan.ts).
 * The steps of the walk are estimated from the objects in all languages, because they are not counted by language. Gathering leaves no
 * landmarks along the way, so matches are gathered only if they are few enough to finish in time. A longer walk that runs out of time can be
 * resumed at its last landmark.
 */
function* chooseGathering(plan: ListPlan, { total }: KnownList, skipped: number): Procedure<ListPlan | null> {
  const gatherers = listGatherers(plan.filters);
  if (skipped === 0 || !checksObjects(plan) || gatherers.length === 0) return null;
  if (total > MOST_GATHERED) return null;
  const walked = Math.floor((skipped * (yield* countObjects(plan))) / total);
  const most = Math.min(walked - 1, MOST_GATHERED);
  // Each filter matches at least as many objects as all filters together.
  if (total > most) return null;
  const { gatherer, size } = yield* findNarrowest(plan, gatherers, most);
  return size > most ? null : { ...plan, gathersBy: gatherer, gathersMany: true };
}

/** The position of the object that comes after `skipped` objects; undefined if there are not enough objects. Does not read bodies. */
function* findAfter(
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

function toEdge({ position }: Landmark, isForward: boolean): Edge | null {
  return position && { position, isInclusive: !isForward };
}

function addLandmark(list: KnownList, landmark: Landmark): void {
  const { landmarks } = list;
  const next = landmarks.findIndex(({ at }) => at >= landmark.at);
  const neighbours = [landmarks[next - 1], landmarks[next]];
  const least = list.stride / 2;
  const isFarFromOthers = neighbours.every((each) => each === undefined || Math.abs(each.at - landmark.at) >= least);
  if (isFarFromOthers) landmarks.splice(next, 0, landmark);
}

/** The number of places to remember exactly, so that the same page and its neighbours can be read without a walk. */
const MOST_VISITED = 8;

function addVisited(list: KnownList, place: Landmark): void {
  addLandmark(list, place);
  const { visited } = list;
  const known = visited.findIndex(({ at }) => at === place.at);
  if (known !== -1) visited.splice(known, 1);
  visited.push(place);
  if (visited.length > MOST_VISITED) visited.shift();
}

/** A place between two objects: 0 is the start, and the list's total is the end. */
export interface Landmark {
  /** The number of objects before it. */
  readonly at: number;
  /** The position of the last object before it. Null at the start of the list, and at the end if no walk has reached the end. */
  readonly position: Position | null;
}

export interface KnownList {
  readonly total: number;
  /** The approximate number of objects between landmarks. */
  readonly stride: number;
  /** The landmarks, in the order of the list. */
  readonly landmarks: Landmark[];
  /** The ends of the pages that were read last. */
  readonly visited: Landmark[];
}

interface RememberedList {
  readonly generation: number;
  readonly list: KnownList;
}

const MOST_LISTS = 200;
const MOST_TOTALS = 2000;

/**
 * Remembers the totals of lists that are read by page number, and the positions of some objects, from which distant pages can be reached
 * quickly. Valid for one generation of a view of a site.
 */
export class ListMemory {
  readonly #lists = new LRUCache<ListPlan, RememberedList>({ max: MOST_LISTS });
  readonly #totals = new LRUCache<string, number>({ max: MOST_TOTALS });

  /** Nothing is remembered for share links: their lists are short, and each link has lists of its own. */
  *find(plan: ListPlan, generation: number): Procedure<KnownList> {
    if (plan.filters.ids !== undefined) return startList(yield* countAll(plan));
    return this.#recall(plan, generation) ?? this.#remember(plan, generation, yield* countAll(plan));
  }

  #recall(plan: ListPlan, generation: number): KnownList | undefined {
    const known = this.#lists.get(plan);
    if (known?.generation === generation) return known.list;
    const total = this.#totals.get(nameTotal(plan, generation));
    return total === undefined ? undefined : this.#remember(plan, generation, total);
  }

  #remember(plan: ListPlan, generation: number, total: number): KnownList {
    const list = startList(total, checksObjects(plan) ? LEAST_CHECKED_STRIDE : LEAST_STRIDE);
    this.#lists.set(plan, { generation, list });
    this.#totals.set(nameTotal(plan, generation), total);
    return list;
  }
}

export function* countAll(plan: ListPlan): Procedure<number> {
  const { filters, types } = plan;
  // The order does not matter, so the objects that match all filters are counted without looking up each object.
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

/** Skipping this many objects takes about as long as reading a page. */
const LEAST_STRIDE = 10_000;
/** The same number for a list in which each object has to be checked against a filter. */
const LEAST_CHECKED_STRIDE = 250;
const MOST_STRIDES = 100;

export function startList(total: number, leastStride = LEAST_STRIDE): KnownList {
  return {
    total,
    stride: Math.max(leastStride, Math.ceil(total / MOST_STRIDES)),
    landmarks: [
      { at: 0, position: null },
      { at: total, position: null },
    ],
    visited: [],
  };
}

/** Lists that differ only in order or page size have the same total. */
function nameTotal({ siteNo, view, language, fallback, filters }: ListPlan, generation: number): string {
  return JSON.stringify([siteNo, view.audience, generation, language, fallback, filters]);
}
