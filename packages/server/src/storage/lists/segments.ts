// Splits the part of a list after a position into consecutive segments. Within a segment, the leading keys are fixed, one key has a
// range, and the others are unrestricted. Each segment is therefore a single range of an index, regardless of the sort directions,
// even if values are missing or many objects share a key.

import type { Edge, KeyValue } from '../../listing/cursor.ts';

/**
 * A segment's condition on one sort key: `equal` to the position's key, strictly `beyond` it in the reading direction (and present),
 * `present`, `missing`, or `any`. In a list with one key it is `onward`: beyond the key, or equal to it with a matching id. If the key
 * ascends like the id, this is `following`, a single range; otherwise the database merges two ranges. If the key and the id are
 * compared together, `level` replaces `equal`. In a gathered list the condition is `ahead`: `onward`, followed by the objects without a
 * key.
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
  /** Ids in the segment are `beyond` the position's id, equal to it or beyond it (`from`), or not restricted (`any`). */
  readonly id: 'beyond' | 'from' | 'any';
}

/** @param nullable for each sort key, whether it can be missing */
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

/** The index ranges of a segment. Ids ascend, so a position is the start of a single range only if the key ascends too. */
export function listRangesOf({ keys, id }: Segment, isAscending: boolean): readonly Segment[] {
  if (keys[0] !== 'onward') return [{ keys, id }];
  return isAscending ? [{ keys: ['following'], id }] : [{ keys: ['equal'], id }, BEYOND];
}

/** Like `listRangesOf`, but compares a fixed key together with the id. */
export function listPlaceRangesOf(segment: Segment, isAscending: boolean): readonly Segment[] {
  return listRangesOf(segment, isAscending).map((range) =>
    range.keys[0] === 'equal' ? { keys: ['level', ...range.keys.slice(1)], id: range.id } : range,
  );
}

/** The segments in which to search for any object. The objects beyond the key come first, because there are usually more of them. */
export function listProbesOf(segment: Segment): readonly Segment[] {
  return segment.keys[0] === 'onward' ? [BEYOND, segment] : [segment];
}

/** Like `buildSegments`, but with as few segments as possible, because a gathered list gathers all its objects again for each one. */
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

/** Missing values sort last in both directions, so they come after all values when reading forward, and first when reading backward. */
function listRanges(key: KeyValue, isNullable: boolean, isForward: boolean): readonly KeyCondition[] {
  if (key === null) return isForward ? [] : ['present'];
  return isForward && isNullable ? ['beyond', 'missing'] : ['beyond'];
}
