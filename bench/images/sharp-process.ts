// The baseline for new images: sharp without a service around it. The parent process sends it jobs, and receives their
// durations.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageJob } from './image-jobs.ts';

export interface SharpOrder {
  readonly picture: string;
  readonly folder: string;
  readonly jobs: readonly ImageJob[];
  /** How many jobs run at the same time. */
  readonly atOnce: number;
}

export interface SharpOutcome {
  readonly seconds: number;
  readonly bytes: number;
}

// Like the service, the baseline does not keep decoded pictures.
sharp.cache(false);

process.on('message', async (order: SharpOrder) => {
  // Loads the picture into the system's file cache, where the service also finds its picture.
  readFileSync(order.picture);
  const waiting = [...order.jobs];
  const startedAt = performance.now();
  let bytes = 0;
  async function work(): Promise<void> {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) bytes += await run(order, job);
  }
  await Promise.all(Array.from({ length: order.atOnce }, work));
  process.send?.({ seconds: (performance.now() - startedAt) / 1000, bytes } satisfies SharpOutcome);
});

/** Like the service, the baseline writes the image to a file and sends it from there. */
async function run({ picture, folder }: SharpOrder, { width, quality, format }: ImageJob): Promise<number> {
  const resized = sharp(picture, { failOn: 'error' }).rotate().resize(width);
  const encoded = format === 'jpg' ? resized.jpeg({ quality }) : resized.webp({ quality });
  const image = await encoded.toBuffer();
  await writeFile(join(folder, `${width}-${quality}.${format}`), image);
  return image.length;
}

process.on('disconnect', () => process.exit(0));
