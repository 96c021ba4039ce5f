// The targets for measurements under load, and whether the figures meet them.

import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { median, medianRatio } from './median.ts';
import { type Bar, judge, type Verdict } from './verdict.ts';

export const AGAINST_BARE = {
  repeated: 'Repeated requests, against bare node:http sending the same headers and bytes',
  'first-time': 'First-time requests, against bare node:http sending the same headers and bytes',
} as const;
const AGAINST_SELECT = 'First-time requests, against a bare select of the same rows over the same driver';
/** The minimum share of the baseline's requests per second. */
const LEAST_OF_REPEATED = 1;
const LEAST_OF_OBJECTS = 0.8;
const LEAST_OF_LISTS = 0.4;
const LEAST_OF_SELECT = 0.6;
const UNCHANGED: Bar = { relation: '≥', value: 1 };
const EVEN: Bar = { relation: '≤', value: 1.3 };

export function judgeAgainstBare(groups: readonly MeasuredGroup[]): readonly Verdict[] {
  return groups.flatMap(({ row, what, against, yardstick, cases }) =>
    cases.flatMap((each) => {
      if (each.kind === 'unchanged') return [];
      return judge({
        section: against === 'select' ? AGAINST_SELECT : AGAINST_BARE[each.kind],
        what: `${what}${describePlace(each)}, ${formatSize(each)}`,
        ...compareRates(each.samples, yardstick),
        ratio: medianRatio(each.samples.map(readRate), yardstick.map(readRate)),
        cpuRatio: findCpuRatio(yardstick, each.samples),
        bar: { relation: '≥', value: against === 'select' ? LEAST_OF_SELECT : findLeast(row) },
      });
    }),
  );
}

function findLeast(row: MeasuredGroup['row']): number {
  if (row === 'repeated') return LEAST_OF_REPEATED;
  return row === 'object' ? LEAST_OF_OBJECTS : LEAST_OF_LISTS;
}

export function judgeUnchanged(groups: readonly MeasuredGroup[]): readonly Verdict[] {
  return groups.flatMap(({ what, cases }) =>
    cases.flatMap((each) => {
      const full = cases.find(({ kind, place }) => kind === 'repeated' && place === each.place);
      if (each.kind !== 'unchanged' || full === undefined) return [];
      return judge({
        section: '304 for unchanged content, compared with the full response',
        what: `${what}, ${formatSize(each)}`,
        ...compareRates(each.samples, full.samples),
        ratio: medianRatio(each.samples.map(readRate), full.samples.map(readRate)),
        cpuRatio: findCpuRatio(full.samples, each.samples),
        bar: UNCHANGED,
      });
    }),
  );
}

export function judgeEvenness(groups: readonly MeasuredGroup[]): readonly Verdict[] {
  return groups.flatMap(({ what, cases: all }) => {
    const cases = all.filter(({ kind }) => kind === 'first-time');
    return [
      ...listPairs(cases, 'size').map(([small, large]) => {
        const sizes = `${formatSize(large)} against ${small.size.toLocaleString('en')}`;
        return compareCases(`${what}${describePlace(large)}: ${sizes}`, large, small);
      }),
      ...listPairs(cases, 'place').map(([first, last]) =>
        compareCases(`${what}, ${formatSize(last)}: last page against first`, last, first),
      ),
    ];
  });
}

/** Pairs the same page on both sites, or the first and the last page of one site. */
function listPairs(
  cases: readonly MeasuredCase[],
  by: 'size' | 'place',
): readonly (readonly [MeasuredCase, MeasuredCase])[] {
  return cases.flatMap((yardstick) =>
    cases
      .filter((each) =>
        by === 'size'
          ? each.place === yardstick.place && each.size > yardstick.size
          : each.size === yardstick.size && yardstick.place === 'first page' && each.place === 'last page',
      )
      .map((each) => [yardstick, each] as const),
  );
}

function compareCases(what: string, each: MeasuredCase, yardstick: MeasuredCase): Verdict {
  return judge({
    section: 'Large sites compared with small ones, last pages with first pages: how many times slower',
    what,
    ...compareRates(each.samples, yardstick.samples),
    ratio: medianRatio(yardstick.samples.map(readRate), each.samples.map(readRate)),
    cpuRatio: findCpuRatio(each.samples, yardstick.samples),
    bar: EVEN,
  });
}

function compareRates(samples: readonly Sample[], yardstick: readonly Sample[]) {
  return { figure: median(samples.map(readRate)), unit: '/s', yardstick: median(yardstick.map(readRate)) };
}

function readRate(sample: Sample): number {
  return sample.perSecond;
}

/** CPU time is a cost, so the ratio is inverted: the second side's time divided by the first side's. */
function findCpuRatio(dividends: readonly Sample[], divisors: readonly Sample[]): number | null {
  const read = (samples: readonly Sample[]): readonly number[] => samples.flatMap((each) => each.cpuMicroseconds ?? []);
  const [above, below] = [read(dividends), read(divisors)];
  return above.length === 0 || above.length !== below.length ? null : medianRatio(above, below);
}

function describePlace({ place }: MeasuredCase): string {
  return place === 'any object' ? '' : `, ${place}`;
}

function formatSize({ size }: MeasuredCase): string {
  return `${size.toLocaleString('en')} objects`;
}
