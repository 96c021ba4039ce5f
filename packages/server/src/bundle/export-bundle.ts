// Writes a site as a bundle that imports to the same site again: the site, its content types, authors, assets and
// contents, each kind in the order of ids. All of it is one moment, and little of it is in memory at a time.

import type { Catalog } from '../content/catalog.ts';
import {
  countExported,
  type ExportCounts,
  type Procedure,
  type Snapshot,
  selectAssetsAfter,
  selectAuthorsAfter,
  selectCatalog,
  selectContentIdsAfter,
  selectSite,
} from '../storage/port.ts';
import { exportContent } from './export-content.ts';
import { renderAssetRecord, renderAuthorRecord, renderSiteRecord, renderTypeRecord } from './render-catalog-record.ts';

export interface BundleExport {
  readonly counts: ExportCounts & { readonly contentTypes: number };
  /** The lines, each with its line end; to be read while the snapshot is open. */
  readonly lines: AsyncGenerator<string, void, undefined>;
}

/** Undefined where there is no such site. */
export async function exportBundle(snapshot: Snapshot, siteId: string): Promise<BundleExport | undefined> {
  const site = await snapshot.run(selectSite(siteId));
  const loaded = site && (await snapshot.run(selectCatalog(site.no)));
  if (loaded === undefined) return undefined;
  const { catalog } = loaded;
  const counts = await snapshot.run(countExported(catalog.site.no));
  return { counts: { ...counts, contentTypes: catalog.types.length }, lines: renderLines(snapshot, catalog) };
}

async function* renderLines(snapshot: Snapshot, catalog: Catalog): AsyncGenerator<string, void, undefined> {
  const { no, id: siteId } = catalog.site;
  yield renderSiteRecord(catalog.site);
  for (const type of catalog.types.toSorted(compareIds)) yield renderTypeRecord(type, siteId);
  const authors = readPages(snapshot, (after) => selectAuthorsAfter(no, after), readId);
  for await (const author of authors) yield renderAuthorRecord(author, siteId);
  const assets = readPages(snapshot, (after) => selectAssetsAfter(no, after), readId);
  for await (const asset of assets) yield renderAssetRecord(asset, siteId);
  const contentIds = readPages(
    snapshot,
    (after) => selectContentIdsAfter(no, after),
    (id) => id,
  );
  for await (const id of contentIds) {
    const line = await snapshot.run(exportContent(catalog, id));
    if (line === undefined) throw new Error(`Content ${id} vanished from a snapshot`);
    yield line;
  }
}

async function* readPages<Row>(
  snapshot: Snapshot,
  selectAfter: (after: string) => Procedure<readonly Row[]>,
  findId: (row: Row) => string,
): AsyncGenerator<Row, void, undefined> {
  let rows = await snapshot.run(selectAfter(''));
  while (rows.length > 0) {
    yield* rows;
    const last = rows.at(-1);
    rows = last === undefined ? [] : await snapshot.run(selectAfter(findId(last)));
  }
}

function readId({ id }: { readonly id: string }): string {
  return id;
}

function compareIds(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
