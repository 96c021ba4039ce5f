// Extracts the facts that a plan needs from a file. Only the header is decoded, so a small file that claims a huge size costs nothing.

import sharp, { type Metadata } from 'sharp';
import { fail, ok, type Result } from '../content/result.ts';
import type { ImageSource, SourceFormat } from './image-source.ts';
import { type ImageInput, tryToRead, type UnreadableImage } from './render-image.ts';

export async function readImageSource(input: ImageInput): Promise<Result<ImageSource, UnreadableImage>> {
  // The caller refuses pictures that are too large, with a better message.
  const read = await tryToRead(() => sharp(input, { limitInputPixels: false }).metadata());
  if (!read.ok) return read;
  const metadata = read.value;
  const format = findFormat(metadata);
  if (format === undefined) return fail({ detail: `Pictures in ${metadata.format} format cannot be transformed` });
  const { orientation = 1, pages = 1, space } = metadata;
  return ok(
    Object.freeze({
      format,
      width: metadata.autoOrient.width,
      height: metadata.autoOrient.height,
      orientation,
      pages,
      hasAlpha: metadata.hasAlpha,
      isGreyscale: space === 'b-w' || space === 'grey16',
    }),
  );
}

/** SVG contains drawing instructions, and the other formats that libvips may read are not meant for the web. */
function findFormat({ format, compression }: Metadata): SourceFormat | undefined {
  switch (format) {
    case 'jpeg':
    case 'png':
    case 'webp':
    case 'gif':
    case 'tiff':
      return format;
    case 'heif':
      return compression === 'av1' ? 'avif' : 'heic';
  }
  return undefined;
}
