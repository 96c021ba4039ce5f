import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  BLUE,
  drawMap,
  drawPicture,
  drawPng,
  drawQuarters,
  expectColour,
  expectSource,
  GREEN,
  OPAQUE,
  RED,
  transform,
  WHITE,
  YELLOW,
} from './pictures.fixture.ts';

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

  test('the sharp parameter sharpens edges', async () => {
    const picture = await transform(await edge(), 'sharp=10');
    expectColour(picture.at(19, 5), [77, 77, 77], 2);
    expectColour(picture.at(20, 5), [172, 172, 172], 2);
    expectColour(picture.at(15, 5), [100, 100, 100]);
  });

  test('the blur parameter softens edges', async () => {
    const weak = await transform(await edge(), 'blur=1');
    const strong = await transform(await edge(), 'blur=50');
    const [weakStep = 0] = weak.at(16, 5);
    const [strongStep = 0] = strong.at(16, 5);
    expect(weakStep).toBe(100);
    expect(strongStep).toBeGreaterThan(104);
    expect(strongStep).toBeLessThan(125);
  });

  test('the pixel parameter gives each block its mean colour', async () => {
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

  test('effects preserve transparency', async () => {
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

  test('keep their colour around and behind greyscale pictures', async () => {
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

  test('the overlay method covers the edges', async () => {
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

  test('an overlay can be translucent, and looks the same in the corners', async () => {
    const picture = await transform(await blue(), 'border=3,80ff0000');
    expectColour(picture.at(0, 0), [128, 0, 127], 1);
    expectColour(picture.at(20, 0), [128, 0, 127], 1);
    expectColour(picture.at(0, 10), [128, 0, 127], 1);
    expectColour((await transform(await blue(), 'border=3,80ff0000&fm=jpg')).at(20, 0), [128, 0, 127], 12);
  });

  test('an overlay can cover everything', async () => {
    const picture = await transform(await drawPng(5, 4, () => BLUE), 'border=100,red');
    for (const x of [0, 2, 4]) for (const y of [0, 1, 3]) expectColour(picture.at(x, y), RED);
  });

  test('the expand method adds the border around the picture', async () => {
    const picture = await transform(await blue(), 'border=5,red,expand');
    expect([picture.width, picture.height]).toEqual([50, 30]);
    expectColour(picture.at(4, 15), RED);
    expectColour(picture.at(5, 15), BLUE);
    expectColour(picture.at(-6, -6), BLUE);
    expectColour(picture.at(-5, -5), RED);
    const translucent = await transform(await blue(), 'border=5,80ff0000,expand');
    expectColour(translucent.at(0, 0), [255, 0, 0, 128]);
    expectColour((await transform(await blue(), 'border=20,80ff0000,expand&fm=jpg')).at(2, 2), [255, 127, 127], 4);
  });

  test('the shrink method makes room for the border', async () => {
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

  test('surround the padding and the background', async () => {
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

  test('transparent parts of the mark let the picture show through', async () => {
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

  test('the mark moves with an expanding border, and the mark’s EXIF orientation is applied', async () => {
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
