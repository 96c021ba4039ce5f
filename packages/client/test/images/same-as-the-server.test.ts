// The client builds only image URLs that the server accepts, and creates the signatures that the server expects.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IMAGE_PARAMETERS, parseImageParameters } from '../../../server/src/images/image-parameters.ts';
import { isSignedImageUrl } from '../../../server/src/images/image-signature.ts';
import { type ImageOptions, imageUrl, signImageUrl } from '../../src/index.ts';

const ASSET = { url: 'https://content.example/assets/s_1/a_1/0123456789abcdef/photo.jpg', width: 800, height: 600 };
const PRESETS = new Map([
  ['small', 'w=100'],
  ['grey', 'filt=greyscale'],
]);

/** The server's error message for a URL; null if it accepts the URL. */
function findProblem(url: string): string | null {
  const parsed = parseImageParameters(new URL(url).searchParams, PRESETS);
  return parsed.ok ? null : parsed.problem;
}

const side = fc.integer({ min: 1, max: 8192 });
const level = fc.integer({ min: -100, max: 100 });
const strength = fc.integer({ min: 0, max: 100 });
const percent = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => Math.round(value * 100) / 100);
const position = fc.constantFrom(
  ...(['top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'bottom-right'] as const),
);
const fit: fc.Arbitrary<ImageOptions['fit']> = fc.oneof(
  fc.constantFrom('contain', 'max', 'fill', 'fill-max', 'stretch', 'crop', 'cover'),
  position.map((name) => `crop-${name}` as const),
  position.map((name) => `cover-${name}` as const),
  fc.tuple(percent, percent).map(([x, y]) => `crop-${x}-${y}` as const),
  fc.tuple(percent, percent, fc.integer({ min: 1, max: 100 })).map(([x, y, zoom]) => `crop-${x}-${y}-${zoom}` as const),
);
const length = fc.oneof(
  side,
  fc.integer({ min: 1, max: 100 }).map((amount) => `${amount}w` as const),
  fc.double({ min: 1, max: 100, noNaN: true }).map((amount) => `${Math.round(amount * 100) / 100}h` as const),
);
const colour = fc.constantFrom('red', 'RebeccaPurple', 'transparent', 'fff', '80ff', '12aBcD', '8012abcd');

/** Every option that the types allow. */
const CHOICES = {
  w: side,
  h: side,
  fit,
  crop: fc.tuple(side, side, side, side).map(([w, h, x, y]) => `${w},${h},${x},${y}` as const),
  dpr: fc.double({ min: 1, max: 8, noNaN: true }),
  or: fc.constantFrom(...(['auto', 0, 90, 180, 270] as const)),
  flip: fc.constantFrom('v', 'h', 'both'),
  bri: level,
  con: level,
  gam: fc.double({ min: 0.1, max: 9.99, noNaN: true }),
  sharp: strength,
  blur: strength,
  pixel: fc.integer({ min: 0, max: 1000 }),
  filt: fc.constantFrom('greyscale', 'sepia'),
  bg: colour,
  border: fc.oneof(
    length,
    fc.tuple(length, colour).map(([width, name]) => `${width},${name}` as const),
    fc
      .tuple(length, colour, fc.constantFrom('overlay', 'shrink', 'expand'))
      .map(([width, name, method]) => `${width},${name},${method}` as const),
  ),
  mark: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  markw: length,
  markh: length,
  markfit: fit,
  markx: length,
  marky: length,
  markpad: length,
  markpos: position,
  markalpha: strength,
  q: strength,
  fm: fc.constantFrom('jpg', 'pjpg', 'png', 'gif', 'webp', 'avif', 'auto'),
  p: fc.oneof(fc.constantFrom('small', 'grey', 'small,grey'), fc.constant(['grey', 'small'])),
} satisfies { readonly [Name in keyof ImageOptions]-?: fc.Arbitrary<ImageOptions[Name]> };
const options: fc.Arbitrary<ImageOptions> = fc.record(CHOICES, { requiredKeys: [] });

/** Calls `imageUrl` without type checks. */
function writeUrl(name: string, value: unknown): string {
  return Reflect.apply(imageUrl, undefined, [ASSET, { [name]: value }]);
}

test('the client supports all parameters that the server supports', () => {
  const names = [...IMAGE_PARAMETERS].filter((name) => name !== 's');
  expect(Object.keys(CHOICES).toSorted()).toEqual(names.toSorted());
  expect(() => writeUrl('s', 'abc')).toThrow('s is not an image parameter');
});

test('the server accepts every URL that the client builds', () => {
  const focalPoint = fc.option(fc.record({ x: percent, y: percent }));
  fc.assert(
    fc.property(options, focalPoint, (given, focal_point) => {
      expect(findProblem(imageUrl({ ...ASSET, focal_point }, given))).toBe(null);
    }),
    { numRuns: 2000 },
  );
});

describe('the client and the server both refuse', () => {
  test.each([
    ['w', [0, 8193, -1, 1.5, 'abc']],
    ['h', [0, 8193]],
    ['fit', ['', 'Crop', 'clip', 'crop-', 'crop-middle', 'cover-10-10', 'crop-101-0', 'crop-0-101', 'crop-1']],
    ['fit', ['crop-1-2-0.9', 'crop-1-2-101', 'crop-1-2-3-4', 'crop--1-2', 'top-left', 'max-left', 'crop-1-2-']],
    ['crop', ['', '1,2,3', '1,2,3,4,5', '0,1,0,0', '1,0,0,0', '1,1,-1,0', '1.5,1,0,0', '1,1,0,99999999']],
    ['dpr', [0, 0.5, 8.1]],
    ['or', [45, 360, -90, 'Auto', '']],
    ['flip', ['x', 'hv', 'H', '']],
    ['bri', [-101, 101, 1.5]],
    ['con', [-101, 101]],
    ['gam', [0, 0.09, 10]],
    ['sharp', [-1, 101]],
    ['blur', [-1, 101]],
    ['pixel', [-1, 1001]],
    ['filt', ['grayscale', 'Sepia', '']],
    ['bg', ['#fff', '12345', '']],
    ['border', ['', 'x', '-1', '5x', '5,red,outside', '5,red,expand,1']],
    ['mark', ['', 'a/b', '../x', 'a'.repeat(65)]],
    ['markw', ['101w', 'w', '', 1.5]],
    ['markh', ['0h']],
    ['markfit', ['clip', '']],
    ['markx', [-1, 1.5]],
    ['marky', [-1]],
    ['markpad', ['x']],
    ['markpos', ['middle', '']],
    ['markalpha', [-1, 101]],
    ['q', [-1, 101, 85.5]],
    ['fm', ['jpeg', 'tiff', 'JPG', 'svg', '']],
    ['p', ['', ',', 'small,']],
  ])('%s with the values %j', (name, values) => {
    for (const value of values) {
      expect(() => writeUrl(name, value)).toThrow(new RegExp(`^${name} must be `));
      expect(findProblem(`${ASSET.url}?${new URLSearchParams({ [name]: String(value) })}`)).toContain(`The ${name} `);
    }
  });
});

test('the server accepts the signatures that the client creates', async () => {
  const names = fc.constantFrom('photo.jpg', '写真.jpg', 'ärger-über_ö.png', '%E5%86%99.webp');
  await fc.assert(
    fc.asyncProperty(options, names, fc.string({ minLength: 1, unit: 'grapheme' }), async (given, name, key) => {
      const asset = { ...ASSET, url: ASSET.url.replace('photo.jpg', name) };
      const { pathname, searchParams } = new URL(await signImageUrl(imageUrl(asset, given), key));
      expect(isSignedImageUrl(key, pathname, searchParams)).toBe(true);
      expect(isSignedImageUrl(`${key}x`, pathname, searchParams)).toBe(false);
    }),
    { numRuns: 300 },
  );
});
