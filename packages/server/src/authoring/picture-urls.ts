// Smaller versions of an uploaded image, for the people who work with it. Their URLs are signed, so they work on sites that allow only
// signed URLs, and do not count towards the limits for new images.

import { signImageUrl } from '../images/image-signature.ts';

export interface PictureUrls {
  /** For lists: 320 × 240 pixels. */
  readonly thumbnail: string;
  /** Fits within 1280 × 1280 pixels, and is never enlarged. */
  readonly preview: string;
}

export interface PointInPicture {
  readonly x: number;
  readonly y: number;
}

/**
 * @param key the site's image key
 * @param path the path of the file's URL
 */
export function buildPictureUrls(key: string, path: string, focalPoint: PointInPicture | null): PictureUrls {
  const sign = (query: string): string => `${path}?${query}&s=${signImageUrl(key, path, new URLSearchParams(query))}`;
  return {
    thumbnail: sign(`w=320&h=240&fit=${nameCrop(focalPoint)}&fm=webp`),
    preview: sign('w=1280&h=1280&fit=max&fm=webp'),
  };
}

/** Browsers cache the picture at a URL, so a new focal point needs a new URL. */
function nameCrop(point: PointInPicture | null): string {
  return point === null ? 'crop' : `crop-${roundPercent(point.x)}-${roundPercent(point.y)}`;
}

function roundPercent(percent: number): number {
  return Math.round(percent * 100) / 100;
}
