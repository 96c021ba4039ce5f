// Between the uploads module, which knows neither sites nor assets, and the operations on assets.

import type { Actor } from '../authoring/actor.ts';
import type { StoredUpload } from '../authoring/asset-files.ts';
import { findAsset } from '../authoring/assets.ts';
import { selectOwnSite } from '../authoring/sites/find-site.ts';
import type { FileStore } from '../files/file-store.ts';
import { selectUploadSettings, type UploadSettings } from '../storage/sites/upload-settings.ts';
import type { Procedure } from '../storage/statement.ts';
import type { TakenFile } from '../uploads/take-file.ts';
import type { UploadRules } from '../uploads/upload-rules.ts';
import type { Call } from './route.ts';

const MEGABYTE = 1024 ** 2;
/** More than any camera takes. Decoding such a picture takes about half a gigabyte. */
const MOST_MEGAPIXELS = 100;

type UploadCall = Pick<Call<unknown, unknown>, 'desk' | 'actor' | 'path' | 'uploads'>;

/** What may be uploaded to the site in the path. Refuses if there is no such site, or no such asset if the path names one. */
export async function findUploadRules({ desk, actor, path, uploads }: UploadCall): Promise<UploadRules> {
  const settings = await desk.storage.read(selectSettings(actor, path.site ?? '', path.asset));
  const { keepsLocation, types, mostMb, mostMegapixels } = settings;
  return {
    mostBytes: Math.min(uploads.mostBytes, (mostMb ?? Number.POSITIVE_INFINITY) * MEGABYTE),
    types,
    mostPixels: Math.min(mostMegapixels ?? MOST_MEGAPIXELS, MOST_MEGAPIXELS) * 1_000_000,
    keepsLocation,
  };
}

function* selectSettings(actor: Actor, siteId: string, assetId: string | undefined): Procedure<UploadSettings> {
  const site = yield* selectOwnSite(actor, siteId);
  if (assetId !== undefined) yield* findAsset(site.no, assetId);
  return yield* selectUploadSettings(site.no);
}

export function buildStoredUpload(taken: TakenFile, store: Pick<FileStore, 'has'>): StoredUpload {
  const { sha256, version, fileName, extension, type, bytes, width, height, placeholder, colour } = taken;
  return {
    ...{ sha256, version, fileName, extension, type, bytes, width, height, placeholder, colour },
    async ensureStored() {
      if (!(await store.has(sha256))) await taken.putAgain();
    },
  };
}
