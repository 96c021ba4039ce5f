// A site's assets. An asset consists of a file's properties and its URL.

import { sql } from 'kysely';
import type { ShownAsset } from '../../content/render-content.ts';
import { buildTextKey } from '../../content/text-key.ts';
import {
  buildContainsPattern,
  buildStartsPattern,
  defineNamePage,
  type NamePosition,
  type Written,
  writeNamed,
} from '../named-rows.ts';
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
}

export interface ListedAssetRow extends AssetRow {
  readonly no: number;
  readonly name_key: string;
}

const columns = sql.raw('no, id, name, name_key, description, path, url, extension, size, mime_type, width, height');
const selectById = defineStatement(
  () => sql`select ${columns} from assets where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectPage = defineNamePage('assets', columns, [sql`mime_type like ${slot('kind')} escape '\\'`]);
const insertRow = defineStatement(
  () => sql`insert into assets
      (site_no, id, name, name_key, description, path, url, extension, size, mime_type, width, height)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('nameKey')}, ${slot('description')}, ${slot('path')},
      ${slot('url')}, ${slot('extension')}, ${slot('size')}, ${slot('mime_type')}, ${slot('width')}, ${slot('height')})
    returning no`,
);
const updateRow = defineStatement(
  () => sql`update assets set name = ${slot('name')}, name_key = ${slot('nameKey')}, description = ${slot('description')},
    path = ${slot('path')}, url = ${slot('url')}, extension = ${slot('extension')}, size = ${slot('size')},
    mime_type = ${slot('mime_type')}, width = ${slot('width')}, height = ${slot('height')} where no = ${slot('no')}`,
);
const deleteRow = defineStatement(() => sql`delete from assets where no = ${slot('no')}`);

export interface AssetSearch {
  readonly name: string;
  /** The prefix of a media type, such as `image/`; empty for all media types. */
  readonly kind: string;
}

export function* selectAsset(siteNo: number, id: string): Procedure<ListedAssetRow | undefined> {
  return (yield* query<ListedAssetRow>(selectById, { site: siteNo, id }))[0];
}

/** Sorted by name, ignoring case and accents. */
export function* selectAssets(
  siteNo: number,
  search: AssetSearch,
  after: NamePosition,
  limit: number,
): Procedure<readonly ListedAssetRow[]> {
  const pattern = buildContainsPattern(buildTextKey(search.name));
  const kind = buildStartsPattern(search.kind);
  return yield* query<ListedAssetRow>(selectPage, { site: siteNo, pattern, kind, key: after.key, no: after.no, limit });
}

export function writeAsset(siteNo: number, asset: AssetWrite, now: number): Procedure<Written> {
  const { id, name, description, path, url, extension, size, mimeType, width, height } = asset;
  const values = { name, description, path, url, extension, size, mime_type: mimeType, width, height };
  return writeNamed({ selectById, insertRow, updateRow }, { site: siteNo, id, values }, () =>
    announce(siteNo, [{ kind: 'asset', assetId: id }], now),
  );
}

/** The asset should not be in use. Content that still refers to it is rendered without it. */
export function* deleteAsset(no: number): Procedure<void> {
  yield* query(deleteRow, { no });
}
