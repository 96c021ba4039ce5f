// The pictures used in the measurements: large JPEG files that look like photos to an encoder, with detail everywhere.

import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const QUALITY = 88;
/** The noise is drawn at this fraction of the size and then enlarged, so it looks like detail, not grain. */
const GRAIN = 3;

export async function makePicture({ width, height }: Size): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 48 } as const;
  const small = { width: Math.ceil(width / GRAIN), height: Math.ceil(height / GRAIN) };
  const grain = await sharp({ create: { ...small, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  return sharp(grain)
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .blur(1.2)
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

const START_OF_IMAGE = 2;
const COMMENT = 0xfffe;

/** The same picture with a comment, so its file is different. */
export function addComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(COMMENT, 0);
  head.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, START_OF_IMAGE), head, comment, jpeg.subarray(START_OF_IMAGE)]);
}

export async function writePicture(path: string, size: Size): Promise<Buffer> {
  const bytes = await makePicture(size);
  writeFileSync(path, bytes);
  return bytes;
}
