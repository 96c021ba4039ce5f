// Reads from a file what a plan needs to know. Only the header is decoded, so that a small file that claims a huge picture costs nothing.

import sharp, { type Metadata } from 'sharp';
import { fail, ok, type Result } from '../content/result.ts';
import type { ImageSource, SourceFormat } from './image-source.ts';
import type { ImageInput, UnreadableImage } from './render-image.ts';

export async function readImageSource(input: ImageInput): Promise<Result<ImageSource, UnreadableImage>> {
  let metadata: Metadata;
  try {
    // Planning refuses pictures that are too large, with a better message.
    metadata = await sharp(input, { limitInputPixels: false }).metadata();
  } catch (error) {
    if (!(error instanceof Error) || /^Input file is missing/.test(error.message)) throw error;
    return fail({ detail: error.message });
  }
  const format = findFormat(metadata);
  if (format === undefined) return fail({ detail: `The format ${metadata.format} is not transformed` });
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
