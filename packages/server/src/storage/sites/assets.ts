// A site's assets. An asset is an uploaded file, or the URL and properties of a file elsewhere.

import { sql } from 'kysely';
import type { ShownAsset } from '../../content/render-content.ts';
import { buildTextKey, foldText } from '../../content/text-key.ts';
import { isSame, type Written, writeNamed } from '../named-rows.ts';
import { announce } from '../publication/announce.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export type AssetRow = ShownAsset;

export interface AssetWrite {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  readonly size: number;
  readonly mimeType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  readonly folder: string;
  /** Null for an asset that is only a web address. */
  readonly file: AssetFile | null;
}

/** The properties that only uploaded files have. */
export interface AssetFile {
  readonly sha256: string;
  readonly fileName: string;
  readonly placeholder: string | null;
  readonly colour: string | null;
}

export interface ListedAssetRow extends AssetRow {
  readonly no: number;
  readonly name_key: string;
  readonly file_name: string | null;
  readonly colour: string | null;
  readonly folder: string;
  readonly created_at: number;
}

/** The columns of a listed asset, in the table with the alias `a`. */
export const assetColumns = sql.join(
  [
    ...[
      'no',
      'id',
      'name',
      'name_key',
      'description',
      'path',
      'url',
      'extension',
      'size',
      'mime_type',
      'width',
      'height',
    ],
    ...['sha256', 'file_name', 'focal_x', 'focal_y', 'placeholder', 'colour', 'folder', 'created_at'],
  ].map((column) => sql.ref(`a.${column}`)),
);
const selectById = defineStatement(
  () => sql`select ${assetColumns} from assets as a where a.site_no = ${slot('site')} and a.id = ${slot('id')}`,
);
const insertRow = defineStatement(
  () => sql`insert into assets
      (site_no, id, name, name_key, description, path, url, extension, size, mime_type, width, height,
        sha256, file_name, focal_x, focal_y, placeholder, colour, folder, folder_key, search_key, created_at)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('nameKey')}, ${slot('description')}, ${slot('path')},
      ${slot('url')}, ${slot('extension')}, ${slot('size')}, ${slot('mime_type')}, ${slot('width')}, ${slot('height')},
      ${slot('sha256')}, ${slot('file_name')}, ${slot('focal_x')}, ${slot('focal_y')}, ${slot('placeholder')},
      ${slot('colour')}, ${slot('folder')}, ${slot('folder_key')}, ${slot('search_key')}, ${slot('now')})
    returning no`,
);
const updateRow = defineStatement(
  () => sql`update assets set name = ${slot('name')}, name_key = ${slot('nameKey')}, description = ${slot('description')},
    path = ${slot('path')}, url = ${slot('url')}, extension = ${slot('extension')}, size = ${slot('size')},
    mime_type = ${slot('mime_type')}, width = ${slot('width')}, height = ${slot('height')}, sha256 = ${slot('sha256')},
    file_name = ${slot('file_name')}, focal_x = ${slot('focal_x')}, focal_y = ${slot('focal_y')},
    placeholder = ${slot('placeholder')}, colour = ${slot('colour')}, folder = ${slot('folder')},
    folder_key = ${slot('folder_key')}, search_key = ${slot('search_key')} where no = ${slot('no')}`,
);
const deleteRow = defineStatement(() => sql`delete from assets where no = ${slot('no')}`);

const selectByDigest = defineStatement(
  () =>
    sql`select ${assetColumns} from assets as a
      where a.sha256 = ${slot('sha256')} and a.site_no = ${slot('site')} order by a.no limit 1`,
);

/** The site's first asset with these bytes. */
export function* selectAssetByDigest(siteNo: number, sha256: string): Procedure<ListedAssetRow | undefined> {
  return (yield* query<ListedAssetRow>(selectByDigest, { site: siteNo, sha256 }))[0];
}

export function* selectAsset(siteNo: number, id: string): Procedure<ListedAssetRow | undefined> {
  return (yield* query<ListedAssetRow>(selectById, { site: siteNo, id }))[0];
}

export function writeAsset(siteNo: number, asset: AssetWrite, now: number): Procedure<Written> {
  const { id, name, description, path, url, extension, size, mimeType, width, height, focalPoint, folder, file } =
    asset;
  const shown = {
    name,
    description,
    path,
    url,
    extension,
    size,
    mime_type: mimeType,
    width,
    height,
    focal_x: focalPoint?.x ?? null,
    focal_y: focalPoint?.y ?? null,
    placeholder: file?.placeholder ?? null,
    sha256: file?.sha256 ?? null,
  };
  const values = { ...shown, file_name: file?.fileName ?? null, colour: file?.colour ?? null, folder };
  const search_key = buildSearchKey([name, mimeType, description ?? '']);
  const folder_key = buildTextKey(folder);
  return writeNamed(
    { selectById, insertRow, updateRow },
    { site: siteNo, id, values, unread: { search_key, folder_key, now } },
    function* (_no, before) {
      if (!isSame(before, shown)) yield* announce(siteNo, [{ kind: 'asset', assetId: id }], now);
    },
  );
}

const updateFolder = defineStatement(
  () => sql`update assets set folder = ${slot('folder')}, folder_key = ${slot('folder_key')} where no = ${slot('no')}`,
);

/** Readers never see folders, so the change is not announced. */
export function* moveAsset(no: number, folder: string): Procedure<void> {
  yield* query(updateFolder, { no, folder, folder_key: buildTextKey(folder) });
}

const MOST_SEARCHED = 10_000;

/** This key is not in any index, so it may be long. The folder has a separate key, which changes when the folder is renamed. */
function buildSearchKey(parts: readonly string[]): string {
  return foldText(parts.join('\n').slice(0, MOST_SEARCHED));
}

/** The asset should not be in use. Content that still refers to it is rendered without it. */
export function* deleteAsset(no: number): Procedure<void> {
  yield* query(deleteRow, { no });
}
