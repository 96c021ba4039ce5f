import { expect, test } from 'vitest';
import type { MeasuredCase, MeasuredGroup, Sample } from '../measure-group.ts';
import { describeNoise, findCoreShare } from './core-share.ts';
import { renderComparisonChart, renderGrowthChart } from './load-charts.ts';

function samples(perSecond: number, coreShare: number | undefined = 1): readonly Sample[] {
  return [{ perSecond, coreShare, cpuMicroseconds: undefined, p50Ms: 1, p99Ms: 2, anonymousMb: 50 }];
}

function measured(size: number, place: MeasuredCase['place'], kind: MeasuredCase['kind'], rate: number): MeasuredCase {
  return { size, place, kind, samples: samples(rate) };
}

function group(cases: readonly MeasuredCase[]): MeasuredGroup {
  return { row: 'list', what: 'list of 20, newest first', bodyBytes: 1, yardstick: samples(40), cases };
}

const REPEATED = group([measured(9000, 'first page', 'repeated', 36), measured(9000, 'first page', 'unchanged', 44)]);
const FIRST_TIME = group([
  measured(1000, 'first page', 'first-time', 11),
  measured(1000, 'last page', 'first-time', 12),
  measured(9000, 'first page', 'first-time', 13),
  measured(9000, 'last page', 'first-time', 14),
]);

test('compares the large site with the bare server', () => {
  expect(renderComparisonChart([REPEATED, FIRST_TIME], 'here')).toContain(
    'list of 20, newest first: bare node:http 40, Galley, repeated 36, Galley, first time 13, Galley, 304 44.',
  );
});

test('compares the large site with the small one, and the last page with the first', () => {
  expect(renderGrowthChart([REPEATED, FIRST_TIME], 'here')).toContain(
    'newest first: first page, 1,000 objects 11, first page, 9,000 objects 13, ' +
      'last page, 1,000 objects 12, last page, 9,000 objects 14.',
  );
});

test('does not draw rows that were not measured', () => {
  expect(renderComparisonChart([FIRST_TIME], 'here')).toBeUndefined();
  expect(renderGrowthChart([REPEATED], 'here')).toBeUndefined();
});

test('detects a busy machine by the share of a core that the servers could use', () => {
  const busy = { ...REPEATED, yardstick: samples(40, 0.5), cases: [] };
  expect(findCoreShare([busy])).toBe(0.5);
  expect(describeNoise(0.5)).toContain('busy with something else');
  expect(describeNoise(0.99)).not.toContain('busy');
});
