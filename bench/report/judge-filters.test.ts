import { expect, test } from 'vitest';
import type { FilteredCounts } from '../rows/measure-filtered-counts.ts';
import type { FilteredLists } from '../rows/measure-filters.ts';
import { judgeFilters } from './judge-filters.ts';

const UNFILTERED = { milliseconds: [2, 2, 50], gaveUp: 0 };
const LISTS: FilteredLists = {
  idleWaitMs: 5,
  longestWaitsMs: { author: 40, text: 56 },
  lists: [
    {
      kind: 'author',
      sort: 'by name',
      place: 'first page',
      unfiltered: UNFILTERED,
      filtered: [
        { rarity: 'rare', milliseconds: [4, 300, 4], gaveUp: 0 },
        { rarity: 'common', milliseconds: [20, 20, 20], gaveUp: 0 },
      ],
    },
    {
      kind: 'text',
      sort: 'by name',
      place: 'last page',
      unfiltered: UNFILTERED,
      filtered: [{ rarity: 'none', milliseconds: [22, 22], gaveUp: 1 }],
    },
  ],
  numberedPages: [
    {
      kind: 'author in preview',
      rarity: 'common',
      sort: 'by name',
      firstPage: UNFILTERED,
      distantPages: [
        { place: 'middle page', firstVisitMs: 40, milliseconds: [40, 11, 11], gaveUp: 0 },
        { place: 'last page', firstVisitMs: 10, milliseconds: [10, 10, 10], gaveUp: 0 },
      ],
    },
  ],
  withoutLastPage: ['author=u_common&'],
  hardCases: [
    { name: 'far end', mode: 'cursor mode', milliseconds: [2010, 1990], gaveUp: 2, longestWaitMs: 55 },
    { name: 'far end', mode: 'simple mode', milliseconds: [90], gaveUp: 0, longestWaitMs: 3 },
  ],
};
const COUNTS: FilteredCounts = {
  idleWaitsMs: [5, 4],
  longestWaitsMs: [9, 70],
  counts: [
    { kind: 'author', rarity: 'rare', milliseconds: [1, 2, 3], gaveUp: 0 },
    { kind: 'author', rarity: 'common', milliseconds: [150, 149, 900], gaveUp: 0 },
  ],
};

test('shows the list with the longest median time for each kind of filter', () => {
  const verdicts = judgeFilters(LISTS, undefined, 5000).slice(0, 2);
  expect(verdicts.map(({ what, figure, yardstick, ratio, holds }) => [what, figure, yardstick, ratio, holds])).toEqual([
    ['author, common, by name, first page, 5,000 objects', 20, 2, 10, true],
    ['text, none, by name, last page, 5,000 objects', 22, 2, 11, false],
  ]);
});

test('compares distant pages in simple mode with page 1 of the same list', () => {
  const verdicts = judgeFilters(LISTS, undefined, 5000).filter(({ section }) => section.startsWith('Simple mode'));
  expect(verdicts).toMatchObject([
    { what: 'author in preview, common, by name, middle page, 5,000 objects', figure: 11, ratio: 5.5, holds: false },
  ]);
});

test('shows the slowest first-time count for each kind of filter', () => {
  const [verdict] = judgeFilters(undefined, COUNTS, 5000);
  expect(verdict).toMatchObject({ what: 'author, common, 5,000 objects', figure: 150, ratio: null, holds: true });
});

test("compares other clients' wait times with those on an idle service, and reports the outcome of the hard cases", () => {
  const waits = judgeFilters(LISTS, COUNTS, 5000).filter(({ section }) => section.startsWith('Longest wait'));
  const rows = waits.map(({ what, ...each }) => [
    what.replace(', 5,000 objects', ''),
    each.figure,
    each.yardstick,
    each.holds,
  ]);
  expect(rows).toEqual([
    ['during all of these lists (text)', 51, 5, false],
    ['far end, cursor mode: 503 after 2010 ms', 50, 5, true],
    ['far end, simple mode: 200 after 90 ms', 0, 5, true],
    ['during all first counts', 65, 5, false],
  ]);
});

test('adds up the requests that the service aborted in all measurements', () => {
  const [given] = judgeFilters(LISTS, COUNTS, 5000).slice(-1);
  expect(given).toMatchObject({ figure: 2, holds: false });
  const none = judgeFilters(undefined, COUNTS, 5000).slice(-1);
  expect(none).toMatchObject([{ figure: 0, holds: true }]);
});

test('returns no verdicts if no filter was measured', () => {
  expect(judgeFilters(undefined, undefined, 5000)).toEqual([]);
});
