import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  BLUE,
  drawAnimation,
  drawPng,
  drawQuarters,
  expectColour,
  expectSource,
  GREEN,
  OPAQUE,
  RED,
  transform,
  YELLOW,
} from './pictures.fixture.ts';

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

  test('fm=auto chooses a format that the client accepts', async () => {
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
  test('results contain no metadata', async () => {
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

  test('colours in another profile are converted', async () => {
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

  test('greyscale pictures stay greyscale', async () => {
    const file = await sharp(await drawPng(20, 20, () => [90, 90, 90]))
      .toColourspace('b-w')
      .jpeg()
      .toBuffer();
    for (const query of ['w=10', 'fm=png', 'fm=webp', 'fm=png&border=1,red']) {
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

  test('have the size of a single frame, and a frame count', async () => {
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

  test('have padding in the background colour', async () => {
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
