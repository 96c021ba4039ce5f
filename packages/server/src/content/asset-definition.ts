// The members of an asset as they are given, in bundles and to the management API, and what follows from them.

import { findDataMediaType, findExtension, findExtensionOf, findMediaType } from './media-type.ts';
import { countMember, nameMember, textMember } from './schema-members.ts';
import { ASSET_URL_RULE, isAssetUrl } from './web-address.ts';

const EXTENSION_PATTERN = /^[A-Za-z0-9]{0,16}$/;
const MEDIA_TYPE_PATTERN = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9][a-z0-9.+_-]{0,126}$/i;

/** All but the description and the path, which are plain text. */
export const assetMembers = {
  name: nameMember,
  url: textMember(ASSET_URL_RULE, isAssetUrl),
  extension: textMember('at most 16 letters and digits without a dot', (text) => EXTENSION_PATTERN.test(text)),
  size: countMember,
  mime_type: textMember('a media type like image/jpeg', (text) => MEDIA_TYPE_PATTERN.test(text)).transform((text) =>
    text.toLowerCase(),
  ),
  width: countMember,
  height: countMember,
} as const;

interface AssetGaps {
  readonly id: string;
  readonly url: string;
  readonly path: string | null;
  readonly extension: string | null;
  readonly size?: number | null | undefined;
  readonly mime_type: string | null;
}

/**
 * What is left out follows from the rest: the extension from the path, else from the media type; the media type from a
 * `data:` address, else from the extension; the path from the address, and for `data:` from the id.
 */
export function completeAsset<Asset extends AssetGaps>(asset: Asset) {
  const dataType = findDataMediaType(asset.url);
  const urlPath = dataType === undefined ? findUrlPath(asset.url) : '';
  const declared = asset.mime_type ?? dataType;
  const extension =
    asset.extension ??
    (findExtension(asset.path ?? urlPath) || (declared === undefined ? '' : findExtensionOf(declared)));
  const ownPath = `assets/${asset.id}${extension === '' ? '' : `.${extension}`}`;
  return {
    ...asset,
    path: asset.path ?? (urlPath === '' ? ownPath : urlPath),
    extension,
    size: asset.size ?? 0,
    mime_type: declared ?? findMediaType(extension),
  };
}

/** The path of an http address or of a path from `/`, without its leading slash. */
function findUrlPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.slice(1);
}
