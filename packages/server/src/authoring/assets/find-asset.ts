import { type ListedAssetRow, selectAsset } from '../../storage/port.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';

export async function findAsset(job: Job, siteNo: number, assetId: string): Promise<ListedAssetRow> {
  const asset = await job.run(selectAsset(siteNo, assetId));
  if (asset === undefined) throw refuseAbsent(`There is no asset ${assetId}.`);
  return asset;
}
