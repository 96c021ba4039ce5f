// The addresses from which the panel loads an asset.

import type { ManagedAssetBody } from '@galley/wire';
import { boundPoint } from './crop-position.ts';
import { resolveAddress } from './resolve-address.ts';

export function isUploaded({ file_name }: Pick<ManagedAssetBody, 'file_name'>): boolean {
  return file_name !== null;
}

/** The panel loads uploaded files from its own host, because the public host may be a cache that this browser cannot reach. */
export function findFileAddress(asset: Pick<ManagedAssetBody, 'file_name' | 'url'>, siteUrl: string | null): string {
  return isUploaded(asset) ? readPath(asset.url) : resolveAddress(asset.url, siteUrl);
}

function readPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/i, '');
}

type Size = 'thumbnail' | 'preview';

type PictureAsset = Pick<ManagedAssetBody, 'file_name' | 'url' | 'is_image' | 'focal_point'>;

/** A smaller picture of an uploaded image; undefined if the file itself must be shown. */
export function findPictureAddress(asset: PictureAsset, size: Size): string | undefined {
  if (!isUploaded(asset) || !asset.is_image) return undefined;
  const parameters = size === 'thumbnail' ? `w=320&h=240&fit=${nameCrop(asset)}` : 'w=1280&h=1280&fit=max';
  return `${readPath(asset.url)}?${parameters}&fm=webp`;
}

/** Browsers keep each picture for a year, so a crop around another focal point needs another address. */
function nameCrop({ focal_point: point }: PictureAsset): string {
  if (point === null) return 'crop';
  const { x, y } = boundPoint(point);
  return `crop-${x}-${y}`;
}
