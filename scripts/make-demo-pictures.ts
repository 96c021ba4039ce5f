// Makes the pictures for the demo magazine, and describes them in its bundle: node scripts/make-demo-pictures.ts [FILE…]. Galley does not
// run this script, because the pictures are part of the repository. The same drawings always produce the same pictures.

import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectPicture } from '../packages/server/src/images/inspect-picture.ts';
import { DEMO_ASSETS, type DemoAsset } from './demo-pictures/demo-assets.ts';
import { LANDSCAPES } from './demo-pictures/landscapes.ts';
import type { Picture } from './demo-pictures/paper.ts';
import { PATTERNS } from './demo-pictures/patterns.ts';
import { PLANTS } from './demo-pictures/plants.ts';
import { PORTRAITS } from './demo-pictures/portraits.ts';
import { READING_ROOM } from './demo-pictures/reading-room.ts';
import { TOWN } from './demo-pictures/town.ts';
import { WORKSHOP } from './demo-pictures/workshop.ts';

const DEMO = join(import.meta.dirname, '../packages/server/demo');
const BUNDLE = join(DEMO, 'magazine.ndjson');
const FILES = join(DEMO, 'files');
const QUALITY = 56;
const MOST_PIXELS = 10_000_000;

const wanted = process.argv.slice(2);
await mkdir(FILES, { recursive: true });
for (const picture of [...LANDSCAPES, ...TOWN, ...WORKSHOP, ...READING_ROOM, ...PLANTS, ...PATTERNS, ...PORTRAITS]) {
  if (wanted.length > 0 && !wanted.includes(picture.file)) continue;
  console.log(`${picture.file}: ${Math.round((await save(picture)) / 1024)} KB`);
}
await describePictures();

async function save(picture: Picture): Promise<number> {
  const { file, width, height, quality = QUALITY } = picture;
  const path = join(FILES, file);
  const pixels = await picture.render(width, height);
  const encoded = file.endsWith('.png')
    ? pixels.png({ palette: true, colours: 64, dither: 0, compressionLevel: 9, effort: 10 })
    : pixels.jpeg({ quality, mozjpeg: true });
  await encoded.toFile(path);
  return (await stat(path)).size;
}

/** Replaces the asset records in the bundle. All other records stay as they are. */
async function describePictures(): Promise<void> {
  const lines = (await readFile(BUNDLE, 'utf8')).trimEnd().split('\n');
  const isAsset = (text: string): boolean => text.startsWith('{"kind":"asset",');
  const first = lines.findIndex(isAsset);
  const others = lines.filter((text) => !isAsset(text));
  const assets: string[] = [];
  for (const asset of DEMO_ASSETS) assets.push(JSON.stringify(await describe(asset)));
  await writeFile(BUNDLE, `${others.toSpliced(first, 0, ...assets).join('\n')}\n`);
}

async function describe({ id, file, name, description, focalPoint: [x, y], folder, tags }: DemoAsset) {
  const bytes = await readFile(join(FILES, file));
  const picture = await inspectPicture(bytes, MOST_PIXELS);
  if (!picture.ok) throw new Error(`${file} is not a picture: ${picture.problem.code}`);
  const { width, height, placeholder, colour } = picture.value;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    ...{ kind: 'asset', id, site: 's_demo', name, description, file: `files/${file}`, sha256, width, height },
    ...{ placeholder, colour, focal_point: { x, y }, folder, tags },
  };
}
