// A list from a position on, cut into segments that follow each other. Within a segment the leading keys are fixed, one
// key has a range, and the rest is free: so each is one range of an index, whatever the directions of the keys, however
// many objects share a key, and wherever values are missing.

import type { Edge, KeyValue } from '../../listing/cursor.ts';

/**
 * What a segment asks of one sort key: `equal` to the position's, strictly `beyond` it in reading direction (and
 * present), `present`, `missing`, or `any`. A list with one key goes `onward`: beyond the key, or equal to it and with
 * an id as the segment asks for. Where the key ascends as the id does, that is `following`, a single range; elsewhere two
 * ranges are merged by the database in one go. Where places are compared as a whole, `level` is `equal`. A list that is
 * gathered goes `ahead`: onward, and then to the objects without a key.
 */
export type KeyCondition =
  | 'equal'
  | 'level'
  | 'beyond'
  | 'onward'
  | 'following'
  | 'ahead'
  | 'present'
  | 'missing'
  | 'any';

export interface Segment {
  readonly keys: readonly KeyCondition[];
  /** Ids must lie `beyond` the position's, start `from` it, or can be `any`. */
  readonly id: 'beyond' | 'from' | 'any';
}

/** @param nullable for each sort key, whether content can lack it */
export function buildSegments(nullable: readonly boolean[], edge: Edge | null, isForward: boolean): readonly Segment[] {
  if (edge === null) return isForward ? buildWholeList(nullable) : buildWholeList(nullable).toReversed();
  const { position, isInclusive } = edge;
  const id = isInclusive ? 'from' : 'beyond';
  const [only = null, ...others] = position.keys;
  if (only !== null && others.length === 0) {
    const onward: Segment = { keys: ['onward'], id };
    return isForward && nullable[0] ? [onward, { keys: ['missing'], id: 'any' }] : [onward];
  }
  const segments: Segment[] = [{ keys: position.keys.map(fixKey), id }];
  for (let level = nullable.length - 1; level >= 0; level--) {
    const fixed = position.keys.slice(0, level).map(fixKey);
    const rest = nullable.slice(level + 1).map((): KeyCondition => 'any');
    for (const range of listRanges(position.keys[level] ?? null, nullable[level] ?? false, isForward)) {
      segments.push({ keys: [...fixed, range, ...rest], id: 'any' });
    }
  }
  return segments;
}

const BEYOND: Segment = { keys: ['beyond'], id: 'any' };

/** The ranges of an index that a segment is merged from. Ids ascend: only with keys that do, a place is where a range begins. */
export function listRangesOf({ keys, id }: Segment, isAscending: boolean): readonly Segment[] {
  if (keys[0] !== 'onward') return [{ keys, id }];
  return isAscending ? [{ keys: ['following'], id }] : [{ keys: ['equal'], id }, BEYOND];
}

/** The same where a key that is fixed is compared together with the id. */
export function listPlaceRangesOf(segment: Segment, isAscending: boolean): readonly Segment[] {
  return listRangesOf(segment, isAscending).map((range) =>
    range.keys[0] === 'equal' ? { keys: ['level', ...range.keys.slice(1)], id: range.id } : range,
  );
}

/** What to look into, in this order, to know whether a segment holds anything: most of it lies beyond the key. */
export function listProbesOf(segment: Segment): readonly Segment[] {
  return segment.keys[0] === 'onward' ? [BEYOND, segment] : [segment];
}

/** The same with as few segments as possible, for a list whose objects are all found anew for each segment. */
export function buildGatheredSegments(
  nullable: readonly boolean[],
  edge: Edge | null,
  isForward: boolean,
): readonly Segment[] {
  if (edge === null) return [{ keys: nullable.map(() => 'any'), id: 'any' }];
  const [first, ...others] = buildSegments(nullable, edge, isForward);
  if (first?.keys[0] !== 'onward' || others.length === 0) return first === undefined ? [] : [first, ...others];
  return [{ keys: ['ahead'], id: first.id }];
}

function buildWholeList(nullable: readonly boolean[]): readonly Segment[] {
  const rest = nullable.slice(1).map((): KeyCondition => 'any');
  const leads: readonly KeyCondition[] = nullable[0] ? ['present', 'missing'] : ['any'];
  return leads.map((lead) => ({ keys: [lead, ...rest], id: 'any' }));
}

function fixKey(key: KeyValue): KeyCondition {
  return key === null ? 'missing' : 'equal';
}

/** Missing values come last in both directions, so they lie beyond every value going forward, and before going back. */
function listRanges(key: KeyValue, isNullable: boolean, isForward: boolean): readonly KeyCondition[] {
  if (key === null) return isForward ? [] : ['present'];
  return isForward && isNullable ? ['beyond', 'missing'] : ['beyond'];
}
