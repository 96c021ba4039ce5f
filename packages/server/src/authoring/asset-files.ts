// Creates assets from uploaded files, replaces their files and restores earlier ones. The bytes are in the store before the transaction
// begins. Only one transaction writes at a time, so nothing can remove a file between the check that it is stored and the commit.

import { buildAssetPath, buildFileVersion } from '../content/asset-path.ts';
import { buildId } from '../content/ids.ts';
import { type AssetFileRow, markFilePresent, putAssetFile, selectAssetFiles } from '../storage/sites/asset-files.ts';
import { selectFolderPath } from '../storage/sites/asset-folders.ts';
import { writeAssetTags } from '../storage/sites/asset-tags.ts';
import { type AssetFile, type ListedAssetRow, selectAssetByDigest, writeAsset } from '../storage/sites/assets.ts';
import type { Actor } from './actor.ts';
import { findAsset } from './assets.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent } from './authoring-refusal.ts';
import { type Desk, type Job, work } from './desk.ts';
import { findSite } from './sites/find-site.ts';

/** The properties of an uploaded file. */
interface UploadedFile {
  readonly sha256: string;
  readonly fileName: string;
  readonly extension: string;
  readonly type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  readonly colour: string | null;
}

/** A file whose bytes were put into the store. */
export interface StoredUpload extends UploadedFile {
  /** Stores the bytes again if they are gone. Call this in the transaction that uses them. */
  readonly ensureStored: () => Promise<void>;
}

export interface UploadDetails {
  /** Defaults to the file name. */
  readonly name?: string | null;
  readonly description: string | null;
  readonly folder: string;
  /** Without duplicates. */
  readonly tags?: readonly string[];
  /** Whether to refuse a file that the site already has. */
  readonly refusesDuplicates: boolean;
}

export interface Duplicate {
  readonly file: string;
  readonly asset: string;
  readonly name: string;
}

/** Creates one asset for each file, all or none. Returns their ids. */
export function createAssetsFromFiles(
  desk: Desk,
  actor: Actor,
  siteId: string,
  uploads: readonly (readonly [StoredUpload, UploadDetails])[],
): Promise<readonly string[]> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    await refuseDuplicates(job, site.no, uploads);
    await ensureStored(uploads.map(([upload]) => upload));
    const ids: string[] = [];
    for (const [upload, details] of uploads) {
      const id = buildId('asset', job.newUuid());
      const name = details.name ?? upload.fileName;
      const no = await storeFile(job, { siteNo: site.no, siteId, id, name, upload, details, focalPoint: null });
      await job.run(writeAssetTags(site.no, no, details.tags ?? []));
      await job.note({ action: 'asset.create', siteId, subjectId: id, subjectName: name });
      ids.push(id);
    }
    return ids;
  });
}

/** Checking a file in a bucket takes a while, and nobody else can save in the meantime. */
const LOOKS_AT_ONCE = 4;

async function ensureStored(uploads: readonly StoredUpload[]): Promise<void> {
  for (let start = 0; start < uploads.length; start += LOOKS_AT_ONCE) {
    await Promise.all(uploads.slice(start, start + LOOKS_AT_ONCE).map((upload) => upload.ensureStored()));
  }
}

async function refuseDuplicates(
  job: Job,
  siteNo: number,
  uploads: readonly (readonly [StoredUpload, UploadDetails])[],
): Promise<void> {
  const duplicates: Duplicate[] = [];
  for (const [{ sha256, fileName: file }, { refusesDuplicates }] of uploads) {
    const known = refusesDuplicates ? await job.run(selectAssetByDigest(siteNo, sha256)) : undefined;
    if (known !== undefined) duplicates.push({ file, asset: known.id, name: known.name });
  }
  const [first] = duplicates;
  if (first === undefined) return;
  const message =
    duplicates.length === 1
      ? `The site already has this file: “${first.name}”.`
      : `The site already has ${duplicates.length} of these files.`;
  throw new AuthoringRefusal(message, { reason: 'conflict', code: 'duplicate', details: { assets: duplicates } });
}

interface FileOfAsset {
  readonly siteNo: number;
  readonly siteId: string;
  readonly id: string;
  readonly name: string;
  readonly upload: UploadedFile;
  readonly details: Pick<UploadDetails, 'description' | 'folder'>;
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
}

/** The bytes must be in the store. Returns the asset's number. */
async function storeFile(job: Job, ofAsset: FileOfAsset): Promise<number> {
  const { siteNo, siteId, id, name, upload, details, focalPoint } = ofAsset;
  const { sha256, fileName, extension, type: mimeType, bytes: size, width, height, placeholder, colour } = upload;
  const version = buildFileVersion(sha256);
  const path = buildAssetPath({ siteId, assetId: id, version, fileName });
  const file: AssetFile = { sha256, fileName, placeholder, colour };
  const { description } = details;
  const folder = await job.run(selectFolderPath(siteNo, details.folder));
  const asset = { id, name, description, path, url: `/${path}`, extension, size, mimeType, width, height };
  const { no } = await job.run(writeAsset(siteNo, { ...asset, focalPoint, folder, file }, job.now));
  await job.run(markFilePresent(sha256));
  await job.run(putAssetFile(siteNo, no, { ...file, version, extension, mimeType, size, width, height }, job.now));
  return no;
}

/** The asset keeps its id, name, description and folder. Its focal point is kept if the new picture has the same proportions. */
export function replaceFile(
  desk: Desk,
  actor: Actor,
  siteId: string,
  assetId: string,
  upload: StoredUpload,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const known = await job.run(findAsset(site.no, assetId));
    await upload.ensureStored();
    await exchangeFile(job, { siteNo: site.no, siteId, known, upload });
  });
}

/** Replaces an asset's web address with a copy of the file. @param url the address from which the file was fetched */
export function adoptCopy(
  desk: Desk,
  actor: Actor,
  siteId: string,
  assetId: string,
  url: string,
  upload: StoredUpload,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const known = await job.run(findAsset(site.no, assetId));
    if (known.sha256 !== null || known.url !== url) {
      const message = 'Somebody else changed this asset’s file while it was being copied. Nothing was saved.';
      throw new AuthoringRefusal(message, { reason: 'conflict' });
    }
    await upload.ensureStored();
    await exchangeFile(job, { siteNo: site.no, siteId, known, upload });
  });
}

interface Exchange {
  readonly siteNo: number;
  readonly siteId: string;
  readonly known: ListedAssetRow;
  readonly upload: UploadedFile;
}

async function exchangeFile(job: Job, { siteNo, siteId, known, upload }: Exchange): Promise<void> {
  if (known.sha256 === upload.sha256 && known.file_name === upload.fileName) return;
  const { id, name, focal_x: x, focal_y: y } = known;
  const focalPoint = x === null || y === null || !haveSameProportions(known, upload) ? null : { x, y };
  await storeFile(job, { siteNo, siteId, id, name, upload, details: known, focalPoint });
  const details = describeChange({ file: known.file_name ?? known.url }, { file: upload.fileName });
  await job.note({ action: 'asset.update', siteId, subjectId: id, subjectName: name, details });
}

const SAME_PROPORTIONS = 0.02;

interface Measured {
  readonly width: number | null;
  readonly height: number | null;
}

function haveSameProportions(one: Measured, other: Measured): boolean {
  if (!one.width || !one.height || !other.width || !other.height) return false;
  return Math.abs(one.width / one.height / (other.width / other.height) - 1) < SAME_PROPORTIONS;
}

/** Makes an earlier file the current one. @param isStored whether the store still has the file */
export function restoreFile(
  desk: Desk,
  actor: Actor,
  siteId: string,
  assetId: string,
  version: string,
  isStored: (sha256: string) => Promise<boolean>,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const known = await job.run(findAsset(site.no, assetId));
    const files = await job.run(selectAssetFiles(known.no));
    const file = files.find((each) => each.version === version);
    if (file === undefined) throw refuseAbsent(`Asset ${assetId} has no file version ${version}.`);
    if (!(await isStored(file.sha256))) {
      throw new AuthoringRefusal('This file was removed and can no longer be restored.', {
        reason: 'conflict',
        code: 'file_removed',
      });
    }
    await exchangeFile(job, { siteNo: site.no, siteId, known, upload: reuse(file) });
  });
}

function reuse(file: AssetFileRow): UploadedFile {
  const { sha256, file_name: fileName, extension, mime_type: type, size: bytes } = file;
  const { width, height, placeholder, colour } = file;
  return { sha256, fileName, extension, type, bytes, width, height, placeholder, colour };
}
