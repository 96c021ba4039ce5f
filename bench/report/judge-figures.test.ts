import { expect, test } from 'vitest';
import { judgeLatency, judgePlainFigures, judgePublishes, judgeRenderings, judgeSimplePages } from './judge-figures.ts';

test("compares each round's p99 with the bare server's p99, and uses the median ratio", () => {
  const measured = {
    what: 'list',
    perSecond: 500,
    p50Ms: [1, 2, 1],
    p99Ms: [4, 8, 9],
    bareP50Ms: [1, 1, 2],
    bareP99Ms: [4, 4, 6],
  };
  expect(judgeLatency([measured]).map(({ what, ratio, holds }) => [what, ratio, holds])).toEqual([
    ['list, 500 /s', 1.5, true],
  ]);
  expect(judgeLatency([{ ...measured, p99Ms: [4, 8, 9.1] }]).map(({ holds }) => holds)).toEqual([false]);
});

test('compares pages in simple mode with the first page', () => {
  const verdicts = judgeSimplePages(
    [
      { place: 'first page', milliseconds: [1, 1, 9] },
      { place: 'middle page', milliseconds: [15, 5, 1] },
      { place: 'last page', milliseconds: [5, 6, 7] },
    ],
    5000,
  );
  expect(verdicts.map(({ what, ratio, holds }) => [what, ratio, holds])).toEqual([
    ['middle page of 20, 5,000 objects', 5, true],
    ['last page of 20, 5,000 objects', 6, false],
  ]);
});

test('compares publishing times on the large site with those on the small one', () => {
  const measured = [
    { size: 1000, milliseconds: [2, 2, 2] },
    { size: 9000, milliseconds: [2, 4, 3] },
  ];
  expect(judgePublishes(measured)).toMatchObject([{ figure: 3, yardstick: 2, ratio: 1.5, holds: true }]);
});

test('compares rendering times with read times, and with a target in milliseconds', () => {
  const measured = { blocks: 200, bytes: 1, renderings: [40, 20, 50], marked: [51, 52, 20], reads: [4, 8, 10] };
  expect(judgeRenderings(measured).map(({ figure, ratio, holds }) => [figure, ratio, holds])).toEqual([
    [40, 5, true],
    [51, 6.375, false],
    [40, null, true],
    [51, null, false],
  ]);
  expect(judgeRenderings(undefined)).toEqual([]);
});

test('leaves out rows that were not measured', () => {
  const figures = { size: 1000, importedPerSecond: undefined, residentMb: undefined, startSeconds: 0.5 };
  expect(judgePlainFigures(figures).map(({ figure, holds }) => [figure, holds])).toEqual([[0.5, true]]);
});
