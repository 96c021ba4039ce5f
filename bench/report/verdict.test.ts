import { expect, test } from 'vitest';
import { type Bar, formatFigure, formatRatio, judge, listTightest } from './verdict.ts';

function judgeRatio(what: string, ratio: number, bar: Bar) {
  return judge({ section: 'Lists', what, figure: 1, unit: '/s', yardstick: 1, ratio, bar });
}

test.each<[Bar['relation'], number, boolean]>([
  ['≥', 2, true],
  ['≥', 1.99, false],
  ['≤', 2, true],
  ['≤', 2.01, false],
  ['<', 1.99, true],
  ['<', 2, false],
])('a target of %s 2 is met by %d: %s', (relation, ratio, holds) => {
  expect(judgeRatio('list', ratio, { relation, value: 2 }).holds).toBe(holds);
});

test('judges a row by its figure if it has no ratio', () => {
  const bar = { relation: '<', value: 200 } as const;
  expect(judge({ section: 'Own', what: 'memory', figure: 201, unit: 'MB', bar }).holds).toBe(false);
  expect(judge({ section: 'Own', what: 'memory', figure: 199, unit: 'MB', bar }).holds).toBe(true);
});

test('finds the tightest result for each section and target, whether the target is a minimum or a maximum', () => {
  const verdicts = [
    judgeRatio('least a', 0.9, { relation: '≥', value: 0.5 }),
    judgeRatio('least b', 0.6, { relation: '≥', value: 0.5 }),
    judgeRatio('most a', 1.4, { relation: '≤', value: 1.5 }),
    judgeRatio('most b', 1.1, { relation: '≤', value: 1.5 }),
  ];
  expect(listTightest(verdicts).map(({ what }) => what)).toEqual(['least b', 'most a']);
});

test.each([
  [43_166.4, '43,166'],
  [12.6, '13'],
  [0.257, '0.26'],
])('formats the figure %d as %s', (figure, text) => {
  expect(formatFigure(figure)).toBe(text);
});

test.each([
  [0.257, '0.26'],
  [9.9, '9.90'],
  [51.4, '51'],
  [null, '–'],
])('formats the ratio %d as %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});
