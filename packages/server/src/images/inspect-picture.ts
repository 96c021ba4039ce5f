// Reads what a picture looks like: its size as a viewer sees it, a placeholder, and its dominant colour. Hostile files give a problem.

import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { fail, ok, type Result } from '../content/result.ts';
import type { ImageInput } from './render-image.ts';

export interface Picture {
  readonly format: string;
  /** Width and height after the rotation that the file asks for. */
  readonly width: number;
  readonly height: number;
  /** More than one if the picture is animated or has several pages. */
  readonly pages: number;
  readonly hasAlpha: boolean;
  /** A ThumbHash in base64. */
  readonly placeholder: string;
  /** As `#rrggbb`; null if the picture is entirely transparent. */
  readonly colour: string | null;
}

export type PictureProblem =
  /** The text is for logs: it may contain paths. */
  | { readonly code: 'unreadable'; readonly detail: string }
  | { readonly code: 'too_many_pixels'; readonly pixels: number; readonly limit: number };

/** ThumbHash accepts at most this width and height. */
const THUMB_SIZE = 100;
const MOST_SECONDS = 20;
/** SVG is a program for drawing, and the other formats that libvips may read are not pictures for the web. */
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif', 'avif']);

/** Decoding runs in other threads and may take seconds. */
export async function inspectPicture(input: ImageInput, mostPixels: number): Promise<Result<Picture, PictureProblem>> {
  try {
    // Without a limit of its own, because reading the header decodes nothing; the next check gives a better answer.
    const header = await sharp(input, { limitInputPixels: false }).metadata();
    if (!FORMATS.has(header.format)) return fail({ code: 'unreadable', detail: `The format is ${header.format}` });
    const { width, height } = header.autoOrient;
    const pixels = width * height;
    if (pixels > mostPixels) return fail({ code: 'too_many_pixels', pixels, limit: mostPixels });
    const thumb = await renderThumb(input, mostPixels);
    const hash = rgbaToThumbHash(thumb.width, thumb.height, thumb.rgba);
    return ok({
      format: header.format === 'heif' && header.compression === 'av1' ? 'avif' : header.format,
      width,
      height,
      pages: header.pages ?? 1,
      hasAlpha: header.hasAlpha,
      placeholder: Buffer.from(hash).toString('base64'),
      colour: findDominantColour(thumb.rgba),
    });
  } catch (error) {
    // libvips reports damaged files only with messages. A missing file is our fault.
    if (!(error instanceof Error) || /^Input file is missing/.test(error.message)) throw error;
    return fail({ code: 'unreadable', detail: error.message });
  }
}

interface Thumb {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
}

async function renderThumb(input: ImageInput, mostPixels: number): Promise<Thumb> {
  // As sensitive to damage as `renderImage`, so that every picture that is accepted can be rendered later.
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

/** The average of the most frequent of 4,096 colours. Transparent pixels do not count. */
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
