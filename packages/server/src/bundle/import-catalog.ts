// Imports the records that content refers to: sites, content types, authors and assets. They are collected first and then written in
// order of their dependencies. An import adds and changes records, but deletes nothing. A faulty record is not written, and everything
// that belongs to it is suspect.

import type { Catalog } from '../content/catalog.ts';
import { buildFieldParts, type FieldDefinition, isSameField } from '../content/content-type-definition.ts';
import type { ContentType, Field } from '../content/field.ts';
import { findDataFaults, findMismatches, isHostilePicture } from '../content/find-data-faults.ts';
import { buildId } from '../content/ids.ts';
import { MAIN_ACCOUNT_NO } from '../storage/accounts/accounts.ts';
import { hasContentOfType } from '../storage/contents/references.ts';
import type { Transaction } from '../storage/engine.ts';
import { retireAssetFiles } from '../storage/sites/asset-files.ts';
import { writeAsset } from '../storage/sites/assets.ts';
import { writeAuthor } from '../storage/sites/authors.ts';
import { selectCatalog, selectSite } from '../storage/sites/select-catalog.ts';
import { isDeletionUnfinished, writeSite } from '../storage/sites/write-site.ts';
import { insertContentType, insertField, updateContentType, updateField } from '../storage/types/write-types.ts';
import type { AssetRecord, FileAssetRecord } from './asset-record.ts';
import type { BundleFiles } from './bundle-files.ts';
import type { AuthorRecord, BundleRecord, ContentTypeRecord, SiteRecord } from './bundle-record.ts';
import { type BundleReport, placeFault, type RecordFault } from './bundle-report.ts';
import { withLine } from './content-lines.ts';
import { importFileAsset, importTags } from './import-asset.ts';
import { ImportedSites, type RecordCounts } from './imported-sites.ts';
import { RequiredFields } from './required-fields.ts';

type CatalogRecord = Exclude<BundleRecord, { kind: 'content' }>;

interface Placed<Record> {
  readonly line: number;
  readonly record: Record;
}

export interface CatalogImportOptions {
  readonly now: number;
  readonly newUuid: () => string;
  readonly report: BundleReport;
  /** Undefined if the bundle cannot have files. */
  readonly files: BundleFiles | undefined;
  /** The bundle's folder. */
  readonly folder: string;
}

export class CatalogImport {
  readonly #transaction: Transaction;
  readonly #options: CatalogImportOptions;
  readonly #sites: Placed<SiteRecord>[] = [];
  readonly #types: Placed<ContentTypeRecord>[] = [];
  readonly #authors: Placed<AuthorRecord>[] = [];
  readonly #assets: Placed<AssetRecord>[] = [];
  readonly #lines = new Map<string, number>();
  readonly #lineNumbers = new Set<number>();
  /** Checked once all content has been written. */
  readonly required = new RequiredFields();

  constructor(transaction: Transaction, options: CatalogImportOptions) {
    this.#transaction = transaction;
    this.#options = options;
  }

  collect(line: number, record: CatalogRecord): void {
    this.#lineNumbers.add(line);
    const first = this.#findFirst(line, record);
    if (first !== undefined) {
      this.#options.report.refuse(line, record, [{ field: null, message: `is already defined on line ${first}` }]);
    } else if (record.kind === 'site') this.#sites.push({ line, record });
    else if (record.kind === 'content_type') this.#types.push({ line, record });
    else if (record.kind === 'author') this.#authors.push({ line, record });
    else this.#assets.push({ line, record });
  }

  /** Whether the record on this line was collected. */
  hasLine(line: number): boolean {
    return this.#lineNumbers.has(line);
  }

  async apply(): Promise<ImportedSites> {
    const sites = new ImportedSites(this.#transaction, this.#options.report);
    for (const { line, record } of this.#sites) await withLine(line, this.#applySite(line, record, sites));
    for (const { line, record } of this.#types) await withLine(line, this.#applyType(line, record, sites));
    for (const { line, record } of this.#authors) await withLine(line, this.#applyAuthor(line, record, sites));
    for (const { line, record } of this.#assets) await withLine(line, this.#applyAsset(line, record, sites));
    return sites;
  }

  async #applySite(line: number, record: SiteRecord, sites: ImportedSites): Promise<void> {
    const { id, name, url, default_language: defaultLanguage, languages } = record;
    const known = await this.#transaction.run(selectSite(id));
    const missing = known?.languages.find((language) => !languages.includes(language));
    if (missing !== undefined) {
      const message = `must keep ${missing}, which the site already has`;
      return this.#refuse(line, record, [{ field: 'languages', message }]);
    }
    if (await this.#transaction.run(isDeletionUnfinished(id))) {
      const message = 'a site with this id is being deleted; run the deletion again to finish it';
      return this.#refuse(line, record, [{ field: null, message }]);
    }
    const site = { accountNo: MAIN_ACCOUNT_NO, id, name, url, defaultLanguage, languages };
    const written = await this.#transaction.run(writeSite(site, this.#options.now));
    sites.note(id, written.no);
    count(sites, written.no, 'sites', written);
  }

  async #applyType(line: number, record: ContentTypeRecord, sites: ImportedSites): Promise<void> {
    const siteNo = await sites.findNumber(line, record, record.site);
    if (siteNo === undefined) return this.#suspect(record);
    const catalog = await this.#loadCatalog(siteNo);
    const { id, handle, name, object_type: objectType, uri_pattern: uriPattern } = record;
    const known = catalog.types.find((type) => type.id === id);
    const faults = [
      ...findHandleFaults(record, known, catalog),
      ...(known === undefined ? [] : await this.#findKindFaults(known, objectType, catalog)),
      ...findFieldFaults(record.fields, known?.fields ?? []),
      ...findTakenFieldIds(record.fields, catalog, id),
    ];
    if (faults.length > 0) return this.#refuse(line, record, faults);
    const type = { name, objectType, uriPattern };
    const isSame = known?.name === name && known.objectType === objectType && known.uriPattern === uriPattern;
    let typeNo = known?.no;
    if (typeNo === undefined) {
      typeNo = await this.#transaction.run(insertContentType(siteNo, { id, handle, ...type }, this.#options.now));
    } else if (!isSame) {
      await this.#transaction.run(updateContentType(typeNo, type, this.#options.now));
    }
    this.required.note(line, record, siteNo, known);
    const haveFieldsChanged = await this.#applyFields(siteNo, typeNo, record.fields, known?.fields ?? []);
    count(sites, siteNo, 'contentTypes', { hasChanged: !isSame || haveFieldsChanged });
  }

  /** Blocks are part of content and have no separate records, so an existing type cannot be changed to or from a block type. */
  async #findKindFaults(
    known: ContentType,
    objectType: ContentType['objectType'],
    catalog: Catalog,
  ): Promise<readonly RecordFault[]> {
    const wasBlock = known.objectType === 'block';
    if (wasBlock === (objectType === 'block')) return [];
    const holders = wasBlock
      ? catalog.types.filter(({ fields }) => fields.some(({ type }) => type === 'blocks'))
      : [known];
    const reason = wasBlock ? 'existing content may contain blocks of this type' : 'there is content of this type';
    for (const { no } of holders) {
      if (!(await this.#transaction.run(hasContentOfType(no)))) continue;
      return [{ field: 'object_type', message: `must stay ${known.objectType}, because ${reason}` }];
    }
    return [];
  }

  async #applyFields(
    siteNo: number,
    typeNo: number,
    definitions: readonly FieldDefinition[],
    known: readonly Field[],
  ): Promise<boolean> {
    const { now } = this.#options;
    let hasChanged = false;
    for (const [position, definition] of definitions.entries()) {
      const parts = buildFieldParts(definition);
      const { handle } = parts;
      const field = known.find((candidate) => candidate.handle === handle);
      if (field === undefined) {
        const id = definition.id ?? buildId('field', this.#options.newUuid());
        await this.#transaction.run(insertField(siteNo, typeNo, { id, position, ...parts }, now));
        hasChanged = true;
        continue;
      }
      if (known.indexOf(field) === position && isSameField(field, parts)) continue;
      await this.#transaction.run(updateField({ typeNo, no: field.no }, { position, ...parts }, now));
      hasChanged = true;
    }
    // Fields that are not in the bundle are kept and come last.
    const others = known.filter(({ handle }) => definitions.every((definition) => definition.handle !== handle));
    for (const [index, field] of others.entries()) {
      const position = definitions.length + index;
      if (known.indexOf(field) === position) continue;
      await this.#transaction.run(updateField({ typeNo, no: field.no }, { ...field, position }, now));
    }
    return hasChanged;
  }

  async #applyAuthor(line: number, record: AuthorRecord, sites: ImportedSites): Promise<void> {
    const { site, id, name, email, profile_photo_url: profilePhotoUrl } = record;
    const siteNo = await sites.findNumber(line, record, site);
    if (siteNo === undefined) return this.#suspect(record);
    const faults = listPictureFaults('profile_photo_url', profilePhotoUrl);
    if (profilePhotoUrl !== null && isHostilePicture({ url: profilePhotoUrl }))
      return this.#refuse(line, record, faults);
    const written = await this.#transaction.run(
      writeAuthor(siteNo, { id, name, email, profilePhotoUrl }, this.#options.now),
    );
    if (written.hasChanged && faults.length > 0) this.#options.report.warn(line, record, faults);
    count(sites, siteNo, 'authors', written);
  }

  async #applyAsset(line: number, record: AssetRecord, sites: ImportedSites): Promise<void> {
    const siteNo = await sites.findNumber(line, record, record.site);
    if (siteNo === undefined) return this.#suspect(record);
    if (record.file !== null) return this.#applyFileAsset(line, record, siteNo, sites);
    const { site: _, mime_type: mimeType, focal_point: focalPoint, tags, ...asset } = record;
    const mismatches = findMismatches(record).map((fault) => placeFault(fault));
    const faults = [...listPictureFaults('url', asset.url), ...mismatches];
    if (isHostilePicture(record)) return this.#refuse(line, record, faults);
    const { now, report } = this.#options;
    const written = await this.#transaction.run(writeAsset(siteNo, { ...asset, mimeType, focalPoint }, now));
    if (written.hasChanged && !written.isNew) await this.#transaction.run(retireAssetFiles(written.no, now));
    if (written.hasChanged && faults.length > 0) report.warn(line, record, faults);
    count(sites, siteNo, 'assets', { hasChanged: await importTags(this.#transaction, siteNo, written, tags) });
  }

  async #applyFileAsset(line: number, record: FileAssetRecord, siteNo: number, sites: ImportedSites): Promise<void> {
    const { files, folder, now } = this.#options;
    const written = await importFileAsset({ transaction: this.#transaction, siteNo, files, folder, now }, record);
    if (!written.ok) return this.#refuse(line, record, [{ field: 'file', message: written.problem }]);
    count(sites, siteNo, 'assets', written.value);
  }

  async #loadCatalog(siteNo: number): Promise<Catalog> {
    const loaded = await this.#transaction.run(selectCatalog(siteNo));
    if (loaded === undefined) throw new Error('A site disappeared during its import');
    return loaded.catalog;
  }

  /** Returns the first line that defines the same record, if there is one. */
  #findFirst(line: number, record: CatalogRecord): number | undefined {
    const name = record.kind === 'site' ? `site ${record.id}` : `${record.kind} ${record.id}`;
    const place = record.kind === 'site' ? name : `${record.site}/${name}`;
    const first = this.#lines.get(place);
    if (first === undefined) this.#lines.set(place, line);
    return first;
  }

  #refuse(line: number, record: CatalogRecord, faults: readonly RecordFault[]): void {
    this.#suspect(record);
    this.#options.report.refuse(line, record, faults);
  }

  #suspect(record: CatalogRecord): void {
    this.#options.report.suspect(record.kind, record.kind === 'content_type' ? record.handle : record.id);
  }
}

function count(
  sites: ImportedSites,
  siteNo: number,
  kind: keyof RecordCounts,
  { hasChanged }: { readonly hasChanged: boolean },
): void {
  sites.count(siteNo, kind);
  if (hasChanged) sites.count(siteNo, 'changed');
}

function findHandleFaults(
  { id, handle }: ContentTypeRecord,
  known: ContentType | undefined,
  catalog: Catalog,
): readonly RecordFault[] {
  const namesake = catalog.typesByHandle.get(handle);
  if (namesake !== undefined && namesake.id !== id) {
    return [{ field: 'handle', message: `${handle} belongs to ${namesake.id}` }];
  }
  if (known === undefined || known.handle === handle) return [];
  return [{ field: 'handle', message: `must stay ${known.handle}, got ${handle}` }];
}

/**
 * Finds the faults for which the management API would refuse a `data:` URL. An import, which only the operator can run,
 * accepts such a URL unless the picture could run code.
 */
function listPictureFaults(field: string, address: string | null): readonly RecordFault[] {
  return address === null ? [] : findDataFaults(address).map((message) => ({ field, message }));
}

function findFieldFaults(definitions: readonly FieldDefinition[], known: readonly Field[]): readonly RecordFault[] {
  return definitions.flatMap(({ handle, type, id }) => {
    const field = known.find((candidate) => candidate.handle === handle);
    if (field === undefined) return [];
    const faults: RecordFault[] = [];
    if (field.type !== type) faults.push({ field: handle, message: `must stay a ${field.type} field, got ${type}` });
    if (id !== null && field.id !== id) {
      faults.push({ field: handle, message: `must keep the id ${field.id}, got ${id}` });
    }
    return faults;
  });
}

function findTakenFieldIds(
  definitions: readonly FieldDefinition[],
  catalog: Catalog,
  typeId: string,
): readonly RecordFault[] {
  return definitions.flatMap(({ id, handle }) => {
    const owner = id === null ? undefined : catalog.types.find((type) => type.fields.some((field) => field.id === id));
    const field = owner?.fields.find((candidate) => candidate.id === id);
    if (owner === undefined || field === undefined) return [];
    if (owner.id === typeId && field.handle === handle) return [];
    return [{ field: handle, message: `the id ${id} belongs to the field ${field.handle} of ${owner.handle}` }];
  });
}
