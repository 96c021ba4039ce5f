import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawAnimation, drawPicture, drawQuarters, GREEN, RED } from '../images/pictures.fixture.ts';
import { takeFile } from './take-file.ts';
import { MEGABYTE, openUploads, RULES, readStored, refuse, split, take, type Uploads } from './uploads.fixture.ts';

let uploads: Uploads;

beforeAll(async () => {
  uploads = await openUploads('folder');
});

afterAll(async () => {
  await uploads[Symbol.asyncDispose]();
});

/** A PNG whose header claims a size that need not match its data. */
function buildPng(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.of()],
  ] as const;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.map(([type, body]) => {
      const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
      chunk.writeUInt32BE(body.length, 0);
      chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
      return chunk;
    }),
  ]);
}

function drawNoise(): Sharp {
  return drawPicture(200, 200, (x, y) => [(x * y * 31) % 256, (x * 7 + y) % 256, (y * 13) % 256]).removeAlpha();
}

describe('a file is refused', () => {
  test('if it is empty', async () => {
    for (const name of ['', 'a.txt', 'a.jpg']) {
      expect(await refuse(uploads, Buffer.of(), name)).toMatchObject({ code: 'empty' });
    }
  });

  test('if it claims to be 30,000 × 30,000 pixels', async () => {
    const bomb = buildPng(30_000, 30_000, deflateSync(Buffer.alloc(1000)));
    expect(await refuse(uploads, bomb, 'bomb.png')).toEqual({
      code: 'too_many_pixels',
      message: 'The picture has 900,000,000 pixels. At most 100,000,000 are allowed.',
      values: { pixels: 900_000_000, limit: 100_000_000 },
    });
  });

  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('if it is only part of a %s file', async (format) => {
    const whole = await drawNoise().toFormat(format).toBuffer();
    const problem = await refuse(uploads, whole.subarray(0, whole.length / 2), `a.${format}`);
    expect(problem).toMatchObject({ code: 'unreadable', values: { type: `image/${format}` } });
    expect(problem.message).toContain('damaged or incomplete');
  });

  test.each([
    ['a script that begins like a GIF file', Buffer.from('GIF89a/*\0\0*/=1;alert(document.domain)')],
    ['a PNG file that ends after its signature', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a JPEG file that ends after its header', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['a picture without pixels', buildPng(100, 100, deflateSync(Buffer.alloc(10)))],
    ['a picture without a width', buildPng(0, 100, deflateSync(Buffer.alloc(10)))],
  ])('if it is %s', async (_what, bytes) => {
    expect(await refuse(uploads, bytes, 'a.png')).toMatchObject({ code: 'unreadable' });
  });

  test.each([
    ['is not complete', '<svg><g>', 'The SVG file is not valid XML.'],
    [
      'is not in UTF-8',
      Buffer.from('<?xml version="1.0" encoding="latin1"?><svg><text>é</text></svg>', 'latin1'),
      'UTF-8',
    ],
  ])('if it is an SVG file that %s', async (_what, text, expected) => {
    const problem = await refuse(uploads, Buffer.from(text), 'a.svg');
    expect(problem).toMatchObject({ code: 'unreadable', message: expect.stringContaining(expected) });
    expect(problem.message).toMatch(/Only valid SVG files in UTF-8 are allowed\.$/);
  });

  test('if it is an SVG file larger than 8 MB', async () => {
    const open = '<svg xmlns="http://www.w3.org/2000/svg"><g>';
    const close = '</g></svg>';
    const fill = ' '.repeat(8 * MEGABYTE - open.length - close.length);
    await using file = await take(uploads, Buffer.from(open + fill + close), 'large.svg');
    expect(file.type).toBe('image/svg+xml');
    await file[Symbol.asyncDispose]();
    expect(await refuse(uploads, Buffer.from(`${open} ${fill}${close}`), 'large.svg')).toMatchObject({
      code: 'too_large',
      message: 'The SVG file is 8,388,609 bytes. The limit for SVG files is 8 MB.',
    });
  });

  test('if the site does not allow its type, whatever its name says', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    const rules = { types: ['image/', 'application/pdf'] };
    expect(await refuse(uploads, page, 'photo.jpg', rules)).toEqual({
      code: 'type_not_allowed',
      message: 'The file type is text/html. This site allows only: images, application/pdf.',
      values: { type: 'text/html', allowed: 'image/, application/pdf' },
    });
    const picture = await drawQuarters(4, 4);
    expect(await refuse(uploads, picture, 'a.pdf', { types: ['application/pdf'] })).toMatchObject({
      code: 'type_not_allowed',
    });
    for (const types of [['image/'], ['image/png'], ['audio/', 'image/png']]) {
      await using file = await take(uploads, picture, 'page.html', { types });
      expect([file.type, file.fileName]).toEqual(['image/png', 'page.png']);
    }
  });
});

describe('a file that is not what it seems', () => {
  test.each([
    ['a page after a picture', '<!doctype html><script>alert(1)</script>'],
    ['an archive after a picture', 'PK\x03\x04'],
    ['a PDF file after a picture', '%PDF-1.7\n'],
  ])('is stored with the type that its first bytes indicate: %s', async (_what, end) => {
    const bytes = Buffer.concat([await drawQuarters(20, 20), Buffer.from(end, 'latin1')]);
    await using file = await take(uploads, bytes, 'a.html');
    expect(file).toMatchObject({ type: 'image/png', fileName: 'a.png', width: 20 });
  });

  test('counts as markup if a browser might treat it as markup', async () => {
    await using page = await take(uploads, Buffer.from('<!-- GIF89a --><html><script>1</script></html>'), 'a.txt');
    expect([page.type, page.extension]).toEqual(['text/html', 'html']);
    await using svg = await take(uploads, Buffer.from('<svg><script>alert(1)</script></svg>'), 'a.txt');
    expect([svg.type, svg.extension]).toEqual(['image/svg+xml', 'svg']);
    expect(String(await readStored(uploads, svg.sha256))).not.toContain('alert');
  });

  test('does not count as a picture if only its first bytes look like one', async () => {
    const whole = await drawNoise().tiff().toBuffer();
    await using file = await take(uploads, whole.subarray(0, whole.length / 2), 'a.tiff');
    expect(file).toMatchObject({ type: 'application/octet-stream', fileName: 'a.bin', width: null });
  });

  test('can be an animation whose frames each have as many pixels as the limit allows', async () => {
    const bytes = await drawAnimation(
      100,
      100,
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? RED : GREEN)),
    )
      .gif()
      .toBuffer();
    await using file = await take(uploads, bytes, 'a.gif', { mostPixels: 10_000 });
    expect(file).toMatchObject({ width: 100, height: 100 });
  });
});

describe('a picture', () => {
  let folder: string;
  let own: Uploads | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-programs-'));
  });

  afterEach(async () => {
    await own?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** @param answer what the image process does with a message */
  async function openWith(answer: string, options: { limitMs?: number; mostWaiting?: number } = {}): Promise<Uploads> {
    const program = join(folder, 'program.mjs');
    await writeFile(
      program,
      `process.on('disconnect', () => process.exit());process.on('message', ({ no }) => {${answer}});`,
    );
    own = await openUploads('folder', { program, ...options });
    return own;
  }

  test('is refused if its image process crashes', async () => {
    const picture = await drawQuarters(4, 4);
    expect(await refuse(await openWith('process.exit(3)'), picture, 'a.png')).toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('damaged or incomplete'),
    });
  });

  test('is refused if its image process takes too long', async () => {
    const picture = await drawQuarters(4, 4);
    expect(await refuse(await openWith('', { limitMs: 50 }), picture, 'a.png')).toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('took too long'),
    });
  });

  test('can be uploaded later if no image process is free', async () => {
    const busy = await openWith('', { mostWaiting: 0 });
    const waiting = busy.images.do({ kind: 'read', picture: 'any' });
    const picture = await drawQuarters(4, 4);
    expect(await refuse(busy, picture, 'a.png')).toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/Try again/),
    });
    // Files that are not pictures need no image process.
    await using file = await take(busy, Buffer.from('%PDF-1.7\n'), 'a.pdf');
    expect(file.type).toBe('application/pdf');
    await busy.images.close();
    expect(await waiting).toEqual({ kind: 'closed' });
  });

  test('can be uploaded later if the image processes have been closed', async () => {
    const closed = await openWith('');
    await closed.images.close();
    expect(await refuse(closed, await drawQuarters(4, 4), 'a.png')).toMatchObject({
      code: 'busy',
      message: 'The service is stopping. Try again in a minute.',
    });
  });

  test('causes an error and leaves nothing behind if its image process fails for another reason', async () => {
    const failing = await openWith(`process.send({ no, answer: { kind: 'failed', detail: 'The disk is on fire' } })`);
    const taking = takeFile(failing.tools, split(await drawQuarters(4, 4)), 'a.png', RULES);
    await expect(taking).rejects.toThrow('The disk is on fire');
    expect(await failing.listTemporary()).toEqual([]);
  });
});
