// Makes the pictures of the demo magazine: node scripts/make-demo-pictures.ts [FILE…]. Galley does not run this; the pictures are part of the
// repository. The same drawings always give the same pictures.

import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { LANDSCAPES } from './demo-pictures/landscapes.ts';
import type { Picture } from './demo-pictures/paper.ts';
import { PATTERNS } from './demo-pictures/patterns.ts';
import { PORTRAITS } from './demo-pictures/portraits.ts';
import { TOWN } from './demo-pictures/town.ts';
import { WORKSHOP } from './demo-pictures/workshop.ts';

const FOLDER = join(import.meta.dirname, '../packages/server/demo/files');
const QUALITY = 74;

// Other versions of libvips may encode differently on several threads.
sharp.concurrency(1);
const wanted = process.argv.slice(2);
const pictures = [...LANDSCAPES, ...TOWN, ...WORKSHOP, ...PATTERNS, ...PORTRAITS];
await mkdir(FOLDER, { recursive: true });
for (const picture of pictures) {
  if (wanted.length > 0 && !wanted.includes(picture.file)) continue;
  console.log(`${picture.file}: ${Math.round((await save(picture)) / 1024)} KB`);
}

async function save(picture: Picture): Promise<number> {
  const { file, width, height, quality = QUALITY } = picture;
  const path = join(FOLDER, file);
  const pixels = await picture.render(width, height);
  const encoded = file.endsWith('.png')
    ? pixels.png({ palette: true, colours: 128, dither: 0, compressionLevel: 9, effort: 10 })
    : pixels.jpeg({ quality, mozjpeg: true });
  await encoded.toFile(path);
  return (await stat(path)).size;
}
