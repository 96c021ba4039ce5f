// Random queries for image URLs. Most of their values are valid, so many queries produce a picture.

import fc from 'fast-check';
import type { ImageParameter } from './image-parameters.ts';

const position = fc.constantFrom(
  ...['top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'middle'],
);
const percent = fc.integer({ min: -1, max: 101 });
const colour = fc.constantFrom('red', 'FFF', '8f00', '80ff0000', '00112233', 'transparent', 'nothing', 'f0f0f0');
const measure = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.integer({ min: 0, max: 101 }).map((amount) => `${amount}w`),
  fc.integer({ min: 1, max: 100 }).map((amount) => `${amount}h`),
);
const fit = fc.oneof(
  fc.constantFrom('contain', 'max', 'fill', 'fill-max', 'stretch', 'cover', 'crop', 'clip'),
  fc.tuple(fc.constantFrom('crop', 'cover'), position).map((parts) => parts.join('-')),
  fc.tuple(fc.constant('crop'), percent, percent).map((parts) => parts.join('-')),
  fc.tuple(fc.constant('crop'), percent, percent, fc.constantFrom(1, 1.5, 7, 100, 101)).map((parts) => parts.join('-')),
);
const crop = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 40 })))
  .map((numbers) => numbers.join(','));
const border = fc
  .tuple(measure, colour, fc.constantFrom('overlay', 'shrink', 'expand', 'around'))
  .map((parts) => parts.join(','));
const level = fc.integer({ min: -101, max: 101 });
const strength = fc.integer({ min: 0, max: 101 });
const format = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('jpg', 'pjpg', 'png', 'gif', 'webp') },
  { weight: 1, arbitrary: fc.constantFrom('avif', 'auto', 'bmp') },
);

/** Each parameter is absent more often than present, so most queries are valid. */
function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined, freq: 1 });
}

function often<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined, freq: 3 });
}

type Values = Record<Exclude<ImageParameter, 'p' | 's'> | 'unknown', fc.Arbitrary<string | number | undefined>>;

/** @param largeSides large values for `w` and `h`, which are rarely used because large pictures are slow */
export function drawQueries(largeSides: readonly number[]): fc.Arbitrary<string> {
  const side = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 100 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 2, ...largeSides) },
  );
  const values: Values = {
    w: often(side),
    h: often(side),
    fit: often(fit),
    crop: rarely(crop),
    dpr: rarely(fc.constantFrom('1', '1.5', '2', '2.75', '8', '9')),
    or: rarely(fc.constantFrom('auto', '0', '90', '180', '270', '45')),
    flip: rarely(fc.constantFrom('h', 'v', 'both')),
    bri: rarely(level),
    con: rarely(level),
    gam: rarely(fc.constantFrom('0.1', '1', '2.2', '9.99', '10')),
    sharp: rarely(strength),
    blur: rarely(strength),
    pixel: rarely(fc.integer({ min: 0, max: 50 })),
    filt: rarely(fc.constantFrom('greyscale', 'sepia')),
    bg: rarely(colour),
    border: rarely(border),
    mark: rarely(fc.constant('a_1')),
    markw: rarely(measure),
    markh: rarely(measure),
    markfit: rarely(fit),
    markx: rarely(measure),
    marky: rarely(measure),
    markpad: rarely(measure),
    markpos: rarely(position),
    markalpha: rarely(strength),
    q: rarely(strength),
    fm: rarely(format),
    unknown: rarely(fc.string()),
  };
  return fc
    .record(values)
    .chain((parameters) =>
      // With fewer parameters, more cases test a combination instead of failing at their first invalid value.
      fc.subarray(Object.entries(parameters).filter(([, value]) => value !== undefined)),
    )
    .map((pairs) => {
      const texts = pairs.map(([name, value]): [string, string] => [name, String(value).toWellFormed()]);
      return new URLSearchParams(texts).toString();
    });
}
