import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  BLUE,
  colourOfQuarter,
  drawAnimation,
  drawMap,
  drawPicture,
  drawPng,
  drawQuarters,
  expectSource,
  GREEN,
  planQuery,
  RED,
  transform,
  WHITE,
  YELLOW,
} from './pictures.fixture.ts';
import { readImageSource } from './read-image-source.ts';
import { renderImage } from './render-image.ts';

const OPAQUE = 255;

/** Lossy formats and interpolation change colours a little. */
function expectColour(actual: readonly number[], expected: readonly number[], tolerance = 0): void {
  const [red = 0, green = 0, blue = 0, alpha = OPAQUE] = expected;
  const differences = [red, green, blue, alpha].map((value, index) => Math.abs(value - (actual[index] ?? -1000)));
  const isClose = Math.max(...differences) <= tolerance;
  if (!isClose) expect(actual).toEqual([red, green, blue, alpha]);
  expect(isClose).toBe(true);
}

describe('sizes', () => {
  test('one side keeps the aspect ratio, and the whole picture is visible', async () => {
    const picture = await transform(await drawQuarters(200, 100), 'w=50');
    expect([picture.width, picture.height]).toEqual([50, 25]);
    expectColour(picture.at(3, 3), RED, 2);
    expectColour(picture.at(-4, 3), GREEN, 2);
    expectColour(picture.at(3, -4), BLUE, 2);
    expectColour(picture.at(-4, -4), YELLOW, 2);
  });

  test('fit=contain enlarges, fit=max does not', async () => {
    const small = await drawQuarters(20, 10);
    const contained = await transform(small, 'w=80&h=80');
    expect([contained.width, contained.height]).toEqual([80, 40]);
    expectColour(contained.at(-3, -3), YELLOW, 2);
    const most = await transform(small, 'w=80&h=80&fit=max');
    expect([most.width, most.height]).toEqual([20, 10]);
  });

  test('fit=fill pads without enlarging, fit=fill-max enlarges', async () => {
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

describe('cutting', () => {
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
    // The colour at a point of the result is the place from which it comes.
    expectColour(picture.at(50, 50), [left + side / 2 - 0.5, top + side / 2 - 0.5, 128], 1);
    expectColour(picture.at(5, 5), [left + side * 0.055 - 0.5, top + side * 0.055 - 0.5, 128], 2);
    expectColour(picture.at(94, 94), [left + side * 0.945 - 0.5, top + side * 0.945 - 0.5, 128], 2);
  });

  test('crop cuts a rectangle out of the original first', async () => {
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

describe('turning', () => {
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

  test('cuts before it flips, and flips what was cut', async () => {
    const picture = await transform(await drawMap(200, 100), 'w=100&h=100&fit=crop-left&flip=h');
    expectColour(picture.at(0, 0), [99, 0, 128]);
    expectColour(picture.at(-1, 0), [0, 0, 128]);
  });

  test('cuts what was rotated', async () => {
    // Counter-clockwise by 90 degrees, the right edge of the original comes to the top.
    const picture = await transform(await drawMap(200, 100), 'or=90&w=100&h=50&fit=crop-top');
    expectColour(picture.at(0, 0), [199, 0, 128]);
    expectColour(picture.at(-1, -1), [150, 99, 128]);
  });

  test('crop refers to the picture before its rotation', async () => {
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

describe('colours', () => {
  const grey = (level: number) => drawPng(20, 20, () => [level, level, level]);

  test.each([
    ['bri=20', 100, 151],
    ['bri=-20', 100, 49],
    ['bri=100', 10, 255],
    ['bri=-100', 250, 0],
    ['con=50', 100, 66],
    ['con=-50', 100, 121],
    ['con=-100', 30, 128],
    ['con=100', 100, 18],
    ['gam=2', 64, 128],
    ['gam=0.5', 128, 64],
    ['bri=20&gam=2', 13, 128],
    ['sharp=50', 100, 100],
    ['blur=50', 100, 100],
  ])('%s turns %d into %d', async (query, level, expected) => {
    const picture = await transform(await grey(level), query);
    expectColour(picture.at(10, 10), [expected, expected, expected], 1);
  });

  test('filt=greyscale', async () => {
    const picture = await transform(await drawQuarters(40, 40), 'filt=greyscale');
    expectColour(picture.at(5, 5), [76, 76, 76]);
    expectColour(picture.at(-5, 5), [150, 150, 150]);
    expectColour(picture.at(5, -5), [29, 29, 29]);
  });

  test('filt=sepia', async () => {
    expectColour((await transform(await grey(128), 'filt=sepia')).at(10, 10), [179, 145, 99], 1);
  });

  const edge = () => drawPng(40, 10, (x) => (x < 20 ? [100, 100, 100] : [150, 150, 150]));

  test('sharp makes edges stronger', async () => {
    const picture = await transform(await edge(), 'sharp=10');
    expectColour(picture.at(19, 5), [77, 77, 77], 2);
    expectColour(picture.at(20, 5), [172, 172, 172], 2);
    expectColour(picture.at(15, 5), [100, 100, 100]);
  });

  test('blur makes edges weaker', async () => {
    const weak = await transform(await edge(), 'blur=1');
    const strong = await transform(await edge(), 'blur=50');
    const [weakStep = 0] = weak.at(16, 5);
    const [strongStep = 0] = strong.at(16, 5);
    expect(weakStep).toBe(100);
    expect(strongStep).toBeGreaterThan(104);
    expect(strongStep).toBeLessThan(125);
  });

  test('pixel gives each block its mean colour', async () => {
    const picture = await transform(await drawMap(25, 20), 'pixel=10');
    for (const [x, y] of [
      [0, 0],
      [9, 9],
      [4, 7],
    ] as const) {
      expectColour(picture.at(x, y), [4.5, 4.5, 128], 0.5);
    }
    expectColour(picture.at(10, 10), [14.5, 14.5, 128], 0.5);
    expectColour(picture.at(24, 19), [22, 14.5, 128], 0.5);
    const whole = await transform(await drawMap(25, 20), 'pixel=1000');
    expectColour(whole.at(3, 3), [12, 9.5, 128], 0.5);
  });

  test('effects keep transparency', async () => {
    const file = await drawPicture(20, 20, (x) => (x < 10 ? [100, 0, 0, 255] : [0, 255, 0, 0]))
      .png()
      .toBuffer();
    const picture = await transform(file, 'bri=20&sharp=5&filt=greyscale&blur=1&pixel=5');
    expect(picture.at(2, 2)[3]).toBe(255);
    expect(picture.at(17, 2)[3]).toBe(0);
  });
});

describe('backgrounds', () => {
  const half = () =>
    drawPicture(20, 20, (x) => (x < 10 ? [0, 0, 255, 255] : [0, 0, 0, 0]))
      .png()
      .toBuffer();

  test.each([
    ['', [0, 0, 0, 0]],
    ['bg=red', RED],
    ['bg=80ff0000', [255, 0, 0, 128]],
    ['bg=transparent', [0, 0, 0, 0]],
    ['fm=jpg', WHITE],
    ['fm=jpg&bg=red', RED],
    ['fm=jpg&bg=80ff0000', [255, 127, 127]],
    ['fm=pjpg&bg=transparent', WHITE],
    ['fm=webp&q=100', [0, 0, 0, 0]],
    ['fm=webp&q=100&bg=lime', GREEN],
    ['fm=gif', [0, 0, 0, 0]],
    ['bri=10&bg=red', RED],
  ])('%j gives transparent pixels the colour %j', async (query, colour) => {
    const picture = await transform(await half(), query);
    const [, , , alpha = OPAQUE] = colour;
    if (alpha === 0) expect(picture.at(17, 10)[3]).toBe(0);
    else expectColour(picture.at(17, 10), colour, 4);
    expectColour(picture.at(2, 10), query.startsWith('bri') ? [25, 25, 255] : BLUE, 4);
  });

  test.each([
    ['fm=png', [0, 0, 0, 0]],
    ['fm=png&bg=80ff0000', [255, 0, 0, 128]],
    ['fm=png&bg=f00', RED],
    ['fm=jpg', WHITE],
    ['fm=png&bg=f00&con=-100', RED],
  ])('%j gives padding the colour %j', async (query, colour) => {
    const picture = await transform(await drawPng(20, 10, () => BLUE), `fit=fill&w=20&h=30&${query}`);
    const [, , , alpha = OPAQUE] = colour;
    if (alpha === 0) expect(picture.at(10, 2)[3]).toBe(0);
    else expectColour(picture.at(10, 2), colour, 3);
    expectColour(picture.at(10, 15), query.includes('con') ? [128, 128, 128] : BLUE, 3);
  });

  test('keep their colour around and behind grey pictures', async () => {
    const opaque = await sharp(await drawPng(20, 10, () => [128, 128, 128]))
      .toColourspace('b-w')
      .png()
      .toBuffer();
    expect(await expectSource(opaque)).toMatchObject({ isGreyscale: true, hasAlpha: false });
    const padded = await transform(opaque, 'fit=fill&w=20&h=30&bg=red');
    expectColour(padded.at(10, 2), RED);
    expectColour(padded.at(10, 15), [128, 128, 128]);
    const clear = await drawPicture(20, 10, () => [128, 128, 128, 0])
      .toColourspace('b-w')
      .png()
      .toBuffer();
    expect(await expectSource(clear)).toMatchObject({ isGreyscale: true, hasAlpha: true });
    expectColour((await transform(clear, 'w=10&bg=red')).at(2, 2), RED);
  });
});

describe('borders', () => {
  const blue = () => drawPng(40, 20, () => BLUE);

  test('overlay covers the edges', async () => {
    const picture = await transform(await blue(), 'border=3,red');
    expect([picture.width, picture.height]).toEqual([40, 20]);
    for (const [x, y] of [
      [0, 0],
      [2, 10],
      [-3, 10],
      [20, 2],
      [20, -3],
      [-1, -1],
    ] as const)
      expectColour(picture.at(x, y), RED);
    for (const [x, y] of [
      [3, 3],
      [-4, -4],
      [20, 10],
    ] as const)
      expectColour(picture.at(x, y), BLUE);
  });

  test('overlay can be translucent, and looks the same in the corners', async () => {
    const picture = await transform(await blue(), 'border=3,80ff0000');
    expectColour(picture.at(0, 0), [128, 0, 127], 1);
    expectColour(picture.at(20, 0), [128, 0, 127], 1);
    expectColour(picture.at(0, 10), [128, 0, 127], 1);
    expectColour((await transform(await blue(), 'border=3,80ff0000&fm=jpg')).at(20, 0), [128, 0, 127], 12);
  });

  test('overlay may cover everything', async () => {
    const picture = await transform(await drawPng(5, 4, () => BLUE), 'border=100,red');
    for (const x of [0, 2, 4]) for (const y of [0, 1, 3]) expectColour(picture.at(x, y), RED);
  });

  test('expand adds the border around the picture', async () => {
    const picture = await transform(await blue(), 'border=5,red,expand');
    expect([picture.width, picture.height]).toEqual([50, 30]);
    expectColour(picture.at(4, 15), RED);
    expectColour(picture.at(5, 15), BLUE);
    expectColour(picture.at(-6, -6), BLUE);
    expectColour(picture.at(-5, -5), RED);
    const translucent = await transform(await blue(), 'border=5,80ff0000,expand');
    expectColour(translucent.at(0, 0), [255, 0, 0, 128]);
    expectColour((await transform(await blue(), 'border=5,80ff0000,expand&fm=jpg')).at(1, 1), [255, 127, 127], 4);
  });

  test('shrink makes room for the border', async () => {
    const picture = await transform(await drawQuarters(40, 20), 'border=10w,lime,shrink');
    expect([picture.width, picture.height]).toEqual([40, 20]);
    expectColour(picture.at(3, 10), GREEN);
    expectColour(picture.at(5, 5), RED, 2);
    expectColour(picture.at(-6, -6), YELLOW, 2);
    expectColour(picture.at(-4, -4), GREEN);
    const translucent = await transform(await blue(), 'border=5,80ff0000,shrink');
    expectColour(translucent.at(0, 0), [255, 0, 0, 128]);
    expectColour(translucent.at(20, 10), BLUE);
  });

  test('surround padding and background', async () => {
    const picture = await transform(await blue(), 'fit=fill&w=60&h=60&bg=yellow&border=5,red,expand');
    expect([picture.width, picture.height]).toEqual([70, 70]);
    expectColour(picture.at(2, 2), RED);
    expectColour(picture.at(7, 7), YELLOW);
    expectColour(picture.at(35, 35), BLUE);
  });
});

describe('marks', () => {
  const blue = () => drawPng(60, 40, () => BLUE);
  const red = () => drawPng(10, 5, () => RED);

  test.each([
    ['', 50, 35],
    ['markpos=top-left', 0, 0],
    ['markpos=center', 25, 17],
    ['markpos=top-right&markx=4&marky=2', 46, 2],
    ['markpad=5w', 47, 32],
  ])('%j puts the mark at %d, %d', async (query, left, top) => {
    const picture = await transform(await blue(), `mark=a&${query}`, { mark: await red() });
    expectColour(picture.at(left, top), RED);
    expectColour(picture.at(left + 9, top + 4), RED);
    for (const [x, y] of [
      [left - 1, top],
      [left + 10, top],
      [left, top - 1],
      [left, top + 5],
    ] as const) {
      if (x >= 0 && x < 60 && y >= 0 && y < 40) expectColour(picture.at(x, y), BLUE);
    }
  });

  test('markw, markh and markfit scale the mark', async () => {
    const mark = await drawQuarters(20, 10);
    const picture = await transform(await blue(), 'mark=a&markw=50w&markpos=top-left', { mark });
    expectColour(picture.at(2, 2), RED, 2);
    expectColour(picture.at(27, 12), YELLOW, 2);
    expectColour(picture.at(31, 2), BLUE);
    const cut = await transform(await blue(), 'mark=a&markw=10&markh=10&markfit=crop-right&markpos=top-left', { mark });
    expectColour(cut.at(1, 1), GREEN, 2);
    expectColour(cut.at(9, 9), YELLOW, 2);
    const filled = await transform(await blue(), 'mark=a&markw=20&markh=20&markfit=fill&markpos=top-left', { mark });
    expectColour(filled.at(2, 2), BLUE);
    expectColour(filled.at(2, 7), RED);
  });

  test('markalpha makes the mark translucent', async () => {
    const picture = await transform(await blue(), 'mark=a&markalpha=50', { mark: await red() });
    expectColour(picture.at(55, 37), [128, 0, 127], 1);
    const jpeg = await transform(await blue(), 'mark=a&markalpha=50&fm=jpg&q=100', { mark: await red() });
    expectColour(jpeg.at(55, 37), [128, 0, 127], 12);
  });

  test('transparent parts of the mark show the picture', async () => {
    const mark = await drawPicture(10, 10, (x) => (x < 5 ? [255, 0, 0, 255] : [0, 0, 0, 0]))
      .png()
      .toBuffer();
    const picture = await transform(await blue(), 'mark=a&markpos=top-left', { mark });
    expectColour(picture.at(2, 2), RED);
    expectColour(picture.at(7, 2), BLUE);
  });

  test('a mark that is larger than the picture is cut off', async () => {
    const mark = await drawQuarters(200, 200);
    const picture = await transform(await blue(), 'mark=a&markpos=center', { mark });
    expect([picture.width, picture.height]).toEqual([60, 40]);
    expectColour(picture.at(0, 0), RED);
    expectColour(picture.at(-1, -1), YELLOW);
  });

  test('the mark moves with an expanding border, and its EXIF orientation counts', async () => {
    const mark = await drawPicture(10, 4, (x) => (x < 5 ? RED : YELLOW))
      .removeAlpha()
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const picture = await transform(await blue(), 'mark=a&markpos=top-left&border=3,lime,expand', { mark });
    expectColour(picture.at(4, 4), RED, 6);
    expectColour(picture.at(4, 11), YELLOW, 6);
    expectColour(picture.at(8, 4), BLUE, 6);
  });
});

describe('formats', () => {
  const detailed = () => drawPng(64, 64, (x, y) => [(x * y) % 256, (x * 7) % 256, (y * 13) % 256]);

  test.each([
    ['', 'png', false],
    ['fm=jpg', 'jpeg', false],
    ['fm=pjpg', 'jpeg', true],
    ['fm=png', 'png', false],
    ['fm=gif', 'gif', false],
    ['fm=webp', 'webp', false],
    ['fm=avif', 'heif', false],
    ['fm=pjpg&border=1,red', 'jpeg', true],
  ])('%j gives %s', async (query, format, isProgressive) => {
    const { file } = await transform(await detailed(), query);
    expect(await sharp(file).metadata()).toMatchObject({
      format,
      isProgressive,
      width: 64,
      height: 64,
      depth: 'uchar',
    });
  });

  test('fm=auto takes what the client accepts', async () => {
    const picture = await detailed();
    const formatFor = async (...accepted: ('avif' | 'webp')[]) =>
      (await sharp((await transform(picture, 'fm=auto', { accepted: new Set(accepted) })).file).metadata()).mediaType;
    expect(await formatFor('avif', 'webp')).toBe('image/avif');
    expect(await formatFor('webp')).toBe('image/webp');
    expect(await formatFor()).toBe('image/png');
  });

  test.each(['jpg', 'webp', 'avif'])('q changes the size of %s files', async (format) => {
    const picture = await detailed();
    const sizeOf = async (query: string) => (await transform(picture, `fm=${format}${query}`)).file.length;
    expect(await sizeOf('&q=0')).toBeLessThan(await sizeOf(''));
    expect(await sizeOf('')).toBeLessThan(await sizeOf('&q=100'));
    expect(await sizeOf('')).toBe(await sizeOf(format === 'avif' ? '&q=55' : '&q=85'));
  });

  test('TIFF pictures become JPEG pictures unless fm says otherwise', async () => {
    const tiff = await sharp(await drawQuarters(20, 20))
      .tiff()
      .toBuffer();
    expect((await sharp((await transform(tiff, 'w=10')).file).metadata()).format).toBe('jpeg');
    expect((await sharp((await transform(tiff, 'w=10&fm=png')).file).metadata()).format).toBe('png');
  });

  test('AVIF pictures are read', async () => {
    const avif = await sharp(await drawQuarters(40, 40))
      .avif({ quality: 90 })
      .toBuffer();
    expect(await expectSource(avif)).toMatchObject({ format: 'avif', width: 40, height: 40 });
    const picture = await transform(avif, 'w=20');
    expect((await sharp(picture.file).metadata()).mediaType).toBe('image/avif');
    expectColour(picture.at(3, 3), RED, 25);
  });
});

describe('metadata and colour spaces', () => {
  test('no metadata gets into a result', async () => {
    const tagged = await sharp(await drawQuarters(40, 40))
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect(await sharp(tagged).metadata()).toMatchObject({ exif: expect.anything(), icc: expect.anything() });
    for (const query of ['', 'w=20', 'fm=png', 'fm=webp', 'fm=avif', 'bri=5', 'fm=gif']) {
      const { file } = await transform(tagged, query);
      const { exif, icc, xmp, iptc } = await sharp(file).metadata();
      expect({ exif, icc, xmp, iptc }).toEqual({ exif: undefined, icc: undefined, xmp: undefined, iptc: undefined });
      expect(file.includes('Somebody')).toBe(false);
    }
  });

  test('colours of another profile are converted', async () => {
    const wide = await sharp(await drawPng(20, 20, () => [200, 60, 60]))
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const stored = await sharp(wide, { ignoreIcc: true }).removeAlpha().raw().toBuffer();
    expect(stored[0]).toBeLessThan(190);
    for (const query of ['', 'w=10', 'border=1,lime']) {
      expectColour((await transform(wide, query)).at(5, 5), [200, 60, 60], 3);
    }
  });

  test.each([
    ['CMYK', (picture: Sharp) => picture.toColourspace('cmyk').jpeg({ quality: 100 }), 40],
    ['16 bits', (picture: Sharp) => picture.toColourspace('rgb16').png(), 1],
    ['a palette', (picture: Sharp) => picture.png({ palette: true }), 3],
  ])('pictures with %s become sRGB', async (_, build, tolerance) => {
    const file = await build(sharp(await drawPng(20, 20, () => [128, 64, 32]))).toBuffer();
    for (const query of ['fm=png', 'fm=png&w=10', 'fm=png&border=1,lime', 'fm=png&fit=fill&w=20&h=40&bg=lime']) {
      const picture = await transform(file, query);
      expect(await sharp(picture.file).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
      expectColour(picture.at(5, Math.floor(picture.height / 2)), [128, 64, 32], tolerance);
    }
    expectColour((await transform(file, 'fm=png&fit=fill&w=20&h=40&bg=lime')).at(5, 2), GREEN, 3);
  });

  test('grey pictures stay grey', async () => {
    const file = await sharp(await drawPng(20, 20, () => [90, 90, 90]))
      .toColourspace('b-w')
      .jpeg()
      .toBuffer();
    for (const query of ['w=10', 'fm=png', 'fm=webp', 'bri=0&border=1,red']) {
      expectColour((await transform(file, query)).at(5, 5), [90, 90, 90], 2);
    }
  });
});

describe('animations', () => {
  const animation = () =>
    drawAnimation(40, 20, [RED, GREEN, BLUE])
      .gif({ delay: [100, 200, 300], loop: 2 })
      .toBuffer();

  async function readFrames(file: Buffer) {
    const { pages = 1, delay, loop, format, width } = await sharp(file).metadata();
    const frames = [];
    for (let page = 0; page < pages; page += 1) {
      const { data, info } = await sharp(file, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
      frames.push({ width: info.width, height: info.height, colour: [...data.subarray(middle, middle + 3), OPAQUE] });
    }
    return { pages, delay, loop, format, width, frames };
  }

  test('are read as one frame and the number of frames', async () => {
    expect(await expectSource(await animation())).toMatchObject({ format: 'gif', width: 40, height: 20, pages: 3 });
    const webp = await sharp(await animation(), { animated: true })
      .webp()
      .toBuffer();
    expect(await expectSource(webp)).toMatchObject({ format: 'webp', width: 40, height: 20, pages: 3 });
  });

  test.each([
    ['', 40, 20, 'gif'],
    ['w=20', 20, 10, 'gif'],
    ['w=80', 80, 40, 'gif'],
    ['w=10&h=10&fit=crop', 10, 10, 'gif'],
    ['w=60&h=60&fit=crop-left', 60, 60, 'gif'],
    ['w=50&h=50&fit=fill&bg=yellow', 50, 50, 'gif'],
    ['w=20&fm=webp', 20, 10, 'webp'],
  ])('stay animated with %j', async (query, width, height, format) => {
    const { plan, file } = await transform(await animation(), query);
    expect(plan).toMatchObject({ isAnimated: true, width, height });
    const result = await readFrames(file);
    expect(result).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2, format });
    expect(result.frames.map((frame) => [frame.width, frame.height])).toEqual(Array(3).fill([width, height]));
    for (const [index, colour] of [RED, GREEN, BLUE].entries()) {
      expectColour(result.frames[index]?.colour ?? [], colour, 6);
    }
  });

  test('keep padding in the colour of the background', async () => {
    const { file } = await transform(await animation(), 'w=50&h=50&fit=fill&bg=yellow');
    const { data } = await sharp(file, { page: 2 }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expectColour([...data.subarray(0, 3), OPAQUE], YELLOW, 4);
  });

  test.each(['fm=png', 'fm=jpg', 'flip=v', 'bri=1', 'or=90', 'crop=10,10,0,0'])(
    'show the first frame with %j',
    async (query) => {
      const { file, at } = await transform(await animation(), query);
      expect((await sharp(file).metadata()).pages ?? 1).toBe(1);
      expectColour(at(5, 5), query === 'bri=1' ? [255, 2, 2] : RED, 3);
    },
  );
});

describe('files that are not complete pictures', () => {
  const noise = (x: number, y: number) => [(x * y * 31) % 256, (x * 7 + y) % 256, (y * 13) % 256] as const;

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a truncated %s file is refused', async (format) => {
    const file = await drawPicture(200, 200, noise).removeAlpha().toFormat(format).toBuffer();
    const source = await expectSource(file);
    for (const query of ['w=100', 'bri=5']) {
      const plan = planQuery(query, source);
      if (typeof plan === 'string') throw new Error(plan);
      expect(await renderImage(plan, { picture: file, mark: null })).toMatchObject({ ok: true });
      const rendered = await renderImage(plan, { picture: file.subarray(0, file.length / 2), mark: null });
      expect(rendered).toMatchObject({ ok: false, problem: { detail: expect.any(String) } });
    }
  });

  test('a truncated mark is refused', async () => {
    const picture = await drawPng(50, 50, () => BLUE);
    const mark = await drawPicture(200, 200, noise).png().toBuffer();
    const plan = planQuery('mark=a', await expectSource(picture), { mark: await expectSource(mark) });
    if (typeof plan === 'string') throw new Error(plan);
    const rendered = await renderImage(plan, { picture, mark: mark.subarray(0, mark.length / 2) });
    expect(rendered).toMatchObject({ ok: false });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('This is not a picture')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')],
    ['a PNG signature alone', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['half a header', Buffer.from('ffd8ffe000104a46', 'hex')],
  ])('%s is refused', async (_, file) => {
    expect(await readImageSource(file)).toMatchObject({ ok: false, problem: { detail: expect.any(String) } });
  });

  test('a small file that claims 30,000 × 30,000 pixels is refused before it is decoded', async () => {
    const bomb = buildPngHeader(30_000, 30_000);
    const source = await expectSource(bomb);
    expect(source).toMatchObject({ width: 30_000, height: 30_000 });
    expect(planQuery('w=10', source)).toBe('The original has 900 megapixels; at most 120 are allowed.');
    // Even with a plan for another picture, libvips does not decode it.
    const plan = planQuery('w=10', { ...source, width: 100, height: 100 });
    if (typeof plan === 'string') throw new Error(plan);
    expect(await renderImage(plan, { picture: bomb, mark: null })).toMatchObject({
      ok: false,
      problem: { detail: expect.stringContaining('pixel limit') },
    });
  });

  test('a missing file is not the fault of the picture', async () => {
    const plan = planQuery('w=10', await expectSource(await drawPng(20, 20, () => RED)));
    if (typeof plan === 'string') throw new Error(plan);
    await expect(renderImage(plan, { picture: '/nowhere/at/all.png', mark: null })).rejects.toThrow('missing');
    await expect(readImageSource('/nowhere/at/all.png')).rejects.toThrow('missing');
  });
});

function buildPngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', Buffer.from('789c0300000000010000', 'hex')),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}
