// Creates, changes and deletes a site's assets.

import type { Site } from '../content/catalog.ts';
import type { Fault } from '../content/fault.ts';
import { findMismatches } from '../content/find-data-faults.ts';
import { buildId } from '../content/ids.ts';
import { buildFocalPoint } from '../content/render-content.ts';
import { completeAsset } from '../content/site-definition.ts';
import { selectAssetUses } from '../storage/contents/content-uses.ts';
import { eraseAssets } from '../storage/publication/forget-changes.ts';
import { deleteAssetFiles } from '../storage/sites/asset-files.ts';
import { selectFolderPath } from '../storage/sites/asset-folders.ts';
import { selectTagsOf, writeAssetTags } from '../storage/sites/asset-tags.ts';
import {
  type AssetFile,
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
import { forgetBodies } from './delete-for-good.ts';
import { type Desk, type Job, work } from './desk.ts';
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
  readonly focal_point: FocalPoint | null;
  readonly folder: string;
  /** Without duplicates. */
  readonly tags: readonly string[];
}

export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** Readers see the asset once content uses it. */
export function createAsset(desk: Desk, actor: Actor, siteId: string, request: AssetRequest): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const id = request.id ?? buildId('asset', job.newUuid());
    const folder = await job.run(selectFolderPath(site.no, request.folder));
    const { mime_type: mimeType, focal_point: focalPoint, tags, ...asset } = completeAsset({ ...request, folder, id });
    const faults = [...findAddressFaults('url', asset.url), ...findMismatches(request)];
    if (faults.length > 0) throw refuseFaults(faults);
    if ((await job.run(selectAsset(site.no, id))) !== undefined) {
      const details = { reason: 'id_taken' };
      throw new AuthoringRefusal(`Asset ${id} already exists.`, { reason: 'conflict', code: 'taken', details });
    }
    const { no } = await job.run(writeAsset(site.no, { ...asset, mimeType, focalPoint, file: null }, job.now));
    await job.run(writeAssetTags(site.no, no, tags));
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
    const folder = change.folder && (await job.run(selectFolderPath(site.no, change.folder)));
    const merged = mergeAsset(known, { ...change, folder });
    const asset = completeAsset(merged);
    const { mime_type: mimeType, focal_point: focalPoint, ...members } = asset;
    const faults = [
      ...findFileFaults(change, known),
      ...findAddressFaults('url', change.url, known.url),
      ...findNewMismatches(merged, known),
    ];
    if (faults.length > 0) throw refuseFaults(faults);
    const write = { ...members, mimeType, focalPoint, file: findFile(known) };
    const tagsBefore = (await job.run(selectTagsOf([known.no]))).get(known.no) ?? [];
    const tags = change.tags ?? tagsBefore;
    const { hasChanged } = await job.run(writeAsset(site.no, write, job.now));
    const hasNewTags = await job.run(writeAssetTags(site.no, known.no, tags));
    if (!hasChanged && !hasNewTags) return;
    const before = { ...known, focal_point: buildFocalPoint(known), tags: tagsBefore };
    const details = describeChange(describeAsset(before), describeAsset({ ...asset, tags }));
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

const OF_THE_FILE = ['url', 'path', 'extension', 'size', 'mime_type', 'width', 'height'] as const;

/** The properties of an uploaded file change only when the file is replaced. */
function findFileFaults(change: AssetChange, known: ListedAssetRow): readonly Fault[] {
  if (known.sha256 === null) return [];
  return OF_THE_FILE.filter((member) => change[member] !== undefined && change[member] !== known[member]).map(
    (member) => ({
      path: member,
      code: 'fixed' as const,
      message: 'belongs to the uploaded file and changes only with it',
    }),
  );
}

function findFile({ sha256, file_name: fileName, placeholder, colour }: ListedAssetRow): AssetFile | null {
  return sha256 === null || fileName === null ? null : { sha256, fileName, placeholder, colour };
}

type DescribedAsset = Omit<AssetRow, 'id' | 'sha256' | 'placeholder' | 'focal_x' | 'focal_y'> &
  Pick<AssetRequest, 'focal_point' | 'folder' | 'tags'>;

function describeAsset(asset: DescribedAsset) {
  const { name, description, url, path, extension, size, mime_type, width, height, focal_point: focal, folder } = asset;
  const focal_point = focal === null ? null : `${focal.x} % / ${focal.y} %`;
  const tags = asset.tags.join(', ');
  return { name, description, url, path, extension, size, mime_type, width, height, focal_point, folder, tags };
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
    focal_point: change.focal_point === undefined ? buildFocalPoint(known) : change.focal_point,
    folder: change.folder ?? known.folder,
  };
}

/** Fails while the newest or published version of any content uses the asset. Older versions lose their reference to it. */
export async function deleteAsset(desk: Desk, actor: Actor, siteId: string, assetId: string): Promise<void> {
  await work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const asset = await job.run(findAsset(site.no, assetId));
    const uses = await job.run(selectAssetUses(site.no, assetId, USES_SHOWN));
    if (uses.total > 0) throw refuseInUse(`Asset ${assetId}`, uses);
    await deleteUnused(job, site, [asset]);
  });
  await desk.storage.eraseTraces();
}

/** The assets must not be in use. Once this returns, neither the change log nor the log of webhook calls contains them. */
export async function deleteUnused(
  job: Job,
  { no: siteNo, id: siteId }: Pick<Site, 'no' | 'id'>,
  assets: readonly ListedAssetRow[],
): Promise<void> {
  for (const { no, id, name } of assets) {
    job.releaseFiles(await job.run(deleteAssetFiles(no)));
    await job.run(deleteAssetRow(no));
    await job.note({ action: 'asset.delete', siteId, subjectId: id, subjectName: name });
  }
  await job.run(
    eraseAssets(
      siteNo,
      assets.map(({ id }) => id),
    ),
  );
  await forgetBodies(job, siteNo);
}
