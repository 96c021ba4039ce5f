import { deleteAsset as deleteAssetRow, selectAssetUses } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import { refuseInUse, USES_SHOWN } from '../uses-refusal.ts';
import { findAsset } from './find-asset.ts';

/** Refused while the newest or the published version of any content shows the asset. Older versions show it no longer. */
export async function deleteAsset(desk: Desk, actor: Actor, siteId: string, assetId: string): Promise<void> {
  await work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const asset = await job.run(findAsset(site.no, assetId));
    const uses = await job.run(selectAssetUses(site.no, assetId, USES_SHOWN));
    if (uses.total > 0) throw refuseInUse(`The asset ${assetId}`, uses);
    await job.run(deleteAssetRow(asset.no));
    await job.note({ action: 'asset.delete', siteId, subjectId: assetId, subjectName: asset.name });
  });
  await desk.storage.eraseTraces();
}
