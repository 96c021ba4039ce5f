// Exports a site as a bundle that can be imported again: the site, its content types, authors, assets and content, each kind sorted by
// id. The bundle is a consistent snapshot, and only a small part of it is in memory at a time.

import type { Catalog } from '../content/catalog.ts';
import type { ContentType } from '../content/field.ts';
import { collectReferences, type FieldValues, walkFieldValues } from '../content/field-value.ts';
import { keepKnownValues } from '../content/fit-values.ts';
import { findMissingAssets, findMissingInSite } from '../storage/contents/references.ts';
import type { Snapshot } from '../storage/engine.ts';
import { selectCatalog, selectSite } from '../storage/sites/select-catalog.ts';
import {
  countExported,
  type ExportCounts,
  selectAssetsAfter,
  selectAuthorsAfter,
  selectContentIdsAfter,
  selectExportedContent,
} from '../storage/sites/select-exported.ts';
import type { Procedure } from '../storage/statement.ts';
import type { AbsentRecord } from './content-record.ts';
import {
  buildBundlePath,
  renderAssetRecord,
  renderAuthorRecord,
  renderContentRecord,
  renderSiteRecord,
  renderTypeRecord,
} from './render-record.ts';

export interface BundleExport {
  readonly counts: ExportCounts & { readonly contentTypes: number };
  /** The lines, each with its line ending. Read them while the snapshot is open. */
  readonly lines: AsyncGenerator<string, void, undefined>;
  /** The uploaded files, in the order of their assets. Read them while the snapshot is open. */
  readonly files: AsyncGenerator<ExportedFile, void, undefined>;
}

export interface ExportedFile {
  readonly sha256: string;
  readonly bytes: number;
  /** Relative to the bundle, as in the record of its asset. */
  readonly path: string;
}

/** Undefined if there is no such site. */
export async function exportBundle(snapshot: Snapshot, siteId: string): Promise<BundleExport | undefined> {
  const site = await snapshot.run(selectSite(siteId));
  const loaded = site && (await snapshot.run(selectCatalog(site.no)));
  if (loaded === undefined) return undefined;
  const { catalog } = loaded;
  const counts = await snapshot.run(countExported(catalog.site.no));
  return {
    counts: { ...counts, contentTypes: catalog.types.length },
    lines: renderLines(snapshot, catalog),
    files: listFiles(snapshot, catalog.site.no),
  };
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
    if (line === undefined) throw new Error(`Content ${id} is missing from a snapshot`);
    yield line;
  }
}

async function* listFiles(snapshot: Snapshot, siteNo: number): AsyncGenerator<ExportedFile, void, undefined> {
  for await (const asset of readPages(snapshot, (after) => selectAssetsAfter(siteNo, after), readId)) {
    const { sha256, size: bytes, file_name: fileName } = asset;
    if (sha256 !== null) yield { sha256, bytes, path: buildBundlePath(sha256, fileName ?? '') };
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

/** Renders one content object as a line. Returns undefined if the site has no such content. */
export function* exportContent(catalog: Catalog, id: string): Procedure<string | undefined> {
  const { site, typesByNo, typesByHandle } = catalog;
  const content = yield* selectExportedContent(site.no, id);
  if (content === undefined) return undefined;
  const type = typesByNo.get(content.record.typeNo);
  if (type === undefined) throw new Error(`Content ${id} has a type that does not exist in its site`);
  const { newest, published } = content;
  const newestFields = keepKnownValues(type, newest.fields, typesByHandle);
  const publishedFields = published && keepKnownValues(type, published.fields, typesByHandle);
  const versions = publishedFields === null ? [newestFields] : [publishedFields, newestFields];
  const absent = yield* findAbsent(catalog, type, versions);
  const { id: siteId, defaultLanguage } = site;
  return renderContentRecord(content, { siteId, defaultLanguage, type, newestFields, publishedFields, absent });
}

function* findAbsent(
  { site, typesByHandle }: Catalog,
  type: ContentType,
  versions: readonly FieldValues[],
): Procedure<AbsentRecord | null> {
  const references = versions.map((values) => collectReferences(type, values, typesByHandle));
  const links = [...new Set(references.flatMap((each) => each.links))];
  const assetIds = [...new Set(references.flatMap((each) => each.assets))];
  const contents = links.length === 0 ? [] : yield* findMissingInSite(site.no, links);
  const assets = assetIds.length === 0 ? [] : yield* findMissingAssets(site.no, assetIds);
  const options = [...new Set(versions.flatMap((values) => findLostOptions(type, values, { typesByHandle })))];
  if (contents.length + assets.length + options.length === 0) return null;
  return {
    contents: contents.length === 0 ? undefined : contents.toSorted(),
    assets: assets.length === 0 ? undefined : assets.toSorted(),
    options: options.length === 0 ? undefined : options.toSorted(),
  };
}

/** Finds selected options that no longer exist in their field. */
function findLostOptions(
  type: ContentType,
  values: FieldValues,
  { typesByHandle }: Pick<Catalog, 'typesByHandle'>,
): readonly string[] {
  const lost: string[] = [];
  for (const { field, value } of walkFieldValues(type, values, typesByHandle)) {
    if (value === undefined || !('selected_option' in value)) continue;
    const { selected_option: selected } = value;
    if (!field.settings.options?.some((option) => option.value === selected)) lost.push(selected);
  }
  return lost;
}
