import { describe, expect, test } from 'vitest';
import type { ImageAsset } from './asset-url.ts';
import { type ImageSrcSetOptions, imageSrcSet } from './image-src-set.ts';

const PHOTO: ImageAsset = {
  url: '/assets/s_demo/a_1/0123456789abcdef/photo.jpg',
  mime_type: 'image/jpeg',
  width: 1000,
  height: 500,
  focal_point: null,
  placeholder: 'CBgKFQS',
};

/** Each candidate without its path, such as `?w=400 400w`. */
function list(widths: readonly number[], options?: ImageSrcSetOptions, asset = PHOTO): readonly string[] {
  return imageSrcSet(asset, widths, options)
    .split(', ')
    .map((candidate) => candidate.slice(PHOTO.url.length));
}

/** The widths listed in the attribute. */
function listWidths(widths: readonly number[], options?: ImageSrcSetOptions, asset?: ImageAsset): readonly number[] {
  return list(widths, options, asset).map((candidate) => Number(/ (\d+)w$/.exec(candidate)?.[1]));
}

describe('a srcset', () => {
  test('has a URL for each width, in order and without duplicates', () => {
    expect(imageSrcSet(PHOTO, [800, 400, 800])).toBe(`${PHOTO.url}?w=400 400w, ${PHOTO.url}?w=800 800w`);
    expect(list([400], { fm: 'auto', q: 70 })).toEqual(['?fm=auto&q=70&w=400 400w']);
  });

  test('gives every width the same aspect ratio', () => {
    expect(list([160, 320], { ratio: 16 / 9 })).toEqual(['?fit=crop&h=90&w=160 160w', '?fit=crop&h=180&w=320 320w']);
    expect(list([160], { ratio: 2, fit: 'fill', bg: 'red' })).toEqual(['?bg=red&fit=fill&h=80&w=160 160w']);
    expect(list([2], { ratio: 8 })).toEqual(['?fit=crop&h=1&w=2 2w']);
  });

  test('keeps the focal point in view', () => {
    const asset = { ...PHOTO, focal_point: { x: 10, y: 20 } };
    expect(list([100], { ratio: 1 }, asset)).toEqual(['?fit=crop-10-20&h=100&w=100 100w']);
  });
});

describe('widths larger than the original', () => {
  test.each<[ImageSrcSetOptions, readonly number[]]>([
    [{}, [400, 1000]],
    [{ fit: 'max' }, [400, 1000]],
    [{ ratio: 1 }, [400, 500]],
    [{ ratio: 16 / 9 }, [400, 888]],
    [{ ratio: 4 }, [400, 1000]],
    [{ ratio: 1, fit: 'stretch' }, [400, 1000]],
    [{ crop: '600,300,0,0' }, [400, 600]],
    [{ or: 90 }, [400, 500]],
    [{ fit: 'crop-50-50-2' }, [400, 500]],
    [{ fit: 'crop-50-50-100' }, [10]],
  ])('become the largest width that the original allows: %j', (options, widths) => {
    expect(listWidths([400, 1600, 2400], options)).toEqual(widths);
  });

  test('do not leave the attribute empty', () => {
    expect(list([2000], {}, { ...PHOTO, width: 24, height: 24 })).toEqual(['?w=24 24w']);
  });

  test.each<ImageSrcSetOptions>([{ enlarge: true }, { fit: 'fill-max' }, { enlarge: true, ratio: 1 }])(
    'are kept with %j',
    (options) => {
      expect(listWidths([400, 1600], options)).toEqual([400, 1600]);
    },
  );

  test.each<ImageSrcSetOptions>([
    { enlarge: true, fit: 'max' },
    { enlarge: true, fit: 'fill' },
  ])('are not listed for a fit that never enlarges: %j', (options) => {
    expect(listWidths([400, 1600], options)).toEqual([400, 1000]);
  });

  test.each([null, undefined, 0])('are kept if the width of the original is unknown (%s)', (width) => {
    expect(listWidths([400, 1600], {}, { ...PHOTO, width })).toEqual([400, 1600]);
  });
});

describe('an asset that the image API cannot change', () => {
  test.each<[ImageAsset, string]>([
    [{ url: '/logo.svg', mime_type: 'image/svg+xml', width: 120, height: 40 }, '/logo.svg 120w'],
    [{ url: 'https://images.example/photo.jpg', width: null }, 'https://images.example/photo.jpg'],
    [{ url: 'https://images.example/a b,w_1,', width: 9 }, 'https://images.example/a%20b,w_1%2C 9w'],
  ])('%j is the only candidate', (asset, srcSet) => {
    expect(imageSrcSet(asset, [400, 800], { ratio: 1 })).toBe(srcSet);
  });
});

describe('the error names the invalid argument', () => {
  test.each<[widths: unknown, options: unknown, message: string]>([
    [[], {}, 'The widths must be an array with at least one number.'],
    [400, {}, 'The widths must be an array with at least one number.'],
    [[400, 9000], {}, 'w must be a whole number from 1 to 8192.'],
    [['400'], {}, 'w must be a whole number from 1 to 8192.'],
    [[400], null, 'The options must be an object, such as { w: 300 }.'],
    [[400], { h: 300 }, 'imageSrcSet does not accept h: the widths set the size, and ratio sets the shape.'],
    [[400], { dpr: 2 }, 'imageSrcSet does not accept dpr: the widths set the size, and ratio sets the shape.'],
    [[400], { ratio: '2' }, 'ratio must be a positive number, such as 16 / 9.'],
    [[400], { ratio: 0 }, 'ratio must be a positive number, such as 16 / 9.'],
    [[400], { ratio: 0.01 }, 'h must be a whole number from 1 to 8192.'],
    [
      [400],
      { ratio: 2, fit: 'contain' },
      'ratio requires a fit that produces the exact shape: crop, fill, fill-max or stretch.',
    ],
    [[400], { q: 101 }, 'q must be a whole number from 0 to 100.'],
  ])('%j with %j', (widths, options, message) => {
    const svg = { ...PHOTO, mime_type: 'image/svg+xml' };
    for (const asset of [PHOTO, svg]) {
      const call = () => Reflect.apply(imageSrcSet, undefined, [asset, widths, options]);
      expect(call).toThrow(new TypeError(message));
    }
  });
});
