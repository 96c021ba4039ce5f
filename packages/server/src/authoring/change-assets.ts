// Changes or deletes many assets at once: all of them or none.

import { MOST_TAGS, uniteTags } from '../content/site-definition.ts';
import { buildTextKey } from '../content/text-key.ts';
import { selectAssetUses, type UsingContent } from '../storage/contents/content-uses.ts';
import { selectFolderPath } from '../storage/sites/asset-folders.ts';
import { selectTagsOf, writeAssetTags } from '../storage/sites/asset-tags.ts';
import { type ListedAssetRow, moveAsset } from '../storage/sites/assets.ts';
import type { Actor } from './actor.ts';
import { deleteUnused, findAsset } from './assets.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';
import { type Desk, type Job, work } from './desk.ts';
import { findSite } from './sites/find-site.ts';

export interface AssetsChange {
  /** Undefined leaves every asset where it is. */
  readonly folder: string | undefined;
  readonly addedTags: readonly string[];
  readonly removedTags: readonly string[];
}

/** Returns the number of assets that have changed. */
export function changeAssets(
  desk: Desk,
  actor: Actor,
  siteId: string,
  ids: readonly string[],
  change: AssetsChange,
): Promise<number> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const assets = await findAssets(job, site.no, ids);
    const folder = change.folder && (await job.run(selectFolderPath(site.no, change.folder)));
    const tags = await job.run(selectTagsOf(assets.map(({ no }) => no)));
    let changed = 0;
    for (const asset of assets) {
      if (
        await changeOne(job, { siteNo: site.no, siteId, asset, tags: tags.get(asset.no) ?? [] }, { ...change, folder })
      )
        changed += 1;
    }
    return changed;
  });
}

interface ChangedAsset {
  readonly siteNo: number;
  readonly siteId: string;
  readonly asset: ListedAssetRow;
  readonly tags: readonly string[];
}

async function changeOne(
  job: Job,
  { siteNo, siteId, asset, tags: before }: ChangedAsset,
  { folder = asset.folder, addedTags, removedTags }: AssetsChange,
): Promise<boolean> {
  const removed = new Set(removedTags.map(buildTextKey));
  const tags = uniteTags([...before.filter((tag) => !removed.has(buildTextKey(tag))), ...addedTags]);
  if (tags.length > MOST_TAGS) {
    const message = `Asset ${asset.id} would have ${tags.length} tags. An asset can have at most ${MOST_TAGS}.`;
    const details = { reason: 'too_many_tags', name: asset.name, total: tags.length, limit: MOST_TAGS };
    throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached', details });
  }
  const hasNewTags = await job.run(writeAssetTags(siteNo, asset.no, tags));
  const isMoved = folder !== asset.folder;
  if (isMoved) await job.run(moveAsset(asset.no, folder));
  if (!hasNewTags && !isMoved) return false;
  const then = { folder: asset.folder, tags: before.join(', ') };
  const details = describeChange(then, { folder, tags: tags.join(', ') });
  await job.note({ action: 'asset.update', siteId, subjectId: asset.id, subjectName: asset.name, details });
  return true;
}

/** A refusal lists at most this many of the content objects that use an asset. */
const USES_SHOWN_OF_EACH = 5;

interface AssetInUse {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly contents: readonly UsingContent[];
}

/** Deletes nothing if content uses any of the assets. */
export async function deleteAssets(desk: Desk, actor: Actor, siteId: string, ids: readonly string[]): Promise<void> {
  await work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const assets = await findAssets(job, site.no, ids);
    const inUse: AssetInUse[] = [];
    for (const { id, name } of assets) {
      const { total, contents } = await job.run(selectAssetUses(site.no, id, USES_SHOWN_OF_EACH));
      if (total > 0) inUse.push({ id, name, total, contents });
    }
    if (inUse.length > 0) {
      const some = inUse.length === 1 ? '1 of the assets is' : `${inUse.length} of the assets are`;
      throw new AuthoringRefusal(`No assets were deleted: ${some} in use.`, {
        reason: 'conflict',
        code: 'in_use',
        details: { total: inUse.length, assets: inUse },
      });
    }
    await deleteUnused(job, site, assets);
  });
  await desk.storage.eraseTraces();
}

async function findAssets(job: Job, siteNo: number, ids: readonly string[]): Promise<readonly ListedAssetRow[]> {
  const assets: ListedAssetRow[] = [];
  for (const id of new Set(ids)) assets.push(await job.run(findAsset(siteNo, id)));
  return assets;
}
