// The facts about an original that a plan depends on.

export type SourceFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff' | 'heic';

export interface ImageSource {
  readonly format: SourceFormat;
  /** The size of the picture as a viewer sees it, with the EXIF orientation applied. For animations, the size of one frame. */
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** How many frames or pages the file has. */
  readonly pages: number;
  readonly hasAlpha: boolean;
  /** Whether the file stores grey levels only. */
  readonly isGreyscale: boolean;
}

/** An original with more pixels than this, counting all frames that are read, is refused before it is decoded. */
export const MOST_INPUT_PIXELS = 120_000_000;

export function isAnimation({ format, pages }: ImageSource): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp');
}
