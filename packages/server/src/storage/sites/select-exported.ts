// Reads a site for an export, one page at a time and ordered by id. Only a few rows are in memory at a time, and only one content object,
// because content can be large.

import { sql } from 'kysely';
import { type StoredContentRecord, selectRecord } from '../contents/content-records.ts';
import { type ContentVersion, selectVersion } from '../contents/content-versions.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { selectTagsOf } from './asset-tags.ts';
import type { AssetRow } from './assets.ts';
import type { AuthorRow } from './authors.ts';

export interface ExportedVersion extends ContentVersion {
  readonly authorId: string | null;
}

export interface ExportedContent {
  readonly record: StoredContentRecord;
  /** The id of the first record in the content's translation group; its own id if it is the first or only record. */
  readonly firstOfGroup: string;
  readonly newest: ExportedVersion;
  /** Null for content that is not published; the same object as `newest` if the newest version is the published one. */
  readonly published: ExportedVersion | null;
  /** The URIs in the read models. They are out of date if the type's pattern has changed since they were written. */
  readonly publishedUri: string | null;
  readonly previewUri: string | null;
}

export interface ExportCounts {
  readonly authors: number;
  readonly assets: number;
  readonly contents: number;
}

interface PlaceRow {
  readonly first_of_group: string;
  readonly published_uri: string | null;
  readonly preview_uri: string | null;
}

const countRows = defineStatement(
  () => sql`select (select count(*) from authors where site_no = ${slot('site')}) as authors,
    (select count(*) from assets where site_no = ${slot('site')}) as assets,
    (select count(*) from contents where site_no = ${slot('site')}) as contents`,
);
const selectAuthorRows = defineStatement(
  () => sql`select no, id, name, email, profile_photo_url from authors
    where site_no = ${slot('site')} and id > ${slot('after')} order by id limit ${slot('limit')} + 0`,
);
const selectAssetRows = defineStatement(
  () => sql`select no, id, name, description, path, url, extension, size, mime_type, width, height,
      sha256, file_name, focal_x, focal_y, placeholder, colour, folder
    from assets where site_no = ${slot('site')} and id > ${slot('after')} order by id limit ${slot('limit')} + 0`,
);
const selectContentRows = defineStatement(
  () => sql`select id from contents
    where site_no = ${slot('site')} and id > ${slot('after')} order by id limit ${slot('limit')} + 0`,
);
// A group is named after its first record. If that record has left the group, the record with the lowest id represents the group.
const selectPlace = defineStatement(
  () => sql`select coalesce(
      (select f.id from contents as f where f.site_no = c.site_no and f.id = c.translation_group
        and f.translation_group = c.translation_group),
      (select min(g.id) from contents as g where g.site_no = c.site_no and g.translation_group = c.translation_group)
    ) as first_of_group,
    (select uri from published_contents where content_no = c.no) as published_uri,
    (select uri from preview_contents where content_no = c.no) as preview_uri
    from contents as c where c.no = ${slot('no')}`,
);
const selectAuthorId = defineStatement(() => sql`select id from authors where no = ${slot('no')}`);

/** The number of rows per page. */
const PAGE_ROWS = 500;

export function* countExported(siteNo: number): Procedure<ExportCounts> {
  const [counts] = yield* query<ExportCounts>(countRows, { site: siteNo });
  return counts ?? { authors: 0, assets: 0, contents: 0 };
}

/** @param after the last id of the previous page; empty for the first page */
export function* selectAuthorsAfter(siteNo: number, after: string): Procedure<readonly AuthorRow[]> {
  return yield* query<AuthorRow>(selectAuthorRows, { site: siteNo, after, limit: PAGE_ROWS });
}

export interface ExportedAsset extends AssetRow {
  readonly file_name: string | null;
  readonly colour: string | null;
  readonly folder: string;
  readonly tags: readonly string[];
}

type ExportedAssetRow = Omit<ExportedAsset, 'tags'> & { readonly no: number };

export function* selectAssetsAfter(siteNo: number, after: string): Procedure<readonly ExportedAsset[]> {
  const rows = yield* query<ExportedAssetRow>(selectAssetRows, { site: siteNo, after, limit: PAGE_ROWS });
  const tags = yield* selectTagsOf(rows.map(({ no }) => no));
  return rows.map((row) => ({ ...row, tags: tags.get(row.no) ?? [] }));
}

export function* selectContentIdsAfter(siteNo: number, after: string): Procedure<readonly string[]> {
  const rows = yield* query<{ id: string }>(selectContentRows, { site: siteNo, after, limit: PAGE_ROWS });
  return rows.map(({ id }) => id);
}

export function* selectExportedContent(siteNo: number, id: string): Procedure<ExportedContent | undefined> {
  const record = yield* selectRecord(siteNo, id);
  if (record === undefined) return undefined;
  const [place] = yield* query<PlaceRow>(selectPlace, { no: record.no });
  const newest = yield* loadVersion(record, record.newestVersion);
  const { publishedVersion } = record;
  const isNewestPublished = publishedVersion === record.newestVersion;
  const older = publishedVersion === null || isNewestPublished ? null : yield* loadVersion(record, publishedVersion);
  return {
    record,
    firstOfGroup: place?.first_of_group ?? id,
    newest,
    published: isNewestPublished ? newest : older,
    publishedUri: place?.published_uri ?? null,
    previewUri: place?.preview_uri ?? null,
  };
}

function* loadVersion(record: StoredContentRecord, number: number): Procedure<ExportedVersion> {
  const version = yield* selectVersion(record.no, number);
  if (version === undefined) throw new Error(`Content ${record.id} has no version ${number}`);
  const { authorNo } = version;
  const [author] = authorNo === null ? [] : yield* query<{ id: string }>(selectAuthorId, { no: authorNo });
  return { ...version, authorId: author?.id ?? null };
}
