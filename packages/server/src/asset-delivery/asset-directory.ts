// The part of the database that file delivery reads.

import type { AssetReads } from '../storage/asset-reads.ts';

export type { ServedAsset } from '../storage/asset-reads.ts';

/** While nothing about an asset changes, `find` returns the same object, so repeated requests are answered without planning again. */
export type AssetDirectory = Pick<AssetReads, 'find'>;
