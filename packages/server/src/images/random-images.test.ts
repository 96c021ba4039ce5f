// Random parameters give a picture of exactly the planned size, or a sentence, and never an exception. PROOF=full runs 2,000 cases.

import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { parseImageParameters } from './image-parameters.ts';
import type { ImageSource } from './image-source.ts';
import { FORMAT_TRAITS, parseAcceptedFormats } from './output-format.ts';
import { drawAnimation, drawPicture, expectSource, planQuery } from './pictures.fixture.ts';
import { renderImage } from './render-image.ts';

const CASES = process.env.PROOF === 'full' ? 2000 : 500;

interface Original {
  readonly file: Buffer;
  readonly source: ImageSource;
}

let originals: readonly Original[];
let mark: Original;

beforeAll(async () => {
  const gradient = (x: number, y: number) => [x * 3, y * 4, x + y] as const;
  const opaque = () => drawPicture(64, 48, gradient).removeAlpha();
  const translucent = (width: number, height: number) =>
    drawPicture(width, height, (x, y) => [x, y, 200, (x * y) % 256]);
  const files = await Promise.all([
    opaque().jpeg().toBuffer(),
    opaque().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    opaque().withMetadata({ orientation: 3 }).webp().toBuffer(),
    translucent(40, 70).png().toBuffer(),
    translucent(33, 21).toColourspace('b-w').png().toBuffer(),
    opaque().toColourspace('cmyk').jpeg().toBuffer(),
    opaque().toColourspace('rgb16').tiff().toBuffer(),
    drawPicture(1, 200, gradient).png().toBuffer(),
    drawPicture(1, 1, gradient).removeAlpha().png().toBuffer(),
    drawAnimation(30, 20, [
      [255, 0, 0],
      [0, 0, 255],
    ])
      .gif({ delay: [50, 50] })
      .toBuffer(),
  ]);
  originals = await Promise.all(files.map(async (file) => ({ file, source: await expectSource(file) })));
  const file = await translucent(20, 10).png().toBuffer();
  mark = { file, source: await expectSource(file) };
});

const position = fc.constantFrom(
  'top-left',
  'top',
  'top-right',
  'left',
  'center',
  'right',
  'bottom-left',
  'bottom',
  'middle',
);
const percent = fc.integer({ min: -1, max: 101 });
const colour = fc.constantFrom('red', 'FFF', '8f00', '80ff0000', '00112233', 'transparent', 'nothing', 'f0f0f0');
const side = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 2, 500, 8192, 8193) },
);
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
const level = fc.integer({ min: -101, max: 101 }).map(String);
const strength = fc.integer({ min: 0, max: 101 }).map(String);
const format = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('jpg', 'pjpg', 'png', 'gif', 'webp') },
  { weight: 1, arbitrary: fc.constantFrom('avif', 'auto', 'bmp') },
);

/** Each parameter is absent more often than present, so that most queries are valid. */
function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined, freq: 1 });
}

const query = fc
  .record({
    w: fc.option(side, { nil: undefined, freq: 3 }),
    h: fc.option(side, { nil: undefined, freq: 3 }),
    fit: fc.option(fit, { nil: undefined, freq: 3 }),
    crop: rarely(crop),
    dpr: rarely(fc.constantFrom('1', '1.5', '2', '2.75', '8', '9')),
    or: rarely(fc.constantFrom('auto', '0', '90', '180', '270', '45')),
    flip: rarely(fc.constantFrom('h', 'v', 'both')),
    bri: rarely(level),
    con: rarely(level),
    gam: rarely(fc.constantFrom('0.1', '1', '2.2', '9.99', '10')),
    sharp: rarely(strength),
    blur: rarely(strength),
    pixel: rarely(fc.integer({ min: 0, max: 50 }).map(String)),
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
    fm: fc.option(format, { nil: undefined, freq: 1 }),
    v: rarely(fc.string()),
  })
  .chain((parameters) =>
    // Fewer parameters together, so that each case tests a combination instead of failing at its first wrong value.
    fc.subarray(Object.entries(parameters).filter(([, value]) => value !== undefined)),
  )
  .map((pairs) =>
    new URLSearchParams(Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))).toString(),
  );

const focalPoint = fc.option(
  fc.record({ x: fc.double({ min: 0, max: 100, noNaN: true }), y: fc.integer({ min: 0, max: 100 }) }),
);

/** Larger results only take longer. */
const MOST_PIXELS = process.env.PROOF === 'full' ? 10_000_000 : 400_000;

test('random parameters give a picture of exactly the planned size, or a sentence', async () => {
  const counts = { rendered: 0, refused: 0, large: 0 };
  await fc.assert(
    fc.asyncProperty(query, fc.nat({ max: 9 }), focalPoint, async (text, index, focus) => {
      const original = originals[index];
      if (original === undefined) throw new Error('There is no such original');
      const accepted = parseAcceptedFormats('image/webp');
      const plan = planQuery(text, original.source, { focalPoint: focus, mark: mark.source, accepted });
      if (typeof plan === 'string') {
        expect(plan).toMatch(/^The .+\.$/);
        counts.refused += 1;
        return;
      }
      expect(plan.width * plan.height).toBeLessThanOrEqual(40_000_000);
      if (plan.width * plan.height > MOST_PIXELS) {
        counts.large += 1;
        return;
      }
      const rendered = await renderImage(plan, { picture: original.file, mark: mark.file });
      if (!rendered.ok) throw new Error(rendered.problem.detail);
      const { width, height, mediaType, pages = 1 } = await sharp(rendered.value).metadata();
      expect({ width, height }).toEqual({ width: plan.width, height: plan.height });
      expect(mediaType).toBe(FORMAT_TRAITS[plan.format].mediaType);
      expect(pages > 1).toBe(plan.isAnimated);
      counts.rendered += 1;
    }),
    { numRuns: CASES },
  );
  expect(counts.large).toBeLessThan(CASES / 5);
  expect(counts.rendered).toBeGreaterThan(CASES / 3);
  expect(counts.refused).toBeGreaterThan(CASES / 50);
});

test('any text gives parameters or a sentence', () => {
  const name = fc.constantFrom(
    'w',
    'h',
    'fit',
    'crop',
    'dpr',
    'bg',
    'border',
    'mark',
    'markw',
    'q',
    'fm',
    'p',
    's',
    'gam',
    'or',
  );
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z,.-]{0,12}$/));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      const parsed = parseImageParameters(pairs, new Map([['small', 'w=10']]));
      if (!parsed.ok) expect(parsed.problem).toMatch(/^The .+\.$/);
    }),
    { numRuns: 1000 },
  );
});
