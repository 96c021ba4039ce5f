import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeyValue, Position } from '../../listing/cursor.ts';
import {
  buildGatheredSegments,
  buildSegments,
  type KeyCondition,
  listPlaceRangesOf,
  listProbesOf,
  listRangesOf,
  type Segment,
} from './segments.ts';

type Row = Position;

/** Rows with one or two keys. The keys have only a few different values, so many rows share them. Nullable keys are sometimes missing. */
function buildRows(nullable: readonly boolean[]): readonly Row[] {
  const combined = nullable.reduce<readonly (readonly KeyValue[])[]>(
    (starts, isNullable) =>
      starts.flatMap((start) => (isNullable ? [1, 2, null] : [1, 2]).map((value) => [...start, value])),
    [[]],
  );
  return combined.flatMap((keys) => ['a', 'b', 'c'].map((id) => ({ keys, id: `${id}${keys.join('')}` })));
}

function compareKeys(a: KeyValue, b: KeyValue, isAscending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b === isAscending ? -1 : 1;
}

function compareRows(a: Row, b: Row, ascending: readonly boolean[]): number {
  for (const [index, isAscending] of ascending.entries()) {
    const order = compareKeys(a.keys[index] ?? null, b.keys[index] ?? null, isAscending);
    if (order !== 0) return order;
  }
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function meets(
  row: Row,
  segment: Segment,
  position: Position | null,
  ascending: readonly boolean[],
  isForward: boolean,
): boolean {
  const meetsAny = (ranges: readonly Segment[]): boolean =>
    ranges.some((range) => meetsRange(row, range, position, ascending, isForward));
  const goesUp = ascending[0] === true;
  const isMet = meetsAny(listRangesOf(segment, goesUp));
  expect(meetsAny(listPlaceRangesOf(segment, goesUp))).toBe(isMet);
  expect(listProbesOf(segment).some((probe) => meetsAny(listRangesOf(probe, goesUp)))).toBe(isMet);
  return isMet;
}

function meetsRange(
  row: Row,
  range: Segment,
  position: Position | null,
  ascending: readonly boolean[],
  isForward: boolean,
): boolean {
  const meetsKeys = range.keys.every((condition, index) => {
    const key = row.keys[index] ?? null;
    const at = position?.keys[index] ?? null;
    return meetsKey(condition, key, at, ascending[index] === isForward);
  });
  if (!meetsKeys || range.id === 'any' || position === null) return meetsKeys;
  if (range.keys[0] === 'following' && row.keys[0] !== position.keys[0]) return true;
  if (row.id === position.id) return range.id === 'from';
  return row.id > position.id === isForward;
}

function meetsKey(condition: KeyCondition, key: KeyValue, at: KeyValue, isUpwards: boolean): boolean {
  switch (condition) {
    case 'any':
      return true;
    case 'onward':
    case 'ahead':
      throw new Error(`A range has no condition ${condition}`);
    case 'present':
      return key !== null;
    case 'missing':
      return key === null;
    case 'equal':
    case 'level':
      return key === at;
    case 'following':
      return key !== null && at !== null && (key === at || key > at === isUpwards);
    case 'beyond':
      return key !== null && at !== null && key !== at && key > at === isUpwards;
  }
}

const shape = fc.record({
  nullable: fc.oneof(fc.tuple(fc.boolean()), fc.tuple(fc.boolean(), fc.boolean())),
  ascending: fc.tuple(fc.boolean(), fc.boolean()),
  isForward: fc.boolean(),
  isInclusive: fc.boolean(),
  at: fc.nat(),
});

describe('the segments of a list', () => {
  test('together contain exactly the objects after the position, in order and without duplicates', () => {
    fc.assert(
      fc.property(shape, ({ nullable, ascending, isForward, isInclusive, at }) => {
        const rows = buildRows(nullable).toSorted((a, b) => compareRows(a, b, ascending));
        const index = at % rows.length;
        const position = rows[index];
        if (position === undefined) throw new Error('There is no row');
        const inReadingOrder = isForward ? rows : rows.toReversed();
        const start = inReadingOrder.indexOf(position) + (isInclusive ? 0 : 1);
        const found = buildSegments(nullable, { position, isInclusive }, isForward).flatMap((segment) =>
          inReadingOrder.filter((row) => meets(row, segment, position, ascending, isForward)),
        );
        expect(found).toEqual(inReadingOrder.slice(start));
      }),
    );
  });

  test('contain all objects if there is no position, and put objects without the first key at the end', () => {
    fc.assert(
      fc.property(shape, ({ nullable, ascending }) => {
        const rows = buildRows(nullable).toSorted((a, b) => compareRows(a, b, ascending));
        const found = buildSegments(nullable, null, true).flatMap((segment) =>
          rows.filter((row) => meets(row, segment, null, ascending, true)),
        );
        expect(found).toEqual(rows);
      }),
    );
  });

  test('require the leading keys to be equal, limit one key, and leave the other keys unrestricted', () => {
    expect(buildSegments([true, false], { position: { keys: [1, 2], id: 'a' }, isInclusive: false }, true)).toEqual([
      { keys: ['equal', 'equal'], id: 'beyond' },
      { keys: ['equal', 'beyond'], id: 'any' },
      { keys: ['beyond', 'any'], id: 'any' },
      { keys: ['missing', 'any'], id: 'any' },
    ]);
    expect(buildSegments([true, false], { position: { keys: [null, 2], id: 'a' }, isInclusive: true }, false)).toEqual([
      { keys: ['missing', 'equal'], id: 'from' },
      { keys: ['missing', 'beyond'], id: 'any' },
      { keys: ['present', 'any'], id: 'any' },
    ]);
  });

  test('are at most two for a single key: one that starts at the position, and one for objects without the key', () => {
    const position = { keys: [1], id: 'a' };
    expect(buildSegments([true], { position, isInclusive: false }, true)).toEqual([
      { keys: ['onward'], id: 'beyond' },
      { keys: ['missing'], id: 'any' },
    ]);
    expect(buildSegments([true], { position, isInclusive: true }, false)).toEqual([{ keys: ['onward'], id: 'from' }]);
  });

  test('are kept to a minimum for a filtered list, because each segment gathers all the matches again', () => {
    const from = (key: KeyValue) => ({ position: { keys: [key], id: 'a' }, isInclusive: false });
    expect(buildGatheredSegments([true], null, true)).toEqual([{ keys: ['any'], id: 'any' }]);
    expect(buildGatheredSegments([true, false], null, false)).toEqual([{ keys: ['any', 'any'], id: 'any' }]);
    expect(buildGatheredSegments([true], from(1), true)).toEqual([{ keys: ['ahead'], id: 'beyond' }]);
    expect(buildGatheredSegments([false], from(1), true)).toEqual([{ keys: ['onward'], id: 'beyond' }]);
    expect(buildGatheredSegments([true], from(1), false)).toEqual([{ keys: ['onward'], id: 'beyond' }]);
    expect(buildGatheredSegments([true], from(null), true)).toEqual([{ keys: ['missing'], id: 'beyond' }]);
  });
});
