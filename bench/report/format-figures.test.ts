import { expect, test } from 'vitest';
import { formatFigure, formatRatio } from './format-figures.ts';

test.each([
  [43_166.4, '43,166'],
  [12.6, '13'],
  [0.257, '0.26'],
])('writes the figure %d as %s', (figure, text) => {
  expect(formatFigure(figure)).toBe(text);
});

test.each([
  [0.257, '0.26'],
  [9.9, '9.90'],
  [51.4, '51'],
  [null, '–'],
])('writes the ratio %d as %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});
