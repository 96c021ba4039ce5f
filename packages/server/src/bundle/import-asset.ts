// Imports an asset whose file is part of the bundle. The file is in the store before its record is written.

import { buildAssetPath, buildFileVersion } from '../content/asset-path.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { Transaction } from '../storage/engine.ts';
import type { Written } from '../storage/named-rows.ts';
import { markFilePresent, putAssetFile } from '../storage/sites/asset-files.ts';
import { writeAssetTags } from '../storage/sites/asset-tags.ts';
import { type AssetWrite, type ListedAssetRow, selectAsset, writeAsset } from '../storage/sites/assets.ts';
import type { FileAssetRecord, RecordedFile } from './asset-record.ts';
import { type BundleFiles, openBundleFile, type TakenBundleFile } from './bundle-files.ts';

export interface FileAssetImport {
  readonly transaction: Transaction;
  readonly siteNo: number;
  /** Undefined if this import cannot have files. */
  readonly files: BundleFiles | undefined;
  /** The bundle's folder. */
  readonly folder: string;
  readonly now: number;
}

/** Returns what is wrong with the file, if anything. */
export async function importFileAsset(
  job: FileAssetImport,
  record: FileAssetRecord,
): Promise<Result<{ readonly hasChanged: boolean }, string>> {
  const { transaction, siteNo, files } = job;
  const known = await transaction.run(selectAsset(siteNo, record.id));
  if (known !== undefined && (await hasFile(known, record.file, files))) {
    return ok(await writeRecord(job, record, describeKnown(known)));
  }
  const taken = await takeFile(job, record.file);
  if (!taken.ok) return fail(`${record.file.path} ${taken.problem}`);
  await using file = taken.value;
  const isSame = known?.sha256 === file.sha256 && known.file_name === file.fileName;
  const written = await writeRecord(job, record, describeTaken(record, file));
  await transaction.run(markFilePresent(file.sha256));
  if (!isSame) await putFile(job, written.no, file);
  return ok(written);
}

/** Whether the asset already has this file. If so, the bundle does not have to contain it. */
async function hasFile(known: ListedAssetRow, { path, sha256 }: RecordedFile, files: BundleFiles | undefined) {
  if (sha256 === null || known.sha256 !== sha256 || known.file_name !== nameOf(path)) return false;
  return files === undefined || (await files.has(sha256));
}

async function takeFile(
  { files, folder }: FileAssetImport,
  file: RecordedFile,
): Promise<Result<TakenBundleFile, string>> {
  if (files === undefined) return fail('cannot be read: a bundle from standard input has no files');
  const { path, sha256, appearance } = file;
  const opened = await openBundleFile(folder, path);
  if (!opened.ok) return opened;
  await using handle = opened.value;
  const read = (): AsyncIterable<Uint8Array> => handle.createReadStream({ start: 0, autoClose: false });
  const taken = await files.take({ name: nameOf(path), descriptor: handle.fd, sha256, appearance, read });
  if (!taken.ok) return taken;
  if (sha256 === null || taken.value.sha256 === sha256) {
    // This may read the file again.
    await taken.value.ensureStored();
    return taken;
  }
  await taken.value[Symbol.asyncDispose]();
  return fail('is not the file that the bundle was made with: its SHA-256 is different');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

type FileMembers = Pick<AssetWrite, 'path' | 'url' | 'extension' | 'size' | 'mimeType' | 'width' | 'height' | 'file'>;

function describeKnown(known: ListedAssetRow): FileMembers {
  const { path, url, extension, size, mime_type: mimeType, width, height, sha256, placeholder, colour } = known;
  if (sha256 === null || known.file_name === null) throw new Error(`Asset ${known.id} has no file`);
  const file = { sha256, fileName: known.file_name, placeholder, colour };
  return { path, url, extension, size, mimeType, width, height, file };
}

function describeTaken({ site, id }: FileAssetRecord, taken: TakenBundleFile): FileMembers {
  const { sha256, fileName, extension, type: mimeType, bytes: size, width, height, placeholder, colour } = taken;
  const version = buildFileVersion(sha256);
  const path = buildAssetPath({ siteId: site, assetId: id, version, fileName });
  const file = { sha256, fileName, placeholder, colour };
  return { path, url: `/${path}`, extension, size, mimeType, width, height, file };
}

async function writeRecord(
  { transaction, siteNo, now }: FileAssetImport,
  record: FileAssetRecord,
  members: FileMembers,
): Promise<Written> {
  const { id, name, description, focal_point: focalPoint, folder, tags } = record;
  const asset = { id, name, description, focalPoint, folder, ...members };
  const written = await transaction.run(writeAsset(siteNo, asset, now));
  return { no: written.no, hasChanged: await importTags(transaction, siteNo, written, tags) };
}

/** Returns whether the asset or its tags have changed. Most new assets have no tags, so that case needs no query. */
export async function importTags(
  transaction: Transaction,
  siteNo: number,
  { no, hasChanged, isNew }: Written,
  tags: readonly string[],
): Promise<boolean> {
  if (isNew && tags.length === 0) return hasChanged;
  const haveTagsChanged = await transaction.run(writeAssetTags(siteNo, no, tags));
  return hasChanged || haveTagsChanged;
}

async function putFile({ transaction, siteNo, now }: FileAssetImport, assetNo: number, taken: TakenBundleFile) {
  const { type: mimeType, bytes: size, sha256, fileName, extension } = taken;
  const version = buildFileVersion(sha256);
  const { width, height, placeholder, colour } = taken;
  const file = { version, sha256, fileName, extension, mimeType, size, width, height, placeholder, colour };
  await transaction.run(putAssetFile(siteNo, assetNo, file, now));
}
