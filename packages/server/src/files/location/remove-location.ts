// Removes GPS data from pictures and videos without decoding them: the file keeps its length, and no pixel changes. Place names that
// people have entered as text, such as a city, are kept, and so are camera makers' private notes.

import { fail, ok, type Result } from '../../content/result.ts';
import type { ByteSource } from '../byte-source.ts';
import { arrangeEdits, type Edit } from './edits.ts';
import { findExifLocation } from './exif-location.ts';
import { findHeifLocation } from './heif-location.ts';
import { findMovieLocation } from './movie-location.ts';
import { findJpegLocation, findPngLocation, findWebpLocation } from './picture-location.ts';

const FINDERS: Readonly<Record<string, (source: ByteSource) => readonly Edit[]>> = {
  'image/jpeg': findJpegLocation,
  'image/png': findPngLocation,
  'image/apng': findPngLocation,
  'image/webp': findWebpLocation,
  'image/tiff': (source) => findExifLocation(source, 0, source.size),
  'image/avif': findHeifLocation,
  'image/heic': findHeifLocation,
  'image/heif': findHeifLocation,
  'image/heic-sequence': findHeifLocation,
  'image/heif-sequence': findHeifLocation,
  'video/mp4': findMovieLocation,
  'video/quicktime': findMovieLocation,
  'video/x-m4v': findMovieLocation,
  'video/3gpp': findMovieLocation,
  'video/3gpp2': findMovieLocation,
  'audio/mp4': findMovieLocation,
  'audio/x-m4a': findMovieLocation,
};

/** Whether `findLocation` can search files of this type. Other files are left unchanged. */
export function canFindLocation(type: string): boolean {
  return Object.hasOwn(FINDERS, type);
}

/** The changes that remove all GPS data, sorted and without overlaps; or the reason that the file cannot be searched. */
export function findLocation(source: ByteSource, type: string): Result<readonly Edit[], string> {
  const find = Object.hasOwn(FINDERS, type) ? FINDERS[type] : undefined;
  if (find === undefined) return ok([]);
  try {
    return ok(arrangeEdits(find(limitReads(source))));
  } catch (error) {
    if (error instanceof TooManyReads) return fail('The file’s metadata refers to the same bytes too many times.');
    throw error;
  }
}

class TooManyReads extends Error {}

/** A finder reads each byte of a real file at most four times. In a hostile file, thousands of entries can refer to the same megabytes. */
const MOST_READS_OF_A_BYTE = 8;
const READ_AT_LEAST = 64 * 1024 ** 2;
/** The cost of each read, in addition to the bytes read. */
const COST_OF_A_READ = 256;

function limitReads(source: ByteSource): ByteSource {
  let left = MOST_READS_OF_A_BYTE * source.size + READ_AT_LEAST;
  return {
    size: source.size,
    read(offset, length) {
      const bytes = source.read(offset, length);
      left -= bytes.length + COST_OF_A_READ;
      if (left < 0) throw new TooManyReads();
      return bytes;
    },
  };
}
