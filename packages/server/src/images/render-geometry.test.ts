import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  BLUE,
  colourOfQuarter,
  drawMap,
  drawPicture,
  drawQuarters,
  expectColour,
  GREEN,
  RED,
  transform,
  YELLOW,
} from './pictures.fixture.ts';

describe('a picture that is rotated and enlarged', () => {
  test.each(['', '&bri=1', '&flip=v&fm=png', '&flip=h'])(
    'needs little memory, whatever the zoom, with %j',
    async (more) => {
      const turned = await drawPicture(64, 48, colourOfQuarter(64, 48))
        .removeAlpha()
        .withMetadata({ orientation: 6 })
        .png()
        .toBuffer();
      // At this zoom, the whole picture would be 22,000 megapixels.
      const zoomed = await transform(turned, `w=8192&h=18&fit=crop-54-68-100${more}`);
      expect([zoomed.width, zoomed.height]).toEqual([8192, 18]);
      // A viewer sees blue and red above yellow and green.
      const quarters = await transform(turned, `w=400&h=600&fit=stretch${more}`);
      const colours = [BLUE, RED, YELLOW, GREEN];
      const seen = more.includes('flip=h')
        ? [RED, BLUE, GREEN, YELLOW]
        : more.includes('flip=v')
          ? [YELLOW, GREEN, BLUE, RED]
          : colours;
      for (const [index, [x, y]] of [
        [9, 9],
        [-9, 9],
        [9, -9],
        [-9, -9],
      ].entries()) {
        expectColour(quarters.at(x ?? 0, y ?? 0), seen[index] ?? [], 12);
      }
    },
  );

  test.each([
    [1, 200],
    [200, 1],
    [3, 3],
  ])('can be %i × %i pixels in size, even at maximum zoom', async (width, height) => {
    const picture = drawPicture(width, height, () => RED).removeAlpha();
    for (const orientation of [1, 3, 6]) {
      const file = await picture.clone().withMetadata({ orientation }).png().toBuffer();
      for (const size of ['w=8192&h=9', 'w=9&h=8192']) {
        const zoomed = await transform(file, `${size}&fit=crop-50-50-100`);
        expect(`w=${zoomed.width}&h=${zoomed.height}`).toBe(size);
        expectColour(zoomed.at(4, 4), RED, 2);
      }
    }
  });
});

describe('sizes', () => {
  test('if only one side is given, the result keeps the aspect ratio and shows the whole picture', async () => {
    const picture = await transform(await drawQuarters(200, 100), 'w=50');
    expect([picture.width, picture.height]).toEqual([50, 25]);
    expectColour(picture.at(3, 3), RED, 2);
    expectColour(picture.at(-4, 3), GREEN, 2);
    expectColour(picture.at(3, -4), BLUE, 2);
    expectColour(picture.at(-4, -4), YELLOW, 2);
  });

  test('fit=contain enlarges, but fit=max does not', async () => {
    const small = await drawQuarters(20, 10);
    const contained = await transform(small, 'w=80&h=80');
    expect([contained.width, contained.height]).toEqual([80, 40]);
    expectColour(contained.at(-3, -3), YELLOW, 2);
    const most = await transform(small, 'w=80&h=80&fit=max');
    expect([most.width, most.height]).toEqual([20, 10]);
  });

  test('fit=fill pads without enlarging, but fit=fill-max enlarges too', async () => {
    const small = await drawQuarters(20, 10);
    const filled = await transform(small, 'w=40&h=40&fit=fill&bg=000080');
    expect([filled.width, filled.height]).toEqual([40, 40]);
    expectColour(filled.at(9, 20), [0, 0, 128]);
    expectColour(filled.at(10, 15), RED);
    expectColour(filled.at(29, 24), YELLOW);
    expectColour(filled.at(30, 24), [0, 0, 128]);
    const enlarged = await transform(small, 'w=40&h=40&fit=fill-max&bg=000080');
    expectColour(enlarged.at(0, 9), [0, 0, 128]);
    expectColour(enlarged.at(0, 11), RED, 2);
    expectColour(enlarged.at(-1, -12), YELLOW, 2);
    expectColour(enlarged.at(-1, -10), [0, 0, 128]);
  });

  test('fit=stretch ignores the aspect ratio', async () => {
    const picture = await transform(await drawQuarters(20, 10), 'w=10&h=40&fit=stretch');
    expect([picture.width, picture.height]).toEqual([10, 40]);
    expectColour(picture.at(1, 15), RED, 2);
    expectColour(picture.at(-2, 24), YELLOW, 2);
  });

  test('dpr multiplies the size', async () => {
    const picture = await transform(await drawQuarters(40, 40), 'w=10&h=5&fit=stretch&dpr=3');
    expect([picture.width, picture.height]).toEqual([30, 15]);
  });
});

describe('cropping', () => {
  test.each([
    ['crop', 50],
    ['cover', 50],
    ['crop-left', 0],
    ['crop-top-left', 0],
    ['cover-right', 100],
    ['crop-bottom-right', 100],
    ['crop-top', 50],
    ['crop-60-0', 70],
    ['crop-0-100', 0],
  ])('fit=%s shows the part from %d', async (fit, left) => {
    const picture = await transform(await drawMap(200, 100), `w=100&h=100&fit=${fit}`);
    expectColour(picture.at(0, 0), [left, 0, 128]);
    expectColour(picture.at(-1, -1), [left + 99, 99, 128]);
  });

  test.each([
    ['crop-top', 0],
    ['crop', 50],
    ['crop-bottom-left', 100],
    ['crop-0-60', 70],
  ])('fit=%s shows the part of a tall picture from %d', async (fit, top) => {
    const picture = await transform(await drawMap(100, 200), `w=100&h=100&fit=${fit}`);
    expectColour(picture.at(0, 0), [0, top, 128]);
    expectColour(picture.at(-1, -1), [99, top + 99, 128]);
  });

  test('the focal point is kept in view', async () => {
    const map = await drawMap(200, 100);
    const focused = await transform(map, 'w=100&h=100&fit=crop', { focalPoint: { x: 60, y: 10 } });
    expectColour(focused.at(0, 0), [70, 0, 128]);
    const positioned = await transform(map, 'w=100&h=100&fit=crop-left', { focalPoint: { x: 60, y: 10 } });
    expectColour(positioned.at(0, 0), [0, 0, 128]);
  });

  test.each([
    ['crop-50-50-2', 75, 25, 50],
    ['crop-0-0-4', 0, 0, 25],
    ['crop-100-50-4', 175, 37.5, 25],
    ['crop-30-70-10', 55, 65, 10],
    ['crop-30.5-70-100', 60.5, 69.5, 1],
  ])('fit=%s zooms in', async (fit, left, top, side) => {
    const picture = await transform(await drawMap(200, 100), `w=100&h=100&fit=${fit}`);
    expect([picture.width, picture.height]).toEqual([100, 100]);
    // The colour of each pixel in the result shows where it comes from.
    expectColour(picture.at(50, 50), [left + side / 2 - 0.5, top + side / 2 - 0.5, 128], 1);
    expectColour(picture.at(5, 5), [left + side * 0.055 - 0.5, top + side * 0.055 - 0.5, 128], 2);
    expectColour(picture.at(94, 94), [left + side * 0.945 - 0.5, top + side * 0.945 - 0.5, 128], 2);
  });

  test('the crop parameter first crops the original to a rectangle', async () => {
    const map = await drawMap(200, 100);
    const cut = await transform(map, 'crop=30,20,110,70');
    expect([cut.width, cut.height]).toEqual([30, 20]);
    expectColour(cut.at(0, 0), [110, 70, 128]);
    expectColour(cut.at(-1, -1), [139, 89, 128]);
    const scaled = await transform(map, 'crop=40,20,100,50&w=20');
    expect([scaled.width, scaled.height]).toEqual([20, 10]);
    expectColour(scaled.at(0, 0), [100.5, 50.5, 128], 1);
    expectColour(scaled.at(-1, -1), [138.5, 68.5, 128], 1);
    const both = await transform(map, 'crop=40,20,100,50&w=20&h=20&fit=crop-right');
    expectColour(both.at(0, 0), [120, 50, 128]);
  });
});

describe('rotation', () => {
  test.each([
    ['or=0', RED, GREEN, BLUE, YELLOW],
    ['or=90', GREEN, YELLOW, RED, BLUE],
    ['or=180', YELLOW, BLUE, GREEN, RED],
    ['or=270', BLUE, RED, YELLOW, GREEN],
    ['flip=h', GREEN, RED, YELLOW, BLUE],
    ['flip=v', BLUE, YELLOW, RED, GREEN],
    ['flip=both', YELLOW, BLUE, GREEN, RED],
    ['or=90&flip=h', YELLOW, GREEN, BLUE, RED],
    ['or=90&flip=v', RED, BLUE, GREEN, YELLOW],
  ])('%s', async (query, topLeft, topRight, bottomLeft, bottomRight) => {
    const quarters = await drawQuarters(40, 20);
    for (const picture of [await transform(quarters, query), await transform(quarters, `${query}&w=80`)]) {
      expectColour(picture.at(1, 1), topLeft, 2);
      expectColour(picture.at(-2, 1), topRight, 2);
      expectColour(picture.at(1, -2), bottomLeft, 2);
      expectColour(picture.at(-2, -2), bottomRight, 2);
    }
  });

  test('fit=crop crops before the flip', async () => {
    const picture = await transform(await drawMap(200, 100), 'w=100&h=100&fit=crop-left&flip=h');
    expectColour(picture.at(0, 0), [99, 0, 128]);
    expectColour(picture.at(-1, 0), [0, 0, 128]);
  });

  test('fit=crop crops after rotation', async () => {
    // Rotating by 90 degrees counter-clockwise moves the original's right edge to the top.
    const picture = await transform(await drawMap(200, 100), 'or=90&w=100&h=50&fit=crop-top');
    expectColour(picture.at(0, 0), [199, 0, 128]);
    expectColour(picture.at(-1, -1), [150, 99, 128]);
  });

  test('the crop parameter refers to the picture before its rotation', async () => {
    const picture = await transform(await drawMap(200, 100), 'crop=10,5,20,30&or=90');
    expect([picture.width, picture.height]).toEqual([5, 10]);
    expectColour(picture.at(0, 0), [29, 30, 128]);
    expectColour(picture.at(-1, -1), [20, 34, 128]);
  });
});

/** Where a viewer sees the first row and the first column of the stored pixels, by EXIF orientation. */
const EDGES = [
  [1, 'top', 'left'],
  [2, 'top', 'right'],
  [3, 'bottom', 'right'],
  [4, 'bottom', 'left'],
  [5, 'left', 'top'],
  [6, 'right', 'top'],
  [7, 'right', 'bottom'],
  [8, 'left', 'bottom'],
] as const;

describe.each(EDGES)('EXIF orientation %d', (orientation, rowEdge, columnEdge) => {
  const viewed = { width: 64, height: 32 };

  async function store(): Promise<Buffer> {
    const isSideways = rowEdge === 'left' || rowEdge === 'right';
    const [width, height] = isSideways ? [viewed.height, viewed.width] : [viewed.width, viewed.height];
    const colourAt = colourOfQuarter(viewed.width, viewed.height);
    const locate = (column: number, row: number): readonly [x: number, y: number] => {
      const place = { left: 0, top: 0, right: viewed.width - 1, bottom: viewed.height - 1 };
      const inward = { left: 1, top: 1, right: -1, bottom: -1 };
      const fromRow = place[rowEdge] + inward[rowEdge] * row;
      const fromColumn = place[columnEdge] + inward[columnEdge] * column;
      return isSideways ? [fromRow, fromColumn] : [fromColumn, fromRow];
    };
    return drawPicture(width, height, (column, row) => colourAt(...locate(column, row)))
      .removeAlpha()
      .withMetadata({ orientation })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
  }

  test.each(['', 'w=32', 'w=128', 'h=16&fm=png'])('is applied with %j', async (query) => {
    const picture = await transform(await store(), query);
    expect(picture.width).toBe(picture.height * 2);
    expectColour(picture.at(2, 2), RED, 8);
    expectColour(picture.at(-3, 2), GREEN, 8);
    expectColour(picture.at(2, -3), BLUE, 8);
    expectColour(picture.at(-3, -3), YELLOW, 8);
    expect((await sharp(picture.file).metadata()).orientation).toBeUndefined();
  });

  test('applies to crop, positions and the focal point', async () => {
    const file = await store();
    const cut = await transform(file, 'crop=16,8,44,20&fm=png');
    expect([cut.width, cut.height]).toEqual([16, 8]);
    expectColour(cut.at(8, 4), YELLOW, 8);
    const right = await transform(file, 'w=16&h=16&fit=crop-right&fm=png');
    expectColour(right.at(8, 2), GREEN, 8);
    const focused = await transform(file, 'w=16&h=32&fit=crop&fm=png', { focalPoint: { x: 5, y: 50 } });
    expectColour(focused.at(8, 28), BLUE, 8);
    const flipped = await transform(file, 'flip=h&w=16&h=16&fit=crop-right&fm=png');
    expectColour(flipped.at(8, 2), GREEN, 8);
  });
});
