// Text values that are hard to sort. There are only a few, so ties are common. They cover case, accents and byte length.

import { chance, type Draw, drawNumber, pick } from './draw.ts';

const HARD_TEXTS = [
  'Zebra',
  'zebra',
  'ZÉBRA',
  'ze\u0301bra',
  'Éclair',
  'eclair',
  'École',
  'ﬁle',
  'file',
  'ｆｉｌｅ',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ısı',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'Ⅳ',
  'iv',
  '½',
  '漢字',
  '漢',
  'かな',
  'ガ',
  '한글',
  '🦄 one',
  '🦄',
  '𝒜lpha',
  'alpha',
  '\uE000 private',
  '\uFFFD',
  'a b',
  'a-b',
  'a_b',
  'ab',
  '10',
  '9',
  '"quoted" \\ and \'so\'',
  '100% <b>&amp;</b>',
  'tab\tand\nline',
];

/** Only the first 400 bytes of the plain form are compared, so these values differ before, at and after that limit. */
const LONG_STARTS = ['x'.repeat(399), 'X'.repeat(400), 'x́'.repeat(400), 'lorem ipsum '.repeat(60), '🦄'.repeat(100)];

const ENDS = ['', 'a', 'B', 'á', 'c', '漢', '字', '🦄'];

/** These names reach the same limit within the 255 characters that a name can have. */
const LONG_NAMES = ['漢'.repeat(133), `${'漢'.repeat(133)}x`, '🦄'.repeat(100)];

export function drawName(draw: Draw): string {
  if (chance(draw, 12)) return `${pick(draw, LONG_NAMES)}${pick(draw, ENDS)}`;
  return pick(draw, HARD_TEXTS);
}

export function drawText(draw: Draw): string {
  if (chance(draw, 12)) return `${pick(draw, LONG_STARTS)}${pick(draw, ENDS)}`;
  return pick(draw, HARD_TEXTS);
}

/** Draws one of a few times. Some have a different offset or precision. */
export function drawMoment(draw: Draw): string {
  return pick(draw, [
    '2024-05-01T10:00:00+00:00',
    '2024-05-01T12:00:00+02:00',
    '2024-05-01T10:00:00.500Z',
    '2024-05-01T10:00:01+00:00',
    '2023-12-31T23:59:59-01:00',
    '1999-02-28T00:00:00+00:00',
    '2025-01-01T00:00:00+00:00',
  ]);
}

export function drawAmount(draw: Draw): number {
  if (chance(draw, 60)) return drawNumber(draw, -2, 3);
  return pick(draw, [10, 9, 100, -100, 1.5, -0.25, 2 ** 53 - 1, 2 ** 53 - 2, 1 - 2 ** 53]);
}
