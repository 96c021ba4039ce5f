// The targets for individual measurements: latencies, pages in simple mode, publishes, and absolute figures.

import type { MeasuredLatency } from '../rows/measure-latency.ts';
import type { MeasuredPublishes } from '../rows/measure-publishes.ts';
import type { MeasuredRenderings } from '../rows/measure-renderings.ts';
import type { MeasuredPages } from '../rows/measure-simple-pages.ts';
import { median, medianRatio } from './median.ts';
import { type Bar, judge, type Verdict } from './verdict.ts';

export function judgeLatency(measured: readonly MeasuredLatency[]): readonly Verdict[] {
  return measured.map(({ what, perSecond, p99Ms, bareP99Ms }) =>
    judge({
      section: "Repeated requests at half the maximum rate: p99 against the bare server's p99",
      what: `${what}, ${perSecond.toLocaleString('en')} /s`,
      figure: median(p99Ms),
      unit: 'ms',
      yardstick: median(bareP99Ms),
      ratio: medianRatio(p99Ms, bareP99Ms),
      bar: { relation: '≤', value: 1.5 },
    }),
  );
}

/** How many times slower than page 1 another page may be, in simple mode. */
export const SLOWER_THAN_PAGE_1: Bar = { relation: '≤', value: 5 };

export function judgeSimplePages(measured: readonly MeasuredPages[], size: number): readonly Verdict[] {
  const first = median(measured.find(({ place }) => place === 'first page')?.milliseconds ?? []);
  return measured.flatMap(({ place, milliseconds }) => {
    if (place === 'first page') return [];
    return judge({
      section: 'Simple mode with its exact total: how many times slower than page 1',
      what: `${place} of 20, ${size.toLocaleString('en')} objects`,
      figure: median(milliseconds),
      unit: 'ms',
      yardstick: first,
      ratio: median(milliseconds) / first,
      bar: SLOWER_THAN_PAGE_1,
    });
  });
}

export function judgePublishes(measured: readonly MeasuredPublishes[]): readonly Verdict[] {
  const [small, large] = measured;
  if (small === undefined || large === undefined) return [];
  const [figure, yardstick] = [median(large.milliseconds), median(small.milliseconds)];
  return [
    judge({
      section: 'A publish: how many times slower on the large site',
      what: `${large.size.toLocaleString('en')} objects against ${small.size.toLocaleString('en')}`,
      figure,
      unit: 'ms',
      yardstick,
      ratio: figure / yardstick,
      bar: { relation: '≤', value: 1.5 },
    }),
  ];
}

export const PLAIN_FIGURES = 'Figures with a target of their own';

export function judgeRenderings(measured: MeasuredRenderings | undefined): readonly Verdict[] {
  if (measured === undefined) return [];
  const kinds = [
    [`${measured.blocks} blocks of HTML`, measured.renderings],
    [`${measured.blocks} blocks of HTML, with marks`, measured.marked],
  ] as const;
  const yardstick = median(measured.reads);
  return [
    ...kinds.map(([what, milliseconds]) =>
      judge({
        section: 'Rendering an unsaved article: how many times slower than reading the saved one',
        what,
        figure: median(milliseconds),
        unit: 'ms',
        yardstick,
        ratio: median(milliseconds) / yardstick,
        bar: { relation: '≤', value: 5 },
      }),
    ),
    ...kinds.map(([what, milliseconds]) =>
      judge({
        section: PLAIN_FIGURES,
        what: `a rendering of an unsaved article, ${what}`,
        figure: median(milliseconds),
        unit: 'ms',
        bar: { relation: '≤', value: 50 },
      }),
    ),
  ];
}

export interface PlainFigures {
  readonly size: number;
  /** Each property is undefined if it was not measured. */
  readonly importedPerSecond: number | undefined;
  readonly residentMb: number | undefined;
  readonly startSeconds: number | undefined;
}

export function judgePlainFigures(figures: PlainFigures): readonly Verdict[] {
  const objects = `${figures.size.toLocaleString('en')} objects`;
  const rows = [
    [`import of ${objects}`, figures.importedPerSecond, 'objects/s', { relation: '≥', value: 5000 }],
    [`memory under load (largest resident set), ${objects}`, figures.residentMb, 'MB', { relation: '<', value: 200 }],
    [`start to first response, ${objects}`, figures.startSeconds, 's', { relation: '<', value: 1 }],
  ] as const;
  return rows.flatMap(([what, figure, unit, bar]) =>
    figure === undefined ? [] : judge({ section: PLAIN_FIGURES, what, figure, unit, bar }),
  );
}
