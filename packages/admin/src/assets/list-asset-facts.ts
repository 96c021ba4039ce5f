import type { ManagedAssetBody } from '@galley/wire';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { formatBytes } from './format-bytes.ts';

/** What an asset is, in a few words; as far as it is known. */
export function listAssetFacts(asset: ManagedAssetBody): readonly string[] {
  const { extension, mime_type: mediaType, width, height, size } = asset;
  return [
    extension === '' ? mediaType : extension.toUpperCase(),
    ...(width === null || height === null ? [] : [ASSET_TEXTS.dimensions(width, height)]),
    ...(size === 0 ? [] : [formatBytes(size)]),
  ];
}
