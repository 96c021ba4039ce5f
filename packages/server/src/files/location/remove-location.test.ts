import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBufferSource } from '../byte-source.fixture.ts';
import { box, repeatPlace } from './boxes.fixture.ts';
import { arrangeEdits, type Edit } from './edits.ts';
import { canFindLocation, findLocation } from './remove-location.ts';

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="52,31.1N" exif:GPSLongitude='13,24.5E' dc:format="image/jpeg"
  drone-dji:GpsLatitude="+52.51"><exif:GPSAltitude>4711/13</exif:GPSAltitude><exif:GPSMapDatum rdf:resource="x"/>
  <dc:title>The Gate</dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** Each of these appears in the file only as part of its GPS data. */
const SECRETS = ['52,31.1N', '13,24.5E', '+52.51', '4711/13', 'GPSMapDatum', '2026:01:02', 'GALILEO'];
const KEPT = ['The Gate', 'image/jpeg', 'A photographer'];
/** The numbers 4711 and 13, as in a latitude of 4711/13, in both byte orders. */
const NUMBERS = ['671200000d000000', '000012670000000d'].map((text) => Buffer.from(text, 'hex'));

async function takePicture(format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 120, height: 80, channels: 3, background: '#fff', noise } })
    .withExif({
      IFD0: { Copyright: 'A photographer' },
      IFD2: { LensModel: '50 mm' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '4711/13 30/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
        GPSDateStamp: '2026:01:02',
        GPSProcessingMethod: 'GALILEO',
      },
    })
    .withMetadata({ orientation: 6 })
    .withXmp(XMP)
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer();
}

function removeLocation(bytes: Buffer, type: string): Buffer {
  return applyEdits(bytes, find(bytes, type));
}

function applyEdits(before: Buffer, edits: readonly Edit[]): Buffer {
  const after = Buffer.from(before);
  for (const { offset, bytes } of edits) after.set(bytes, offset);
  return after;
}

function find(bytes: Buffer, type: string): readonly Edit[] {
  const found = findLocation(openBufferSource(bytes), type);
  if (!found.ok) throw new Error(found.problem);
  return found.value;
}

function findSecrets(bytes: Buffer): readonly string[] {
  const numbers = NUMBERS.filter((number) => bytes.includes(number)).map((number) => number.toString('hex'));
  return [...SECRETS.filter((secret) => bytes.includes(secret)), ...numbers];
}

describe.each([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['tiff', 'image/tiff'],
  ['avif', 'image/avif'],
] as const)('a photo in %s', (format, type) => {
  let before: Buffer;
  let after: Buffer;

  beforeAll(async () => {
    before = await takePicture(format);
    after = removeLocation(before, type);
  });

  test('loses its GPS data', () => {
    expect(findSecrets(before)).not.toEqual([]);
    expect(findSecrets(after)).toEqual([]);
  });

  test('keeps its length, its pixels, its orientation, its profile and all other metadata', async () => {
    expect(after.length).toBe(before.length);
    const [first, second] = await Promise.all([before, after].map((bytes) => sharp(bytes).raw().toBuffer()));
    expect(second?.equals(first ?? Buffer.of())).toBe(true);
    const [was, is] = await Promise.all([sharp(before).metadata(), sharp(after).metadata()]);
    expect(is.orientation).toBe(was.orientation);
    expect(is.icc).toEqual(was.icc);
    expect(is.exif?.length).toBe(was.exif?.length);
    for (const text of KEPT) expect(after.includes(text)).toBe(before.includes(text));
  });

  test('does not change when its GPS data is removed again', () => {
    expect(find(after, type)).toEqual([]);
    expect(after.equals(removeLocation(after, type))).toBe(true);
  });

  test('does not change if it has no GPS data', async () => {
    const plain = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#fff' } })
      .withExif({ IFD0: { Copyright: 'A photographer' } })
      .toFormat(format)
      .toBuffer();
    expect(find(plain, type)).toEqual([]);
  });

  test('can be truncated or damaged without causing an error', () => {
    for (let length = 0; length < before.length; length += 61) {
      expect(removeLocation(before.subarray(0, length), type).length).toBe(length);
    }
    const damages = fc.array(fc.tuple(fc.nat({ max: before.length - 1 }), fc.nat({ max: 255 })), { maxLength: 20 });
    fc.assert(
      fc.property(damages, (places) => {
        const damaged = Buffer.from(before);
        for (const [at, value] of places) damaged[at] = value;
        for (const { offset, bytes } of find(damaged, type))
          expect(offset + bytes.length).toBeLessThanOrEqual(damaged.length);
      }),
      { numRuns: 300 },
    );
  });
});

test('a JPEG keeps metadata that contains no location', async () => {
  const after = removeLocation(await takePicture('jpeg'), 'image/jpeg');
  for (const text of [...KEPT, '50 mm']) expect(after.includes(text)).toBe(true);
  expect((await sharp(after).metadata()).orientation).toBe(6);
});

/** The tags of the first EXIF directory in a JPEG. sharp writes it in little-endian order. */
async function listTags(photo: Buffer): Promise<readonly number[]> {
  const { exif = Buffer.of() } = await sharp(photo).metadata();
  const tiff = exif.subarray(6);
  const directory = tiff.readUInt32LE(4);
  const count = tiff.readUInt16LE(directory);
  return Array.from({ length: count }, (_, index) => tiff.readUInt16LE(directory + 2 + index * 12));
}

test('a JPEG keeps no trace of having had GPS data', async () => {
  const before = await takePicture('jpeg');
  const tags = await listTags(before);
  expect(tags).toContain(0x8825);
  expect(await listTags(removeLocation(before, 'image/jpeg'))).toEqual(tags.filter((tag) => tag !== 0x8825));
});

test('a TIFF loses its GPS directory', async () => {
  // EXIF is a TIFF file without a picture; six bytes precede it in JPEG.
  const { exif = Buffer.of() } = await sharp(await takePicture('jpeg')).metadata();
  const before = exif.subarray(6);
  expect(findSecrets(before)).not.toEqual([]);
  const after = removeLocation(before, 'image/tiff');
  expect(findSecrets(after)).toEqual([]);
  expect(after.includes('A photographer')).toBe(true);
});

test('a second picture in the same JPEG file loses its GPS data too', async () => {
  const photo = await takePicture('jpeg');
  const after = removeLocation(Buffer.concat([photo, photo]), 'image/jpeg');
  expect(findSecrets(after)).toEqual([]);
  expect(after.length).toBe(photo.length * 2);
});

test('extended XMP in a JPEG is removed entirely if it has GPS data', async () => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  function extend(text: string): Buffer {
    const head = Buffer.concat([Buffer.from('http://ns.adobe.com/xmp/extension/\0'), Buffer.alloc(40, '0')]);
    const body = Buffer.concat([Buffer.alloc(4), head, Buffer.from(text)]);
    body.writeUInt16BE(0xffe1, 0);
    body.writeUInt16BE(body.length - 2, 2);
    return body;
  }
  // The property's name is split across the segments.
  const segments = [extend('<a exif:GP'), extend('SLatitude="52,31.1N"/>')];
  const after = removeLocation(Buffer.concat([photo.subarray(0, 2), ...segments, photo.subarray(2)]), 'image/jpeg');
  expect(findSecrets(after)).toEqual([]);
  const harmless = Buffer.concat([photo.subarray(0, 2), extend('<a depth="1"/>'), photo.subarray(2)]);
  expect(removeLocation(harmless, 'image/jpeg').equals(harmless)).toBe(true);
});

test('a compressed XMP chunk in a PNG is removed entirely', async () => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const body = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), deflateSync(XMP)]);
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('iTXt'), body, Buffer.alloc(4)]);
  chunk.writeUInt32BE(body.length);
  // The chunk comes after the signature and the header.
  const before = Buffer.concat([photo.subarray(0, 33), chunk, photo.subarray(33)]);
  const after = removeLocation(before, 'image/png');
  expect(after.includes('com.adobe.xmp')).toBe(false);
  expect(await sharp(after, { failOn: 'warning' }).raw().toBuffer()).toEqual(await sharp(photo).raw().toBuffer());
});

describe('a video', () => {
  const PLACE = '+52.5163+013.3777/';
  const zero = Buffer.alloc(4);
  const one = Buffer.from([0, 0, 0, 1]);

  function film(...inside: readonly Buffer[]): Buffer {
    return Buffer.concat([box('ftyp', 'qt  '), box('mdat', 'frames'), box('moov', box('mvhd', zero), ...inside)]);
  }

  test.each([
    ['a separate box', film(box('udta', box('©xyz', `\0\x12\x15\xc7${PLACE}`), box('©nam', 'A film')))],
    ['a box inside a track', film(box('trak', box('udta', box('loci', PLACE))), box('udta', box('©nam', 'A film')))],
    [
      'a named value',
      film(
        box(
          'meta',
          box(
            'keys',
            zero,
            Buffer.from([0, 0, 0, 2]),
            box('mdta', 'com.apple.title'),
            box('mdta', 'com.apple.quicktime.location.ISO6709'),
          ),
          box(
            'ilst',
            box('\0\0\0\x01', box('data', one, zero, 'A film')),
            box('\0\0\0\x02', box('data', one, zero, PLACE)),
          ),
        ),
      ),
    ],
    [
      'an iTunes value',
      film(
        box('udta', box('meta', zero, box('ilst', box('©xyz', box('data', one, zero, PLACE)), box('©nam', 'A film')))),
      ),
    ],
  ])('loses the location in %s', (_name, before) => {
    expect(before.includes(PLACE)).toBe(true);
    const after = removeLocation(before, 'video/quicktime');
    expect(after.includes('52.5163')).toBe(false);
    expect(after.includes('A film')).toBe(true);
    expect(after.includes('frames')).toBe(true);
    expect(after.length).toBe(before.length);
  });

  test('can claim any size for its boxes without causing an error', () => {
    const huge = Buffer.from(film(box('udta', box('loci', PLACE))));
    for (let at = 0; at + 4 < huge.length; at += 1) {
      for (const size of [0, 1, 7, 2 ** 31, 2 ** 32 - 1]) {
        const damaged = Buffer.from(huge);
        damaged.writeUInt32BE(size, at);
        expect(removeLocation(damaged, 'video/mp4').length).toBe(huge.length);
      }
    }
  });
});

describe('hostile metadata', () => {
  const metadata = Buffer.alloc(4 * 1024 ** 2, ' ');
  metadata.write('g\0p\0s\0', 100, 'latin1');

  test('is searched once if it refers to the same bytes several times', () => {
    const edits = find(repeatPlace(20, metadata), 'image/heic');
    expect(edits.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(metadata.length);
  });

  test('is not searched if it refers to the same bytes thousands of times', () => {
    const picture = repeatPlace(65_535, metadata);
    expect(findLocation(openBufferSource(picture), 'image/heic')).toEqual({
      ok: false,
      problem: 'The file’s metadata refers to the same bytes too many times.',
    });
  });

  test('is read only once if it is in nested JPEG segments', () => {
    const segment = Buffer.concat([
      Buffer.from('ffe1ffff', 'hex'),
      Buffer.from('http://ns.adobe.com/xmp/extension/\0'),
    ]);
    const photo = Buffer.concat([...Array.from({ length: 50_000 }, () => segment), Buffer.from('exif:GPSLatitude')]);
    expect(removeLocation(photo, 'image/jpeg').includes('GPSLatitude')).toBe(false);
  });
});

test('reports which types it can search', () => {
  expect(canFindLocation('image/jpeg')).toBe(true);
  expect(canFindLocation('video/mp4')).toBe(true);
  expect(canFindLocation('image/gif')).toBe(false);
  expect(canFindLocation('application/pdf')).toBe(false);
  expect(canFindLocation('constructor')).toBe(false);
});

test('overlapping edits are applied once', () => {
  const edits = arrangeEdits([
    { offset: 4, bytes: Buffer.from('BBBB') },
    { offset: 2, bytes: Buffer.from('AAAA') },
    { offset: 3, bytes: Buffer.from('C') },
  ]);
  expect(applyEdits(Buffer.from('0123456789'), edits).toString()).toBe('01AAAABB89');
});

test('XMP that sharp wrote into a PNG is removed', async () => {
  const before = await takePicture('png');
  expect((await sharp(before).metadata()).xmp?.toString()).toContain('52,31.1N');
  const after = removeLocation(before, 'image/png');
  expect((await sharp(after).metadata()).xmp).toBeUndefined();
  expect(await sharp(after).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
});
