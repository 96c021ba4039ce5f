// Random parameters produce either a picture of exactly the planned size or an error message, but never an exception.

import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { IMAGE_PARAMETERS, parseImageParameters } from '../../../src/images/image-parameters.ts';
import type { ImageSource } from '../../../src/images/image-source.ts';
import { FORMAT_TRAITS, parseAcceptedFormats } from '../../../src/images/output-format.ts';
import { drawAnimation, drawPicture, expectSource, planQuery } from '../../../src/images/pictures.fixture.ts';
import { drawQueries } from '../../../src/images/random-queries.fixture.ts';
import { renderImage } from '../../../src/images/render-image.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';

const CASES = proofSize(300, 2000);

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

const query = drawQueries([500, 8192, 8193]);
const focalPoint = fc.option(
  fc.record({ x: fc.double({ min: 0, max: 100, noNaN: true }), y: fc.integer({ min: 0, max: 100 }) }),
);

/** Larger results would only take longer. */
const MOST_PIXELS = proofSize(400_000, 10_000_000);

test('random parameters produce either a picture of exactly the planned size or an error message', async () => {
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
  reportProof(
    `random images: ${counts.rendered} rendered, ${counts.refused} refused, ${counts.large} too large to check`,
  );
  expect(counts.large).toBeLessThan(CASES / 5);
  expect(counts.rendered).toBeGreaterThan(CASES / 3);
  expect(counts.refused).toBeGreaterThan(CASES / 50);
});

test('any text is either parsed or refused with a message', () => {
  const name = fc.constantFrom(...IMAGE_PARAMETERS);
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z,.-]{0,12}$/));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      const parsed = parseImageParameters(pairs, new Map([['small', 'w=10']]));
      if (!parsed.ok) expect(parsed.problem).toMatch(/^The .+\.$/);
    }),
    { numRuns: proofSize(300, 1000) },
  );
});
