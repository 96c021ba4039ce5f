import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawAnimation, drawPicture, drawQuarters, GREEN, RED } from '../images/pictures.fixture.ts';
import { type TakenFile, takeFile } from './take-file.ts';
import {
  listStored,
  MEGABYTE,
  openUploads,
  RULES,
  readStored,
  refuse,
  type StoreKind,
  split,
  take,
  type Uploads,
} from './uploads.fixture.ts';

const FUTURE = new Date('2100-01-01T00:00:00Z');

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  exif:GPSLatitude="52,31.1N"><dc:title>The Gate</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;
/** sharp writes no GPS data into the EXIF data of TIFF files. */
const SECRETS = ['52,31.1N', '2026:01:02'];

async function takePhoto(format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'): Promise<Buffer> {
  return drawPicture(300, 200, () => [224, 16, 32])
    .removeAlpha()
    .withExif({ IFD0: { Copyright: 'A photographer' }, IFD3: { GPSDateStamp: '2026:01:02' } })
    .withMetadata({ orientation: 6 })
    .withXmp(XMP)
    .toFormat(format)
    .toBuffer();
}

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const FILM = Buffer.concat([
  box('ftyp', Buffer.from('isom\0\0\0\0isommp42')),
  box('moov', box('udta', box('\u00a9xyz', Buffer.from('\0\x12\x15\xc7+52.5163+013.3777/', 'latin1')))),
  box('mdat', randomBytes(5000)),
]);

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" viewBox="0 0 4 2"><script>alert(1)</script><rect/></svg>';

describe('an upload', () => {
  let uploads: Uploads;

  beforeAll(async () => {
    uploads = await openUploads('folder');
  });

  afterAll(async () => {
    await uploads[Symbol.asyncDispose]();
  });

  test.each([
    ['brochure.pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf', 'brochure.pdf'],
    ['notes.md', Buffer.from('# Notes\n'), 'text/markdown', 'notes.md'],
    ['unknown.xyz', Buffer.from([1, 0, 2, 0]), 'application/octet-stream', 'unknown.xyz'],
    ['a.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), 'application/zip', 'a.zip'],
  ])('is stored unchanged if it is %s', async (name, bytes, type, fileName) => {
    await using file = await take(uploads, bytes, name);
    expect(file).toMatchObject({
      sha256: digest(bytes),
      bytes: bytes.length,
      type,
      extension: fileName.split('.').at(-1),
      fileName,
      width: null,
      height: null,
      placeholder: null,
      colour: null,
    });
    expect(await readStored(uploads, file.sha256)).toEqual(bytes);
  });

  test.each([
    ['jpeg', 'jpg', 'image/jpeg'],
    ['png', 'png', 'image/png'],
    ['webp', 'webp', 'image/webp'],
    ['tiff', 'tif', 'image/tiff'],
    ['avif', 'avif', 'image/avif'],
  ] as const)('loses its location and keeps everything else if it is a %s photo', async (format, extension, type) => {
    const photo = await takePhoto(format);
    await using file = await take(uploads, photo, 'The gate');
    expect(file).toMatchObject({ type, extension, fileName: `The-gate.${extension}`, bytes: photo.length });
    expect([file.width, file.height].toSorted()).toEqual([200, 300]);
    const stored = await readStored(uploads, file.sha256);
    expect(digest(stored)).toBe(file.sha256);
    expect(SECRETS.some((secret) => photo.includes(secret))).toBe(true);
    expect(SECRETS.some((secret) => stored.includes(secret))).toBe(false);
    // In PNG, XMP is compressed and cannot be changed in place.
    expect(stored.includes(format === 'png' ? 'A photographer' : 'The Gate')).toBe(true);
    await using kept = await take(uploads, photo, 'The gate', { keepsLocation: true });
    expect(kept.sha256).toBe(digest(photo));
  });

  test('has a placeholder, a colour and its displayed dimensions if it is a photo', async () => {
    await using file = await take(uploads, await takePhoto('png'), 'red.png');
    expect(file).toMatchObject({ width: 200, height: 300, colour: '#e01020' });
    const average = thumbHashToAverageRGBA(Buffer.from(file.placeholder ?? '', 'base64'));
    expect(average.r).toBeGreaterThan(0.7);
    expect(average.b).toBeLessThan(0.3);
  });

  test('loses its location data if it is a video', async () => {
    await using file = await take(uploads, FILM, 'holiday.mp4');
    expect(file).toMatchObject({ type: 'video/mp4', bytes: FILM.length, width: null });
    expect((await readStored(uploads, file.sha256)).includes('+52.5163')).toBe(false);
  });

  test('has the size of one frame if it is an animation', async () => {
    const bytes = await drawAnimation(40, 30, [RED, GREEN]).gif().toBuffer();
    await using file = await take(uploads, bytes, 'a.gif');
    expect(file).toMatchObject({ type: 'image/gif', width: 40, height: 30, sha256: digest(bytes) });
  });

  test('is stored without its scripts if it is an SVG image', async () => {
    await using file = await take(uploads, Buffer.from(SVG), 'logo.svg');
    const stored = await readStored(uploads, file.sha256);
    expect(stored.includes('alert')).toBe(false);
    expect(file).toMatchObject({
      ...{ type: 'image/svg+xml', extension: 'svg', fileName: 'logo.svg', width: 151, height: 76, placeholder: null },
      ...{ bytes: stored.length, sha256: digest(stored) },
    });
  });

  test('may have as many pixels as the limit allows, but not more', async () => {
    const bytes = await drawQuarters(101, 100);
    await using file = await take(uploads, bytes, 'a.png', { mostPixels: 10_100 });
    expect(file.width).toBe(101);
    expect(await refuse(uploads, bytes, 'a.png', { mostPixels: 10_099 })).toMatchObject({
      code: 'too_many_pixels',
      message: 'The picture has 10,100 pixels. At most 10,099 are allowed.',
    });
  });
});

describe.each(['folder', 'bucket'] satisfies StoreKind[])('an upload to a %s', (kind) => {
  let uploads: Uploads;

  beforeAll(async () => {
    uploads = await openUploads(kind);
  });

  afterEach(async () => {
    expect(await uploads.listTemporary()).toEqual([]);
  });

  afterAll(async () => {
    await uploads[Symbol.asyncDispose]();
  });

  test('is stored without its location', async () => {
    await using file = await take(uploads, await takePhoto('jpeg'), 'gate.jpg');
    const stored = await readStored(uploads, file.sha256);
    expect(digest(stored)).toBe(file.sha256);
    expect(SECRETS.some((secret) => stored.includes(secret))).toBe(false);
  });

  test('is stored unchanged if it is several megabytes in size, whatever the size of its chunks', async () => {
    const bytes = randomBytes(9 * MEGABYTE + 17);
    for (const size of kind === 'folder' ? [1000, 70_000, 3 * MEGABYTE, bytes.length] : [70_000]) {
      const taken = await takeFile(uploads.tools, split(bytes, size), 'noise.bin', RULES);
      if (!taken.ok) throw new Error(taken.problem.message);
      await using file = taken.value;
      expect([file.sha256, file.bytes]).toEqual([digest(bytes), bytes.length]);
      expect((await readStored(uploads, file.sha256)).equals(bytes)).toBe(true);
      await uploads.tools.store.remove(file.sha256, FUTURE);
    }
  });

  test('may be as large as the limit, but not larger', async () => {
    const bytes = randomBytes(2 * MEGABYTE);
    await using file = await take(uploads, bytes, 'a.bin', { mostBytes: bytes.length });
    expect(file.bytes).toBe(bytes.length);
    expect(await refuse(uploads, randomBytes(2 * MEGABYTE + 1), 'a.bin', { mostBytes: bytes.length })).toEqual({
      code: 'too_large',
      message: 'The file is too large. The limit is 2 MB.',
      values: { limit: bytes.length },
    });
  });

  test('is stored again if it was removed before its record was committed', async () => {
    const bytes = randomBytes(1000);
    await using file = await take(uploads, bytes, 'a.bin');
    expect(await uploads.tools.store.remove(file.sha256, FUTURE)).toBe(true);
    expect(await uploads.tools.store.has(file.sha256)).toBe(false);
    await file.ensureStored();
    await file.ensureStored();
    expect((await readStored(uploads, file.sha256)).equals(bytes)).toBe(true);
    // Afterwards, only this upload's temporary file remains.
    expect(await uploads.listTemporary()).toHaveLength(1);
  });

  test('leaves nothing behind if its source fails', async () => {
    const stored = await listStored(uploads);
    const failing = (async function* () {
      yield randomBytes(3 * MEGABYTE);
      throw new Error('The connection was lost');
    })();
    await expect(takeFile(uploads.tools, failing, 'a.bin', RULES)).rejects.toThrow('The connection was lost');
    expect(await listStored(uploads)).toEqual(stored);
  });

  test('leaves nothing behind if the client disconnects', async () => {
    const stored = await listStored(uploads);
    const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
    const server = createServer((received) => resolve(takeFile(uploads.tools, received, 'a.bin', RULES).catch(String)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, method: 'POST', headers: { 'content-length': 10 * MEGABYTE } });
    sent.on('error', () => {});
    sent.write(randomBytes(MEGABYTE));
    await expect.poll(() => uploads.listTemporary()).toHaveLength(1);
    sent.destroy();
    expect(await outcome).toContain('aborted');
    server.close();
    expect(await listStored(uploads)).toEqual(stored);
  });

  test('stops reading its source once it is too large', async () => {
    let chunks = 0;
    let isReturned = false;
    const endless = (async function* () {
      try {
        for (;;) {
          chunks += 1;
          yield Buffer.alloc(MEGABYTE);
        }
      } finally {
        isReturned = true;
      }
    })();
    const taken = await takeFile(uploads.tools, endless, 'a.bin', { ...RULES, mostBytes: 5 * MEGABYTE });
    expect([taken.ok, chunks, isReturned]).toEqual([false, 6, true]);
  });

  test('is stored only once if the same file is uploaded twice at the same time', async () => {
    const bytes = randomBytes(MEGABYTE);
    const files = await Promise.all([1, 2, 3].map(() => take(uploads, bytes, 'a.bin')));
    expect(new Set(files.map(({ sha256 }) => sha256))).toEqual(new Set([digest(bytes)]));
    for (const file of files) await file[Symbol.asyncDispose]();
    expect((await listStored(uploads)).filter((each) => each === digest(bytes))).toHaveLength(1);
    expect((await readStored(uploads, digest(bytes))).equals(bytes)).toBe(true);
  });
});

describe('the name of an upload', () => {
  let uploads: Uploads;
  let png: Buffer;
  let file: TakenFile | undefined;

  beforeAll(async () => {
    uploads = await openUploads('folder');
    png = await drawQuarters(4, 4);
  });

  afterEach(async () => {
    await file?.[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await uploads[Symbol.asyncDispose]();
  });

  test.each([
    ['../../etc/passwd', 'passwd.png'],
    ['..\\..\\windows\\system32\\a.dll', 'a.png'],
    ['', 'file.png'],
    ['..', 'file.png'],
    ['/', 'file.png'],
    ['.htaccess', 'file.png'],
    ['photo.png\0.exe', 'photo-png.png'],
    ['photo.html', 'photo.png'],
    ['photo.PNG', 'photo.png'],
    ['<script>alert(1)</script>.png', 'script.png'],
    ['صورة\u202Egpj.png', 'صورةgpj.png'],
    ['写真 🎉.png', '写真.png'],
    ['🎉.png', 'file.png'],
    ['CON.png', 'CON-file.png'],
    [`${'a'.repeat(1000)}.png`, `${'a'.repeat(116)}.png`],
  ])('"%s" becomes "%s"', async (name, expected) => {
    file = await take(uploads, png, name);
    expect([file.fileName, file.extension]).toEqual([expected, 'png']);
  });
});

describe('the files of an upload', () => {
  test('can be read only by the service and its group', async () => {
    await using uploads = await openUploads('folder');
    await using file = await take(uploads, Buffer.from('%PDF-1.7\n'), 'a.pdf');
    const { store } = uploads.tools;
    const [temporary = ''] = await uploads.listTemporary();
    for (const path of [
      join(store.incoming ?? '', temporary),
      join(store.incoming ?? '', '../files', file.sha256.slice(0, 2), file.sha256),
    ]) {
      expect((await stat(path)).mode & 0o137).toBe(0);
    }
  });

  test('are in a private local folder if the store is a bucket', async () => {
    await using uploads = await openUploads('bucket');
    await using _file = await take(uploads, Buffer.from('%PDF-1.7\n'), 'a.pdf');
    const [temporary = ''] = await uploads.listTemporary();
    const path = join(uploads.tools.folder, temporary);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(String(await readFile(join(path, 'file')))).toBe('%PDF-1.7\n');
  });
});

describe('pictures that Galley cannot decode', () => {
  test('are stored like other files if Galley can decode only some pictures of their type', async () => {
    await using uploads = await openUploads('folder');
    const avif = await sharp(await drawQuarters(64, 64))
      .avif()
      .toBuffer();
    // The same container, with a compression method that Galley cannot read.
    const heic = Buffer.from(
      avif.toString('latin1').replace('ftypavif', 'ftypheic').replaceAll('av01', 'hvc1').replaceAll('av1C', 'hvcC'),
      'latin1',
    );
    await using file = await take(uploads, heic, 'IMG_0001.HEIC');
    expect(file).toMatchObject({
      ...{ type: 'image/heic', fileName: 'IMG_0001.heic', width: null, height: null, placeholder: null, colour: null },
      sha256: digest(heic),
    });
  });
});
