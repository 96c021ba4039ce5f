import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BLUE, drawPicture, drawPng, expectSource, planQuery, RED } from './pictures.fixture.ts';
import { readImageSource } from './read-image-source.ts';
import { renderImage } from './render-image.ts';

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
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('This is not a picture')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')],
    ['a PNG signature alone', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['half a header', Buffer.from('ffd8ffe000104a46', 'hex')],
  ])('%s is refused', async (_, file) => {
    expect(await readImageSource(file)).toMatchObject({ ok: false, problem: { detail: expect.any(String) } });
  });

  test('a small file that claims to be 30,000 × 30,000 pixels is refused before it is decoded', async () => {
    const bomb = buildPngHeader(30_000, 30_000);
    const source = await expectSource(bomb);
    expect(source).toMatchObject({ width: 30_000, height: 30_000 });
    expect(planQuery('w=10', source)).toBe('The original has 900 megapixels; at most 120 are allowed.');
    // Even with a plan for another picture, libvips does not decode this file.
    const plan = planQuery('w=10', { ...source, width: 100, height: 100 });
    if (typeof plan === 'string') throw new Error(plan);
    expect(await renderImage(plan, { picture: bomb, mark: null })).toMatchObject({
      ok: false,
      problem: { detail: expect.stringContaining('pixel limit') },
    });
  });

  test('a missing file causes an error', async () => {
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
