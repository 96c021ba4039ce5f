import { expect, test } from 'vitest';
import { boundPoint, findCropPosition, movePoint } from './crop-position.ts';

const WIDE = { width: 1600, height: 900 };
const TALL = { width: 900, height: 1600 };

test.each([
  ['a square in the middle of a wide picture', WIDE, 1, { x: 50, y: 50 }, { x: 50, y: 50 }],
  ['a square at the left edge', WIDE, 1, { x: 10, y: 90 }, { x: 0, y: 50 }],
  ['a square at the right edge', WIDE, 1, { x: 100, y: 0 }, { x: 100, y: 50 }],
  ['a wide crop at the top of a tall picture', TALL, 16 / 9, { x: 0, y: 0 }, { x: 50, y: 0 }],
  ['a crop with the same shape as the picture', WIDE, 16 / 9, { x: 0, y: 100 }, { x: 50, y: 50 }],
])('%s', (_, size, shape, point, position) => {
  expect(findCropPosition(size, shape, point)).toEqual(position);
});

test('the crop is centred on the focal point, as far as the edges allow', () => {
  // The crop shows 900 of 1600 pixels. Centred on 40%, it starts at 640 - 450 = 190, out of a possible 700 pixels.
  expect(findCropPosition(WIDE, 1, { x: 40, y: 50 }).x).toBeCloseTo((100 * 190) / 700);
});

test('a point stays inside the picture and is rounded to whole percentages', () => {
  expect(boundPoint({ x: -4, y: 33.4 })).toEqual({ x: 0, y: 33 });
  expect(boundPoint({ x: 120, y: 99.6 })).toEqual({ x: 100, y: 100 });
});

test('arrow keys move a point by one percent, or by ten', () => {
  expect(movePoint({ x: 50, y: 50 }, 'ArrowLeft', false)).toEqual({ x: 49, y: 50 });
  expect(movePoint({ x: 50, y: 95 }, 'ArrowDown', true)).toEqual({ x: 50, y: 100 });
  expect(movePoint({ x: 50, y: 50 }, 'Enter', false)).toBeUndefined();
});
