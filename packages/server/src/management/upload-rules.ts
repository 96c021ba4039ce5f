// The rules for uploads to a site: its own settings, within the service's limits.

import type { Actor } from '../authoring/actor.ts';
import { findAsset } from '../authoring/assets.ts';
import { selectOwnSite } from '../authoring/sites/find-site.ts';
import { type AssetSettings, selectAssetSettings } from '../storage/sites/asset-settings.ts';
import type { Procedure } from '../storage/statement.ts';
import type { UploadRules } from '../uploads/take-file.ts';
import type { Call } from './route.ts';

const MEGABYTE = 1024 ** 2;
/** This is more than any camera produces. */
const MOST_MEGAPIXELS = 100;

type UploadCall = Pick<Call<unknown, unknown>, 'desk' | 'actor' | 'path' | 'uploads'>;

/** Refuses if there is no such site, or if the path names an asset that does not exist. */
export async function findUploadRules({ desk, actor, path, uploads }: UploadCall): Promise<UploadRules> {
  const settings = await desk.storage.read(selectSettings(actor, path.site ?? '', path.asset));
  const { keepsLocation, uploadTypes, mostUploadMb, mostMegapixels } = settings;
  return {
    mostBytes: Math.min(uploads.mostBytes, (mostUploadMb ?? Number.POSITIVE_INFINITY) * MEGABYTE),
    types: uploadTypes,
    mostPixels: Math.min(mostMegapixels ?? MOST_MEGAPIXELS, MOST_MEGAPIXELS) * 1_000_000,
    keepsLocation,
  };
}

function* selectSettings(actor: Actor, siteId: string, assetId: string | undefined): Procedure<AssetSettings> {
  const site = yield* selectOwnSite(actor, siteId);
  if (assetId !== undefined) yield* findAsset(site.no, assetId);
  return yield* selectAssetSettings(site.no);
}
