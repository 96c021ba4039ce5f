import { type ListedAssetRow, type Procedure, selectAsset } from '../../storage/port.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

export function* findAsset(siteNo: number, assetId: string): Procedure<ListedAssetRow> {
  const asset = yield* selectAsset(siteNo, assetId);
  if (asset === undefined) throw refuseAbsent(`There is no asset ${assetId}.`);
  return asset;
}
