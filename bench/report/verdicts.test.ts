import { expect, test } from 'vitest';
import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { renderTable } from './table.ts';
import { judgeAgainstBare, judgeEvenness, judgePlainFigures } from './verdicts.ts';

function sample(perSecond: number, cpuMicroseconds: number | undefined): Sample {
  return { perSecond, cpuMicroseconds, p50Ms: 1, p99Ms: 2, coreShare: 1, anonymousMb: 50 };
}

function measured(size: number, place: MeasuredCase['place'], perSecond: number, cpu?: number): MeasuredCase {
  return { size, place, samples: [sample(perSecond, cpu)] };
}

function group(cases: readonly MeasuredCase[], cpu?: number): MeasuredGroup {
  return { what: 'list', bar: 0.25, bodyBytes: 40_000, yardstick: [sample(40_000, cpu)], cases };
}

test('holds where the ratio reaches the bar, and not below it', () => {
  const verdicts = judgeAgainstBare([group([measured(1000, 'first page', 10_000), measured(1000, 'last page', 9999)])]);
  expect(verdicts.map(({ ratio, holds }) => [ratio?.toFixed(2), holds])).toEqual([
    ['0.25', true],
    ['0.25', false],
  ]);
});

test('counts CPU time the same way round as requests: more of it is a lower ratio', () => {
  const [verdict] = judgeAgainstBare([group([measured(1000, 'first page', 10_000, 80)], 20)]);
  expect(verdict?.cpuRatio).toBe(0.25);
});

test('has no ratio by CPU where the system does not tell CPU time', () => {
  const [verdict] = judgeAgainstBare([group([measured(1000, 'first page', 10_000)])]);
  expect(verdict?.cpuRatio).toBeNull();
});

test('compares the same place of both sites, and the last page of a site with its first', () => {
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

test('leaves out what was not measured', () => {
  const verdicts = judgePlainFigures({
    size: 1000,
    importedPerSecond: undefined,
    residentMb: undefined,
    startSeconds: [0.4, 1.4, 0.5],
  });
  expect(verdicts.map(({ figure, holds }) => [figure, holds])).toEqual([[0.5, true]]);
});

test('prints a table that names each section once and lines its columns up', () => {
  const verdicts = [
    ...judgeAgainstBare([group([measured(1000, 'first page', 20_000), measured(1000, 'last page', 2000)])]),
    ...judgePlainFigures({ size: 1000, importedPerSecond: 4321.9, residentMb: 99, startSeconds: [0.25] }),
  ];
  expect(renderTable(verdicts, false)).toMatchInlineSnapshot(`
    "                                                                     figure   yardstick   ratio       bar   holds

    First-time requests, against bare node:http sending the same headers and bytes
      list, first page, 1,000 objects                                 20,000 /s   40,000 /s    0.50    ≥ 0.25     yes
      list, last page, 1,000 objects                                   2,000 /s   40,000 /s    0.05    ≥ 0.25      NO

    Figures with a bar of their own
      import of 1,000 objects                                   4,322 objects/s           –       –   ≥ 5,000      NO
      memory under load (largest resident set), 1,000 objects             99 MB           –       –     < 200     yes
      start to first answer, 1,000 objects                               0.25 s           –       –       < 1     yes
    "
  `);
});
