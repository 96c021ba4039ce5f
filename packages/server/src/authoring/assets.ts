// Creates, changes and deletes a site's assets.

import type { Fault } from '../content/fault.ts';
import { findMismatches } from '../content/find-data-faults.ts';
import { buildId } from '../content/ids.ts';
import { completeAsset } from '../content/site-definition.ts';
import { selectAssetUses } from '../storage/contents/content-uses.ts';
import {
  type AssetRow,
  deleteAsset as deleteAssetRow,
  type ListedAssetRow,
  selectAsset,
  writeAsset,
} from '../storage/sites/assets.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Actor } from './actor.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults, refuseInUse, USES_SHOWN } from './authoring-refusal.ts';
import { type Desk, work } from './desk.ts';
import { findAddressFaults } from './find-address-faults.ts';
import { findSite } from './sites/find-site.ts';

export function* findAsset(siteNo: number, assetId: string): Procedure<ListedAssetRow> {
  const asset = yield* selectAsset(siteNo, assetId);
  if (asset === undefined) throw refuseAbsent(`There is no asset ${assetId}.`);
  return asset;
}

/** Null properties are filled in from the others. */
export interface AssetRequest {
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly path: string | null;
  readonly url: string;
  readonly extension: string | null;
  readonly size: number | null;
  readonly mime_type: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** Readers see the asset once content uses it. */
export function createAsset(desk: Desk, actor: Actor, siteId: string, request: AssetRequest): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const id = request.id ?? buildId('asset', job.newUuid());
    const { mime_type: mimeType, ...asset } = completeAsset({ ...request, id });
    const faults = [...findAddressFaults('url', asset.url), ...findMismatches(request)];
    if (faults.length > 0) throw refuseFaults(faults);
    if ((await job.run(selectAsset(site.no, id))) !== undefined) {
      throw new AuthoringRefusal(`Asset ${id} already exists.`, { reason: 'conflict', code: 'taken' });
    }
    await job.run(writeAsset(site.no, { ...asset, mimeType }, job.now));
    await job.note({ action: 'asset.create', siteId, subjectId: id, subjectName: request.name });
    return id;
  });
}

/** Omitted properties stay as they are; null properties are filled in from the others. */
export type AssetChange = { readonly [Member in Exclude<keyof AssetRequest, 'id'>]?: AssetRequest[Member] | undefined };

/** Once this returns, the change is visible in all content that uses the asset. */
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

/**
 * An asset that was saved before this rule existed may have properties that contradict each other. They are accepted until one of them
 * changes.
 */
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

/** A new URL means a new file, so all details of the old file are discarded. */
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

/** Fails while the newest or published version of any content uses the asset. Older versions lose their reference to it. */
export async function deleteAsset(desk: Desk, actor: Actor, siteId: string, assetId: string): Promise<void> {
  await work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const asset = await job.run(findAsset(site.no, assetId));
    const uses = await job.run(selectAssetUses(site.no, assetId, USES_SHOWN));
    if (uses.total > 0) throw refuseInUse(`Asset ${assetId}`, uses);
    await job.run(deleteAssetRow(asset.no));
    await job.note({ action: 'asset.delete', siteId, subjectId: assetId, subjectName: asset.name });
  });
  await desk.storage.eraseTraces();
}
