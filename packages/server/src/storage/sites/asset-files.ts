// The current and former asset files. A replaced file can be restored until it is removed from the store. Its row is kept, because URLs
// that contain an old version still refer to the asset.

import { sql } from 'kysely';
import { DAY_MS } from '../../content/timestamp.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface AssetFileWrite {
  /** The part of the digest that is in the URL. */
  readonly version: string;
  readonly sha256: string;
  readonly fileName: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  readonly colour: string | null;
}

export interface AssetFileRow {
  readonly no: number;
  readonly version: string;
  readonly sha256: string;
  readonly file_name: string;
  readonly extension: string;
  readonly mime_type: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  readonly colour: string | null;
  readonly put_at: number;
  /** Null for the current file. */
  readonly replaced_at: number | null;
  readonly is_removed: number;
}

const columns = sql.raw(
  'no, version, sha256, file_name, extension, mime_type, size, width, height, placeholder, colour, put_at, replaced_at, is_removed',
);
const insertFile = defineStatement(
  () => sql`insert into asset_files
      (site_no, asset_no, version, sha256, file_name, extension, mime_type, size, width, height, placeholder, colour, put_at)
    values (${slot('site')}, ${slot('asset')}, ${slot('version')}, ${slot('sha256')}, ${slot('file_name')},
      ${slot('extension')}, ${slot('mime_type')}, ${slot('size')}, ${slot('width')}, ${slot('height')},
      ${slot('placeholder')}, ${slot('colour')}, ${slot('now')})`,
);
const retireFiles = defineStatement(
  () =>
    sql`update asset_files set replaced_at = ${slot('now')} where asset_no = ${slot('asset')} and replaced_at is null`,
);
const selectFiles = defineStatement(
  () => sql`select ${columns} from asset_files where asset_no = ${slot('asset')} order by no desc`,
);
const deleteFiles = defineStatement(() => sql`delete from asset_files where asset_no = ${slot('asset')}`);
const deleteTags = defineStatement(() => sql`delete from asset_tags where asset_no = ${slot('asset')}`);

/** The new file becomes the current one. */
export function* putAssetFile(siteNo: number, assetNo: number, file: AssetFileWrite, now: number): Procedure<void> {
  yield* query(retireFiles, { asset: assetNo, now });
  const { version, sha256, fileName, extension, mimeType, size, width, height, placeholder, colour } = file;
  yield* query(insertFile, {
    ...{ site: siteNo, asset: assetNo, version, sha256, file_name: fileName, extension, mime_type: mimeType },
    ...{ size, width, height, placeholder, colour, now },
  });
}

/** Call this for an asset that no longer has a file of its own. */
export function* retireAssetFiles(assetNo: number, now: number): Procedure<void> {
  yield* query(retireFiles, { asset: assetNo, now });
}

/** The newest files come first. */
export function* selectAssetFiles(assetNo: number): Procedure<readonly AssetFileRow[]> {
  return yield* query<AssetFileRow>(selectFiles, { asset: assetNo });
}

/** Deletes everything that belongs only to this asset. Returns the digests of its files. */
export function* deleteAssetFiles(assetNo: number): Procedure<readonly string[]> {
  const files = yield* selectAssetFiles(assetNo);
  yield* query(deleteFiles, { asset: assetNo });
  yield* query(deleteTags, { asset: assetNo });
  return [...new Set(files.map(({ sha256 }) => sha256))];
}

/**
 * A file that has been in the store without a record for this long does not belong to any upload: no upload takes longer than this
 * between storing its file and recording it.
 */
export const UNRECORDED_MS = DAY_MS;

/** A file that was replaced after this time can still be restored. */
export function findOldestRestorable(now: number, keepDays: number): number {
  return now - keepDays * DAY_MS;
}

/** Whether an asset has the file, or still had it after `since`. */
const IS_NEEDED = sql`(f.replaced_at is null or (f.replaced_at > ${slot('since')} and f.is_removed = 0))`;
const selectNeeded = defineBatchStatement(
  (list) => sql`select distinct f.sha256 from asset_files as f where f.sha256 in (${list}) and ${IS_NEEDED}`,
);
const markRemoved = defineStatement(
  () => sql`update asset_files set is_removed = 1 where sha256 = ${slot('sha256')} and is_removed = 0`,
);
const markPresent = defineStatement(
  () => sql`update asset_files set is_removed = 0 where sha256 = ${slot('sha256')} and is_removed = 1`,
);
const selectReplaced = defineStatement(
  () => sql`select r.sha256, max(r.size) as bytes from asset_files as r
    where r.replaced_at is not null and r.is_removed = 0 and r.replaced_at <= ${slot('since')}
      and not exists (select 1 from asset_files as f where f.sha256 = r.sha256 and ${IS_NEEDED})
    group by r.sha256 order by r.sha256 limit ${slot('limit')} + 0`,
);

/** The given files that an asset has, or still had after `since`. */
export function* selectNeededFiles(digests: readonly string[], since: number): Procedure<ReadonlySet<string>> {
  const rows = yield* queryBatch<{ sha256: string }>(selectNeeded, digests, { since });
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Call this in the transaction in which the file is removed from the store. */
export function* markFileRemoved(sha256: string): Procedure<void> {
  yield* query(markRemoved, { sha256 });
}

/** Call this when the same bytes are in the store again. */
export function* markFilePresent(sha256: string): Procedure<void> {
  yield* query(markPresent, { sha256 });
}

/** Files that should be in the store according to the records, but were replaced at `since` or earlier and have no other use. */
export function* selectReplacedFiles(
  since: number,
  limit: number,
): Procedure<readonly Pick<RecordedFile, 'sha256' | 'bytes'>[]> {
  return yield* query<{ sha256: string; bytes: number }>(selectReplaced, { since, limit });
}

/** A file that should be in the store according to the records. Several assets may share it. */
export interface RecordedFile {
  readonly sha256: string;
  readonly bytes: number;
  /** Whether an asset has the file, or still had it after `since`. */
  readonly isNeeded: boolean;
}

const selectRecorded = defineStatement(
  () => sql`select sha256, max(size) as bytes,
      max(case when replaced_at is null or replaced_at > ${slot('since')} then 1 else 0 end) as is_needed
    from asset_files where sha256 > ${slot('after')} and is_removed = 0
    group by sha256 order by sha256 limit ${slot('limit')} + 0`,
);
const countRecorded = defineStatement(
  () => sql`select count(distinct sha256) as files from asset_files where is_removed = 0`,
);
const selectUsers = defineStatement(
  () => sql`select s.id as site, a.id as asset, a.name from asset_files as f
      join assets as a on a.no = f.asset_no join sites as s on s.no = a.site_no
    where f.sha256 = ${slot('sha256')} and f.is_removed = 0 order by f.no limit ${slot('limit')} + 0`,
);

/** The files after the given digest, sorted by digest. */
function* selectRecordedFiles(after: string, since: number, limit: number): Procedure<readonly RecordedFile[]> {
  const rows = yield* query<{ sha256: string; bytes: number; is_needed: number }>(selectRecorded, {
    after,
    since,
    limit,
  });
  return rows.map(({ sha256, bytes, is_needed }) => ({ sha256, bytes, isNeeded: is_needed === 1 }));
}

export function* countRecordedFiles(): Procedure<number> {
  return (yield* query<{ files: number }>(countRecorded))[0]?.files ?? 0;
}

export interface FileUser {
  readonly site: string;
  readonly asset: string;
  readonly name: string;
}

/** The assets that have or had the file. */
export function* selectFileUsers(sha256: string, limit: number): Procedure<readonly FileUser[]> {
  return yield* query<FileUser>(selectUsers, { sha256, limit });
}

const RECORDED_AT_ONCE = 1000;

/** Reads all recorded files, page by page. @param read runs a procedure on the database */
export async function* readRecordedFiles(
  read: <Outcome>(procedure: Procedure<Outcome>) => Promise<Outcome>,
  since: number,
): AsyncGenerator<RecordedFile> {
  let after = '';
  while (true) {
    const page = await read(selectRecordedFiles(after, since, RECORDED_AT_ONCE));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < RECORDED_AT_ONCE) return;
    after = last.sha256;
  }
}
