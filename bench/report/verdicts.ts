// The bars, and whether the figures of a run hold them.

import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { median, medianRatio } from './median.ts';

/** A row of the table. */
export interface Verdict {
  readonly section: string;
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** Measured in the same run, in the same unit; null where the bar is a figure of its own. */
  readonly yardstick: number | null;
  /** How many times the yardstick the figure is, or how many times slower, as the section says. */
  readonly ratio: number | null;
  /** The same from CPU time for each request instead of requests a second; null where that is not known. */
  readonly cpuRatio: number | null;
  readonly bar: string;
  readonly holds: boolean;
}

const MOST_TIMES_SLOWER = 1.5;
const LEAST_IMPORTED = 5000;
const MOST_MEGABYTES = 200;
const MOST_START_SECONDS = 1;

export function judgeAgainstBare(groups: readonly MeasuredGroup[]): readonly Verdict[] {
  return groups.flatMap(({ what, bar, yardstick, cases }) =>
    cases.map((each): Verdict => {
      const ratio = medianRatio(each.samples.map(readRate), yardstick.map(readRate));
      return {
        section: 'First-time requests, against bare node:http sending the same headers and bytes',
        what: `${what}${describePlace(each)}, ${formatSize(each)}`,
        figure: median(each.samples.map(readRate)),
        unit: '/s',
        yardstick: median(yardstick.map(readRate)),
        ratio,
        cpuRatio: findCpuRatio(yardstick, each.samples),
        bar: `≥ ${bar}`,
        holds: ratio >= bar,
      };
    }),
  );
}

export function judgeEvenness(groups: readonly MeasuredGroup[]): readonly Verdict[] {
  return groups.flatMap(({ what, cases }) => [
    ...listPairs(cases, 'size').map(([small, large]) =>
      compare(
        `${what}${describePlace(large)}: ${formatSize(large)} against ${small.size.toLocaleString('en')}`,
        large,
        small,
      ),
    ),
    ...listPairs(cases, 'place').map(([first, last]) =>
      compare(`${what}, ${formatSize(last)}: last page against first`, last, first),
    ),
  ]);
}

/** The same place in both sites, or the first and the last page of one. */
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

function compare(what: string, each: MeasuredCase, yardstick: MeasuredCase): Verdict {
  const ratio = medianRatio(yardstick.samples.map(readRate), each.samples.map(readRate));
  return {
    section: 'Large against small, last page against first: how many times slower',
    what,
    figure: median(each.samples.map(readRate)),
    unit: '/s',
    yardstick: median(yardstick.samples.map(readRate)),
    ratio,
    cpuRatio: findCpuRatio(each.samples, yardstick.samples),
    bar: `≤ ${MOST_TIMES_SLOWER}`,
    holds: ratio <= MOST_TIMES_SLOWER,
  };
}

export interface PlainFigures {
  readonly size: number;
  /** Undefined where the site was there already. */
  readonly importedPerSecond: number | undefined;
  readonly residentMb: number | undefined;
  readonly startSeconds: readonly number[];
}

export function judgePlainFigures({
  size,
  importedPerSecond,
  residentMb,
  startSeconds,
}: PlainFigures): readonly Verdict[] {
  const objects = `${size.toLocaleString('en')} objects`;
  const verdicts: Verdict[] = [];
  if (importedPerSecond !== undefined) {
    const holds = importedPerSecond >= LEAST_IMPORTED;
    const bar = `≥ ${LEAST_IMPORTED.toLocaleString('en')}`;
    verdicts.push(buildPlainVerdict(`import of ${objects}`, importedPerSecond, 'objects/s', bar, holds));
  }
  if (residentMb !== undefined) {
    const holds = residentMb < MOST_MEGABYTES;
    verdicts.push(
      buildPlainVerdict(
        `memory under load (largest resident set), ${objects}`,
        residentMb,
        'MB',
        `< ${MOST_MEGABYTES}`,
        holds,
      ),
    );
  }
  const start = median(startSeconds);
  const startHolds = start < MOST_START_SECONDS;
  verdicts.push(
    buildPlainVerdict(`start to first answer, ${objects}`, start, 's', `< ${MOST_START_SECONDS}`, startHolds),
  );
  return verdicts;
}

function buildPlainVerdict(what: string, figure: number, unit: string, bar: string, holds: boolean): Verdict {
  const section = 'Figures with a bar of their own';
  return { section, what, figure, unit, yardstick: null, ratio: null, cpuRatio: null, bar, holds };
}

function readRate(sample: Sample): number {
  return sample.perSecond;
}

/** CPU time is a cost: the ratio is of what the second side takes to what the first side takes, turned round. */
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
