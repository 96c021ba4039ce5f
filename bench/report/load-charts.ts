// The charts of a run: how close the service comes to a bare server, and how it scales with the size of a site.

import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { type ChartGroup, renderChart } from './chart.ts';
import { median } from './median.ts';

/** Undefined if the figures were not measured. */
export function renderComparisonChart(groups: readonly MeasuredGroup[], subtitle: string): string | undefined {
  const kinds = ['repeated', 'first-time', 'unchanged'] as const;
  const repeated = groups.filter(({ cases }) => cases.some(({ kind }) => kind === 'repeated'));
  const bars = repeated.map(({ what, yardstick }): ChartGroup => {
    const cases = groups.filter((group) => group.what === what).flatMap((group) => group.cases);
    const largest = Math.max(...cases.map(({ size }) => size));
    const rates = kinds.map((kind) =>
      findRate(cases.find((each) => each.kind === kind && each.size === largest && each.place !== 'last page')),
    );
    return { label: what, values: [median(yardstick.map(readRate)), ...rates] };
  });
  if (bars.length === 0) return undefined;
  return renderChart({
    title: 'Galley against a bare node:http server that sends the same bytes',
    subtitle,
    unit: 'requests a second',
    scale: 'linear',
    series: [
      { name: 'bare node:http', tone: 'grey' },
      { name: 'Galley, repeated', tone: 'blue' },
      { name: 'Galley, first time', tone: 'paleblue' },
      { name: 'Galley, 304', tone: 'aqua' },
    ],
    groups: bars,
  });
}

export function renderGrowthChart(groups: readonly MeasuredGroup[], subtitle: string): string | undefined {
  const lists = groups.filter(({ cases }) =>
    cases.some(({ kind, place }) => kind === 'first-time' && place === 'last page'),
  );
  const sizes = [...new Set(lists.flatMap(({ cases }) => cases.map(({ size }) => size)))].toSorted((a, b) => a - b);
  const [small, large] = [sizes.at(0), sizes.at(-1)];
  if (small === undefined || large === undefined || small === large) return undefined;
  const columns = [
    { size: small, place: 'first page', tone: 'paleblue' },
    { size: large, place: 'first page', tone: 'blue' },
    { size: small, place: 'last page', tone: 'paleorange' },
    { size: large, place: 'last page', tone: 'orange' },
  ] as const;
  return renderChart({
    title: `First-time lists of 20: a site of ${small.toLocaleString('en')} objects beside one of ${large.toLocaleString('en')}`,
    subtitle,
    unit: 'requests a second',
    scale: 'linear',
    series: columns.map(({ size, place, tone }) => ({ name: `${place}, ${size.toLocaleString('en')} objects`, tone })),
    groups: lists.map(({ what, cases }) => ({
      label: what.replace('list of 20, ', ''),
      values: columns.map(({ size, place }) =>
        findRate(cases.find((each) => each.size === size && each.place === place)),
      ),
    })),
  });
}

function findRate(measured: MeasuredCase | undefined): number | null {
  return measured === undefined ? null : median(measured.samples.map(readRate));
}

function readRate(sample: Sample): number {
  return sample.perSecond;
}
