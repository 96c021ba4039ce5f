// Measures the rows. Each measurement alternates with its baseline, so that other work on the machine affects both.

import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { LIST } from '../cases.ts';
import type { Load, LoadTarget } from '../load/load.ts';
import { askTwice } from '../measure-group.ts';
import { readUsage } from '../process-usage.ts';
import type { Scratch } from '../scratch.ts';
import { askForAll, askForImage, upload } from './ask.ts';
import { readChildren } from './child-processes.ts';
import { buildIpxPath, buildQuery, type ImageJob, listJobs } from './image-jobs.ts';
import type { ImageOptions } from './options.ts';
import type { PictureSite } from './picture-site.ts';
import { addComment, makePicture, type Size, writePicture } from './pictures.ts';
import { startBareSharp, startFileServer, startIpx } from './start-processes.ts';

const PICTURE: Size = { width: 2725, height: 2225 };
const LARGE_PICTURE: Size = { width: 6000, height: 4000 };
/** This many requests at a time keep the image processes busy. */
const ASKED_AT_ONCE = 4;
/** The number of image processes that the service runs. */
const MADE_AT_ONCE = Math.max(1, availableParallelism() - 1);
const FILE = 'photo.jpg';

/** One value per round. */
export interface Pair {
  readonly figures: readonly number[];
  readonly yardsticks: readonly number[];
}

export interface ImageFigures {
  readonly cold?: Readonly<Record<'jpg' | 'webp', Pair>>;
  readonly ipx?: { readonly cold: Pair; readonly repeated: Pair };
  readonly repeated?: Pair & { readonly bytes: number };
  readonly content?: { readonly perSecond: Pair; readonly p50Ms: Pair };
  readonly memory?: { readonly originals: number; readonly serviceMb: number; readonly imagesMb: number };
  readonly upload?: Pair & { readonly bytes: number };
}

type Figure<Row extends keyof ImageFigures> = NonNullable<ImageFigures[Row]>;

export interface Setting {
  readonly scratch: Scratch;
  readonly load: Load;
  readonly options: ImageOptions;
  readonly tell: (text: string) => void;
}

export async function measureImages(site: PictureSite, setting: Setting): Promise<ImageFigures> {
  const { scratch, options, tell } = setting;
  const pictures = join(scratch.folder, 'pictures');
  mkdirSync(pictures, { recursive: true });
  tell('making and uploading a picture');
  const picture = await site.add(FILE, await writePicture(join(pictures, FILE), PICTURE));
  const at = (job: ImageJob): string => `${site.galley.origin}${picture}?${buildQuery(job)}`;
  const place = { site, at, pictures };
  const figures: { -readonly [Row in keyof ImageFigures]: ImageFigures[Row] } = {};
  // The image processes start when the first image is requested.
  await askForImage(`${site.galley.origin}${picture}?w=100`);
  if (options.rows.has('cold')) figures.cold = await measureCold(place, setting);
  if (options.rows.has('ipx')) figures.ipx = await measureIpx(place, setting);
  if (options.rows.has('repeated')) figures.repeated = await measureRepeated(place, setting);
  if (options.rows.has('content')) figures.content = await measureContent(place, setting);
  let current = site;
  if (options.rows.has('upload')) figures.upload = await measureUpload(current, setting);
  if (options.rows.has('memory')) [figures.memory, current] = await measureMemory(current, setting);
  await current.galley.stop();
  return figures;
}

interface Place {
  readonly site: PictureSite;
  readonly at: (job: ImageJob) => string;
  /** The folder that contains the picture. */
  readonly pictures: string;
}

async function measureCold({ at, pictures }: Place, setting: Setting): Promise<Figure<'cold'>> {
  const { scratch, options, tell } = setting;
  tell('new images, against bare sharp');
  const sharp = startBareSharp(scratch);
  const folder = join(scratch.folder, 'bare');
  mkdirSync(folder, { recursive: true });
  const pairs = { jpg: openPair(), webp: openPair() };
  for (let round = 0; round < options.rounds; round++) {
    const jobs = listJobs(round, options.widths);
    for (const format of ['jpg', 'webp'] as const) {
      const chosen = jobs.filter((job) => job.format === format);
      const order = { picture: join(pictures, FILE), folder, jobs: chosen, atOnce: MADE_AT_ONCE };
      await alternate(
        round,
        async () => pairs[format].figures.push(await askForAll(chosen.map(at), ASKED_AT_ONCE)),
        async () => pairs[format].yardsticks.push(chosen.length / (await sharp.run(order)).seconds),
      );
    }
  }
  return pairs;
}

/** These rounds must not repeat images from earlier rows. */
const IPX_ROUNDS = 8;

async function measureIpx({ at, pictures }: Place, setting: Setting): Promise<NonNullable<ImageFigures['ipx']>> {
  const { scratch, load, options, tell } = setting;
  tell('new and repeated images, against ipx');
  const origin = await startIpx(scratch, join(options.keptIn ?? scratch.folder, 'ipx'), pictures, MADE_AT_ONCE);
  const cold = openPair();
  const repeated = openPair();
  for (let round = 0; round < options.rounds; round++) {
    const jobs = listJobs(IPX_ROUNDS + round, options.widths);
    const theirs = jobs.map((job) => `${origin}${buildIpxPath(job, FILE)}`);
    await alternate(
      round,
      async () => cold.figures.push(await askForAll(jobs.map(at), ASKED_AT_ONCE)),
      async () => cold.yardsticks.push(await askForAll(theirs, ASKED_AT_ONCE)),
    );
    const own = aimAt(jobs.map(at));
    await alternate(
      round,
      async () => repeated.figures.push(await runLoad(load, own, options.seconds)),
      // ipx has no cache, so it would finish only a few images in a round of the load tool.
      async () => repeated.yardsticks.push(await askForAll(theirs, ASKED_AT_ONCE)),
    );
  }
  return { cold, repeated };
}

const SIXTY_KB = 60_000;

async function measureRepeated({ at }: Place, setting: Setting): Promise<NonNullable<ImageFigures['repeated']>> {
  const { scratch, load, options, tell } = setting;
  tell('a repeated image, against node:http');
  const { job, image } = await findImage(at, SIXTY_KB);
  const file = join(scratch.folder, 'sixty.jpg');
  writeFileSync(file, image);
  const origin = await startFileServer(scratch, { file, type: 'image/jpeg', target: '' });
  const own = aimAt([at(job)]);
  const bare = { ...own, origin };
  const pair = openPair();
  for (const target of [own, bare]) await load.run(target, 1);
  for (let round = 0; round < options.rounds; round++) {
    await alternate(
      round,
      async () => pair.figures.push(await runLoad(load, own, options.seconds)),
      async () => pair.yardsticks.push(await runLoad(load, bare, options.seconds)),
    );
  }
  return { ...pair, bytes: image.length };
}

/** The image whose size is closest to `bytes`, with a quality that no other row uses. */
async function findImage(
  at: (job: ImageJob) => string,
  bytes: number,
): Promise<{ readonly job: ImageJob; readonly image: Buffer }> {
  let [low, high] = [50, PICTURE.width];
  while (true) {
    const width = Math.round((low + high) / 2);
    const job = { width, quality: 77, format: 'jpg' } as const;
    const { body } = await askForImage(at(job));
    if (Math.abs(body.length - bytes) < bytes / 20 || high - low < 2) return { job, image: body };
    if (body.length > bytes) high = width;
    else low = width;
  }
}

async function measureContent({ site, at }: Place, setting: Setting): Promise<Figure<'content'>> {
  const { load, options, tell } = setting;
  tell('content requests while images are being made');
  const target: LoadTarget = { ...site.site.reader, paths: [LIST], isNumbered: false };
  await askTwice(target);
  const perSecond = openPair();
  const p50Ms = openPair();
  await load.run(target, 1);
  for (let round = 0; round < options.rounds; round++) {
    await alternate(
      round,
      async () => {
        const figures = await keepBusy(at, round, () => load.run(target, options.seconds));
        perSecond.figures.push(figures.requests / figures.seconds);
        p50Ms.figures.push(figures.p50Ms);
      },
      async () => {
        const figures = await load.run(target, options.seconds);
        perSecond.yardsticks.push(figures.requests / figures.seconds);
        p50Ms.yardsticks.push(figures.p50Ms);
      },
    );
  }
  return { perSecond, p50Ms };
}

/** Keeps requesting new images until the work is done. */
async function keepBusy<Outcome>(
  at: (job: ImageJob) => string,
  round: number,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  let isOver = false;
  let next = 0;
  async function askAgain(): Promise<void> {
    while (!isOver) {
      next += 1;
      await askForImage(at({ width: 300 + next, quality: 60 + round, format: next % 2 === 0 ? 'jpg' : 'webp' }));
    }
  }
  const asking = Array.from({ length: ASKED_AT_ONCE }, askAgain);
  try {
    const outcome = await work();
    if (next <= ASKED_AT_ONCE) throw new Error('No images were made during the load test');
    return outcome;
  } finally {
    isOver = true;
    await Promise.all(asking);
  }
}

const SAMPLE_MS = 50;

async function measureMemory(
  site: PictureSite,
  { options, tell }: Setting,
): Promise<[NonNullable<ImageFigures['memory']>, PictureSite]> {
  tell(`uploading ${options.originals} 24-megapixel pictures`);
  const large = await makePicture(LARGE_PICTURE);
  const paths: string[] = [];
  for (let number = 0; number < options.originals; number++) {
    paths.push(await site.add(`large-${number}.jpg`, addComment(large, `number ${number}`)));
  }
  // Memory used by the uploads must not be counted.
  const fresh = await site.restart();
  tell('memory while they wait');
  let [serviceMb, imagesMb] = [0, 0];
  const sampling = setInterval(() => {
    serviceMb = Math.max(serviceMb, readUsage(fresh.galley.pid)?.residentMb ?? 0);
    const children = readChildren(fresh.galley.pid);
    imagesMb = Math.max(
      imagesMb,
      children.reduce((sum, pid) => sum + (readUsage(pid)?.residentMb ?? 0), 0),
    );
  }, SAMPLE_MS);
  try {
    await Promise.all(paths.map((path) => askForImage(`${fresh.galley.origin}${path}?w=720`)));
  } finally {
    clearInterval(sampling);
  }
  return [{ originals: options.originals, serviceMb, imagesMb }, fresh];
}

const BLOCK_BYTES = 1024 * 1024;

async function measureUpload(site: PictureSite, setting: Setting): Promise<NonNullable<ImageFigures['upload']>> {
  const { scratch, options, tell } = setting;
  tell('an upload, against node:http');
  const bytes = options.uploadBytes;
  const target = join(scratch.folder, 'piped');
  const origin = await startFileServer(scratch, { file: '', type: '', target });
  const pair = openPair();
  const order = { name: 'large.bin', type: 'application/octet-stream', bytes };
  for (let round = 0; round < options.rounds; round++) {
    const megabytes = bytes / 1e6;
    await alternate(
      round,
      async () => {
        const body = listBlocks(bytes, 2 * round);
        const { seconds } = await upload({ ...order, url: site.uploadUrl, headers: site.headers, body });
        pair.figures.push(megabytes / seconds);
      },
      async () => {
        const body = listBlocks(bytes, 2 * round + 1);
        const { seconds } = await upload({ ...order, url: `${origin}/`, headers: {}, body });
        pair.yardsticks.push(megabytes / seconds);
      },
    );
  }
  return { ...pair, bytes };
}

/** Each number produces a different file. The first bytes match no known type. */
async function* listBlocks(bytes: number, number: number): AsyncGenerator<Buffer> {
  const block = Buffer.alloc(BLOCK_BYTES, `galley ${number} `);
  for (let sent = 0; sent < bytes; sent += BLOCK_BYTES) yield block.subarray(0, Math.min(BLOCK_BYTES, bytes - sent));
}

function openPair(): { readonly figures: number[]; readonly yardsticks: number[] } {
  return { figures: [], yardsticks: [] };
}

/** The order alternates, so a machine that becomes slower or faster favours neither side. */
async function alternate(round: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<void> {
  for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) await side();
}

function aimAt(urls: readonly string[]): LoadTarget {
  const [first = ''] = urls;
  const { origin } = new URL(first);
  return { origin, headers: {}, paths: urls.map((url) => url.slice(origin.length)), isNumbered: false };
}

async function runLoad(load: Load, target: LoadTarget, seconds: number): Promise<number> {
  const figures = await load.run(target, seconds);
  return figures.requests / figures.seconds;
}
