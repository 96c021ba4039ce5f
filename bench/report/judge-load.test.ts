import { expect, test } from 'vitest';
import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { judgeAgainstBare, judgeEvenness, judgeUnchanged } from './judge-load.ts';

function sample(perSecond: number, cpuMicroseconds: number | undefined): Sample {
  return { perSecond, cpuMicroseconds, p50Ms: 1, p99Ms: 2, coreShare: 1, anonymousMb: 50 };
}

function measured(size: number, place: MeasuredCase['place'], perSecond: number, cpu?: number): MeasuredCase {
  return { size, place, kind: 'first-time', samples: [sample(perSecond, cpu)] };
}

function group(cases: readonly MeasuredCase[], cpu?: number): MeasuredGroup {
  const yardstick = [sample(40_000, cpu)];
  return { row: 'list', what: 'list', bodyBytes: 40_000, yardstick, cases };
}

test('meets the target if the ratio reaches it, and misses it otherwise', () => {
  const verdicts = judgeAgainstBare([
    group([measured(1000, 'first page', 16_000), measured(1000, 'last page', 15_999)]),
  ]);
  expect(verdicts.map(({ ratio, holds }) => [ratio?.toFixed(2), holds])).toEqual([
    ['0.40', true],
    ['0.40', false],
  ]);
});

test('names the baseline and has a separate target for each kind of baseline', () => {
  const list = group([measured(1000, 'first page', 16_000)]);
  const verdicts = judgeAgainstBare([list, { ...list, row: 'object', against: 'select' }]);
  expect(verdicts.map(({ section, bar }) => [section, bar.value])).toEqual([
    ['First-time requests, against bare node:http sending the same headers and bytes', 0.4],
    ['First-time requests, against a bare select of the same rows over the same driver', 0.6],
  ]);
});

test('calculates CPU ratios in the same direction as request ratios: more CPU time means a lower ratio', () => {
  const [verdict] = judgeAgainstBare([group([measured(1000, 'first page', 10_000, 80)], 20)]);
  expect(verdict?.cpuRatio).toBe(0.25);
});

test('has no CPU ratio if the system does not report CPU time', () => {
  const [verdict] = judgeAgainstBare([group([measured(1000, 'first page', 10_000)])]);
  expect(verdict?.cpuRatio).toBeNull();
});

test('compares a 304 only with the full response on the same site', () => {
  const full = { ...measured(1000, 'first page', 30_000), kind: 'repeated' } as const;
  const unchanged = { ...measured(1000, 'first page', 45_000), kind: 'unchanged' } as const;
  const groups = [group([full, unchanged])];
  expect(
    judgeUnchanged(groups).map(({ figure, yardstick, ratio, holds }) => [figure, yardstick, ratio, holds]),
  ).toEqual([[45_000, 30_000, 1.5, true]]);
  expect(judgeAgainstBare(groups)).toHaveLength(1);
  expect(judgeEvenness(groups)).toEqual([]);
});

test('compares the same page on both sites, and each site’s last page with its first', () => {
  const verdicts = judgeEvenness([
    group([
      measured(1000, 'first page', 9000, 10),
      measured(1000, 'last page', 9000, 10),
      measured(100_000, 'first page', 9000, 10),
      measured(100_000, 'last page', 4500, 20),
      measured(100_000, 'any page', 3000, 30),
    ]),
  ]);
  expect(verdicts.map(({ what, ratio, cpuRatio, holds }) => [what, ratio, cpuRatio, holds])).toEqual([
    ['list, first page: 100,000 objects against 1,000', 1, 1, true],
    ['list, last page: 100,000 objects against 1,000', 2, 2, false],
    ['list, 1,000 objects: last page against first', 1, 1, true],
    ['list, 100,000 objects: last page against first', 2, 2, false],
  ]);
});
