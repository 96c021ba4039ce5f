// The addresses from which the panel loads an asset.

import type { ManagedAssetBody } from '@galley/wire';
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

const PARAMETERS: Readonly<Record<Size, string>> = {
  thumbnail: 'w=320&h=240&fit=crop&fm=webp',
  preview: 'w=1280&h=1280&fit=max&fm=webp',
};

/** A smaller picture of an uploaded image; undefined if the file itself must be shown. */
export function findPictureAddress(
  asset: Pick<ManagedAssetBody, 'file_name' | 'url' | 'is_image'>,
  size: Size,
): string | undefined {
  return isUploaded(asset) && asset.is_image ? `${readPath(asset.url)}?${PARAMETERS[size]}` : undefined;
}
