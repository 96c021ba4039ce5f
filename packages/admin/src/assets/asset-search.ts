// The part of the library that the asset list shows, as stored in the panel's URL.

import { readSearchText } from '../lists/read-search-text.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';

/** The kinds of file that the list can be filtered by: prefixes of media types. */
export type AssetKind = keyof typeof ASSET_TEXTS.kinds;
export type AssetSort = keyof typeof ASSET_TEXTS.sorts;
export type AssetView = keyof typeof ASSET_TEXTS.views;

export const DEFAULT_SORT: AssetSort = '-created_at';
export const DEFAULT_VIEW: AssetView = 'grid';

export interface AssetSearch {
  readonly search?: string | undefined;
  readonly kind?: AssetKind | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly sort?: AssetSort | undefined;
  readonly view?: AssetView | undefined;
}

/** Drops invalid values and defaults. */
export function parseAssetSearch(search: Readonly<Record<string, unknown>>): AssetSearch {
  const { kind, sort, view } = search;
  return {
    search: readSearchText(search.search),
    kind: isKeyOf(ASSET_TEXTS.kinds, kind) && kind !== 'all' ? kind : undefined,
    folder: readSearchText(search.folder),
    tag: readSearchText(search.tag),
    sort: isKeyOf(ASSET_TEXTS.sorts, sort) && sort !== DEFAULT_SORT ? sort : undefined,
    view: isKeyOf(ASSET_TEXTS.views, view) && view !== DEFAULT_VIEW ? view : undefined,
  };
}

function isKeyOf<Table extends object>(table: Table, value: unknown): value is keyof Table {
  return typeof value === 'string' && Object.hasOwn(table, value);
}

/** The parameters for the API's asset list. The top level shows files from all folders. */
export function buildListParameters({ search, kind, folder, tag, sort = DEFAULT_SORT }: AssetSearch) {
  return {
    ...(search === undefined ? {} : { search }),
    ...(kind === undefined ? {} : { kind }),
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder }),
    sort,
  };
}

/** Whether the list shows only matching files. */
export function isSearch({ search, kind, tag }: AssetSearch): boolean {
  return search !== undefined || kind !== undefined || tag !== undefined;
}
