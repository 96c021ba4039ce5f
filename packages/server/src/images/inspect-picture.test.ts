import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { inspectPicture } from './inspect-picture.ts';

const MOST_PIXELS = 100_000_000;

function draw(width: number, height: number, background: string, channels: 3 | 4 = 3): Sharp {
  return sharp({ create: { width, height, channels, background } });
}

async function inspect(bytes: Buffer): Promise<object> {
  const inspected = await inspectPicture(bytes, MOST_PIXELS);
  return inspected.ok ? inspected.value : inspected.problem;
}

describe('a picture', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('has a size in %s', async (format) => {
    const bytes = await draw(300, 200, '#204080').toFormat(format).toBuffer();
    expect(await inspect(bytes)).toMatchObject({ width: 300, height: 200 });
  });

  test.each([
    [1, 300, 200],
    [2, 300, 200],
    [3, 300, 200],
    [4, 300, 200],
    [5, 200, 300],
    [6, 200, 300],
    [7, 200, 300],
    [8, 200, 300],
  ])('has the size that a viewer sees, with orientation %d', async (orientation, width, height) => {
    const bytes = await draw(300, 200, '#204080').withMetadata({ orientation }).jpeg().toBuffer();
    expect(await inspect(bytes)).toMatchObject({ width, height });
  });

  test('has a placeholder and a dominant colour that match what a viewer sees', async () => {
    const red = await draw(300, 100, '#e01020').png().toBuffer();
    const bytes = await draw(300, 200, '#1020e0')
      .composite([{ input: red, top: 0, left: 0 }])
      .extend({ bottom: 200, background: '#1020e0' })
      .png()
      .toBuffer();
    const inspected = await inspectPicture(bytes, MOST_PIXELS);
    if (!inspected.ok) throw new Error(inspected.problem.code);
    expect(inspected.value.colour).toBe('#1020e0');
    const average = thumbHashToAverageRGBA(Buffer.from(inspected.value.placeholder, 'base64'));
    expect(average.b).toBeGreaterThan(average.r);
    expect(average.a).toBe(1);
  });

  test('has the colour of its visible part if it is partly transparent', async () => {
    const dot = await draw(20, 20, '#00ff00').png().toBuffer();
    const bytes = await draw(100, 100, '#ff000000', 4)
      .composite([{ input: dot }])
      .png()
      .toBuffer();
    expect(await inspect(bytes)).toMatchObject({ colour: '#00ff00' });
    expect(await inspect(await draw(10, 10, '#ff000000', 4).png().toBuffer())).toMatchObject({ colour: null });
  });

  test('has an sRGB colour even if it is in CMYK or has 16 bits per channel', async () => {
    const deep = await draw(50, 50, '#ff8000').toColourspace('rgb16').png().toBuffer();
    expect(await inspect(deep)).toMatchObject({ colour: '#ff8000' });
    const cmyk = await draw(50, 50, '#ff8000').toColourspace('cmyk').jpeg().toBuffer();
    expect(await inspect(cmyk)).toMatchObject({ width: 50 });
  });

  test('has the size of one frame if it is animated', async () => {
    const frames = await Promise.all(['#f00', '#0f0', '#00f'].map((colour) => draw(40, 30, colour).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await inspect(bytes)).toMatchObject({ width: 40, height: 30 });
  });

  test('can be one pixel wide', async () => {
    expect(await inspect(await draw(1, 1, '#fff').png().toBuffer())).toMatchObject({ width: 1, height: 1 });
    expect(await inspect(await draw(1, 9000, '#fff').png().toBuffer())).toMatchObject({ width: 1, height: 9000 });
  });
});

/** A PNG whose header claims a size that need not match its data. */
function buildPng(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[['IHDR', header] as const, ['IDAT', data] as const, ['IEND', Buffer.of()] as const].map(([type, body]) => {
      const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
      chunk.writeUInt32BE(body.length, 0);
      chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
      return chunk;
    }),
  ]);
}

describe('a hostile file', () => {
  test('is refused without being decoded if it has more pixels than the limit', async () => {
    const bomb = buildPng(30_000, 30_000, deflateSync(Buffer.alloc(1000)));
    const problem = { code: 'too_many_pixels', pixels: 900_000_000, limit: MOST_PIXELS };
    expect(await inspectPicture(bomb, MOST_PIXELS)).toEqual({ ok: false, problem });
    const picture = await draw(101, 100, '#fff').png().toBuffer();
    expect(await inspectPicture(picture, 10_100)).toMatchObject({ ok: true });
    expect(await inspectPicture(picture, 10_099)).toMatchObject({ ok: false, problem: { code: 'too_many_pixels' } });
  });

  test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    'causes no error if it is a truncated %s',
    async (format) => {
      const noise = { width: 64, height: 64, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const;
      const bytes = await sharp({ create: { ...noise, background: '#000' } })
        .toFormat(format)
        .toBuffer();
      for (let part = 0; part < 8; part += 1) {
        const inspected = await inspectPicture(bytes.subarray(0, (bytes.length * part) >> 3), MOST_PIXELS);
        if (!inspected.ok) expect(inspected.problem.code).toBe('unreadable');
      }
      const half = await inspectPicture(bytes.subarray(0, bytes.length >> 1), MOST_PIXELS);
      expect(half.ok).toBe(false);
    },
  );

  test.each([
    ['nothing', Buffer.of()],
    ['text', Buffer.from('GIF89a, a text')],
    ['a missing pixel', buildPng(100, 100, deflateSync(Buffer.alloc(10)))],
    ['no width', buildPng(0, 100, deflateSync(Buffer.alloc(10)))],
    ['an invalid size', buildPng(2 ** 31 - 1, 2 ** 31 - 1, deflateSync(Buffer.alloc(10)))],
    [
      'SVG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
      ),
    ],
    ['PDF', Buffer.from('%PDF-1.7\n')],
  ])('does not count as a picture: %s', async (_name, bytes) => {
    expect((await inspectPicture(bytes, MOST_PIXELS)).ok).toBe(false);
  });

  test('causes an error if it does not exist', async () => {
    await expect(inspectPicture('/nonexistent/photo.jpg', MOST_PIXELS)).rejects.toThrow('missing');
  });
});
