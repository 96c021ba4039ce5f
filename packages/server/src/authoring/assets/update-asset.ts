import { completeAsset } from '../../content/asset-definition.ts';
import type { Fault } from '../../content/fault.ts';
import { findMismatches } from '../../content/find-data-faults.ts';
import { type AssetRow, type ListedAssetRow, writeAsset } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { describeChange } from '../describe-change.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import type { AssetRequest } from './create-asset.ts';
import { findAddressFaults } from './find-address-faults.ts';
import { findAsset } from './find-asset.ts';

/** What is not given stays as it is; null asks for what follows from the rest. */
export type AssetChange = { readonly [Member in Exclude<keyof AssetRequest, 'id'>]?: AssetRequest[Member] | undefined };

/** When it has returned, all content that shows the asset shows it as it is now. */
export function updateAsset(
  desk: Desk,
  actor: Actor,
  siteId: string,
  assetId: string,
  change: AssetChange,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const known = await job.run(findAsset(site.no, assetId));
    const merged = mergeAsset(known, change);
    const asset = completeAsset(merged);
    const { mime_type: mimeType, ...members } = asset;
    const faults = [...findAddressFaults('url', change.url, known.url), ...findNewMismatches(merged, known)];
    if (faults.length > 0) throw refuseFaults(faults);
    if (!(await job.run(writeAsset(site.no, { ...members, mimeType }, job.now))).hasChanged) return;
    const details = describeChange(describeAsset(known), describeAsset(asset));
    await job.note({ action: 'asset.update', siteId, subjectId: assetId, subjectName: asset.name, details });
  });
}

/** An asset from before may contradict itself until one of these members changes. */
function findNewMismatches(merged: ReturnType<typeof mergeAsset>, known: ListedAssetRow): readonly Fault[] {
  const isAsBefore = (['url', 'path', 'extension', 'mime_type'] as const).every(
    (member) => merged[member] === known[member],
  );
  return isAsBefore ? [] : findMismatches(merged);
}

type DescribedAsset = Omit<AssetRow, 'id'>;

function describeAsset(asset: DescribedAsset): DescribedAsset {
  const { name, description, url, path, extension, size, mime_type, width, height } = asset;
  return { name, description, url, path, extension, size, mime_type, width, height };
}

/** Another address is another file: nothing that was known of the old one is taken to hold for it. */
function mergeAsset(known: ListedAssetRow, change: AssetChange) {
  const isSameFile = change.url === undefined || change.url === known.url;
  const keep = <Value>(given: Value | null | undefined, stored: Value | null): Value | null =>
    given === undefined ? (isSameFile ? stored : null) : given;
  return {
    id: known.id,
    name: change.name ?? known.name,
    description: change.description === undefined ? known.description : change.description,
    url: change.url ?? known.url,
    path: keep(change.path, known.path),
    extension: keep(change.extension, known.extension),
    size: keep(change.size, known.size),
    mime_type: keep(change.mime_type, known.mime_type),
    width: keep(change.width, known.width),
    height: keep(change.height, known.height),
  };
}
