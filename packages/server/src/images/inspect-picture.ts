// Determines the appearance of a picture: its size as a viewer sees it, a placeholder, and its dominant colour. Hostile files are refused.

import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { fail, ok, type Result } from '../content/result.ts';
import { readImageSource } from './read-image-source.ts';
import { type ImageInput, tryToRead } from './render-image.ts';

export interface Picture {
  /** Width and height after the rotation that the file specifies. If the picture is animated, the size of one frame. */
  readonly width: number;
  readonly height: number;
  /** A ThumbHash in base64. */
  readonly placeholder: string;
  /** As `#rrggbb`; null if the picture is entirely transparent. */
  readonly colour: string | null;
}

export type PictureProblem =
  /** The text is meant only for logs, because it may contain paths. */
  | { readonly code: 'unreadable'; readonly detail: string }
  | { readonly code: 'too_many_pixels'; readonly pixels: number; readonly limit: number };

/** ThumbHash accepts at most this width and height. */
const THUMB_SIZE = 100;
const MOST_SECONDS = 20;

/** Decoding runs in other threads and may take seconds. */
export async function inspectPicture(input: ImageInput, mostPixels: number): Promise<Result<Picture, PictureProblem>> {
  const source = await readImageSource(input);
  if (!source.ok) return fail({ code: 'unreadable', detail: source.problem.detail });
  const { width, height } = source.value;
  const pixels = width * height;
  if (pixels > mostPixels) return fail({ code: 'too_many_pixels', pixels, limit: mostPixels });
  const thumb = await tryToRead(() => renderThumb(input, mostPixels));
  if (!thumb.ok) return fail({ code: 'unreadable', detail: thumb.problem.detail });
  const { width: columns, height: rows, rgba } = thumb.value;
  const placeholder = Buffer.from(rgbaToThumbHash(columns, rows, rgba)).toString('base64');
  return ok({ width, height, placeholder, colour: findDominantColour(rgba) });
}

interface Thumb {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
}

async function renderThumb(input: ImageInput, mostPixels: number): Promise<Thumb> {
  // This is as strict about damage as `renderImage`, so every picture that is accepted can be rendered later.
  const { data, info } = await sharp(input, { limitInputPixels: mostPixels, failOn: 'error', autoOrient: true })
    .timeout({ seconds: MOST_SECONDS })
    .resize({ width: THUMB_SIZE, height: THUMB_SIZE, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

interface Bin {
  weight: number;
  red: number;
  green: number;
  blue: number;
}

/** The average of the most frequent of 4,096 colours. Transparent pixels are ignored. */
function findDominantColour(rgba: Buffer): string | null {
  const bins = new Map<number, Bin>();
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha < 128) continue;
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const bin = bins.get(key) ?? { weight: 0, red: 0, green: 0, blue: 0 };
    bin.weight += 1;
    bin.red += red;
    bin.green += green;
    bin.blue += blue;
    bins.set(key, bin);
  }
  let most: Bin | undefined;
  for (const bin of bins.values()) if (most === undefined || bin.weight > most.weight) most = bin;
  if (most === undefined) return null;
  const { weight, red, green, blue } = most;
  return `#${[red, green, blue]
    .map((sum) =>
      Math.round(sum / weight)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
