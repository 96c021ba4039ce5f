import { expect, test } from 'vitest';
import { buildAxis, type Chart, formatValue, renderChart } from './chart.ts';

const CHART: Chart = {
  title: 'Requests <a second>',
  subtitle: 'a machine',
  unit: 'requests a second',
  scale: 'linear',
  series: [
    { name: 'Galley', tone: 'blue' },
    { name: 'bare', tone: 'grey' },
  ],
  groups: [
    { label: 'object', values: [5000, 10_000] },
    { label: 'list', values: [2500, null] },
  ],
};

function listHeights(svg: string): readonly number[] {
  return [...svg.matchAll(/<path [^>]*d="M[\d.]+ ([\d.]+)V[\d.]+Q[\d.]+ ([\d.]+)/g)].map(
    ([, foot, top]) => Number(foot) - Number(top),
  );
}

test('draws a bar for each value, scaled to the axis, and no bar for a missing value', () => {
  const [half = 0, whole = 0, quarter = 0, ...others] = listHeights(renderChart(CHART));
  expect(others).toEqual([]);
  expect(half / whole).toBeCloseTo(0.5, 2);
  expect(quarter / whole).toBeCloseTo(0.25, 2);
});

test('contains a text description, and escapes all text', () => {
  const svg = renderChart(CHART);
  expect(svg).toContain('object: Galley 5.0k, bare 10k. list: Galley 2.5k.');
  expect(svg).toContain('Requests &lt;a second&gt;');
  expect(svg).not.toContain('<a second>');
});

test.each([
  [43_166, '43k'],
  [1234, '1.2k'],
  [573.4, '573'],
  [4.3, '4.3'],
])('writes %d above a bar as %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test.each([
  [
    [43_000, 12_000],
    [0, 10_000, 20_000, 30_000, 40_000, 50_000],
  ],
  [[7], [0, 2, 4, 6, 8]],
  [[0.5], [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
])('a linear axis for %j has round ticks, from 0 to a value above the largest value', (values, ticks) => {
  expect(buildAxis(values, 'linear').ticks).toEqual(ticks);
});

test('a linear axis places values in proportion', () => {
  const { place } = buildAxis([10_000], 'linear');
  expect([place(0), place(5000), place(10_000)]).toEqual([0, 0.5, 1]);
});

test('a logarithmic axis has evenly spaced ticks at powers of ten', () => {
  const { ticks, place } = buildAxis([39, 43_000], 'log');
  expect(ticks).toEqual([10, 100, 1000, 10_000, 100_000]);
  expect([place(10), place(1000), place(100_000)]).toEqual([0, 0.5, 1]);
});

test('a logarithmic axis shows a bar for its smallest value', () => {
  expect(buildAxis([10, 1000], 'log').place(10)).toBeGreaterThan(0);
});
