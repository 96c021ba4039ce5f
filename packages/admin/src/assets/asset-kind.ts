// The kinds of files that the list can be narrowed down to: beginnings of media types.

import { ASSET_TEXTS } from '../texts/asset-texts.ts';

export type AssetKind = keyof typeof ASSET_TEXTS.kinds;

export function isAssetKind(value: unknown): value is AssetKind {
  return typeof value === 'string' && Object.hasOwn(ASSET_TEXTS.kinds, value);
}
