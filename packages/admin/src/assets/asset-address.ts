// The URLs that the panel loads assets and other pictures from.

import type { ManagedAssetBody } from '@galley/wire';

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

/** A smaller version of an uploaded image; undefined if the file itself must be shown. */
export function findPictureAddress(
  { thumbnail_url: thumbnail, preview_url: preview }: Pick<ManagedAssetBody, 'thumbnail_url' | 'preview_url'>,
  size: 'thumbnail' | 'preview',
): string | undefined {
  const url = size === 'thumbnail' ? thumbnail : preview;
  return url === null ? undefined : readPath(url);
}

/** The URL to load for a link or a picture in content. A path that starts with `/` is relative to the site. */
export function resolveAddress(address: string, siteUrl: string | null): string {
  return siteUrl !== null && address.startsWith('/') ? `${siteUrl}${address}` : address;
}
