// Reads sites with their settings, content types and fields.

import { sql } from 'kysely';
import { buildCatalog, type Catalog, type Site } from '../../content/catalog.ts';
import type { ContentType, Field, FieldSettings, FieldType } from '../../content/field.ts';
import type { PreviewAddress } from '../../content/preview-rules.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

interface SiteRow {
  readonly no: number;
  readonly account_no: number;
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly default_language: string;
  readonly languages: string;
  readonly preview_generation: number;
  readonly catalog: number;
}

interface TypeRow {
  readonly no: number;
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly object_type: ContentType['objectType'];
  readonly uri_pattern: string;
}

interface FieldRow {
  readonly no: number;
  readonly type_no: number;
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly help_text: string | null;
  readonly type: FieldType;
  readonly is_required: number;
  readonly settings: string;
  readonly is_hidden: number;
  readonly slot: number;
  readonly marks_missing: number;
}

const siteColumns = sql.raw('no, account_no, id, name, url, default_language, languages, preview_generation, catalog');
/** The row of a deleted site is kept, so every query for sites needs this condition. */
const isThere = sql.raw('deletion is null');
const selectSiteByNo = defineStatement(
  () => sql`select ${siteColumns} from sites where no = ${slot('no')} and ${isThere}`,
);
const selectSiteById = defineStatement(
  () => sql`select ${siteColumns} from sites where id = ${slot('id')} and ${isThere}`,
);
const selectAllSites = defineStatement(() => sql`select ${siteColumns} from sites where ${isThere} order by id`);
const selectAnySite = defineStatement(() => sql`select no from sites limit 1`);
const selectTypes = defineStatement(
  () => sql`select no, id, handle, name, object_type, uri_pattern from content_types
    where site_no = ${slot('site')} order by no`,
);
const selectFields = defineStatement(
  () => sql`select no, type_no, id, handle, name, help_text, type, is_required, settings, is_hidden, slot, marks_missing
    from fields where site_no = ${slot('site')} order by type_no, position, no`,
);

const selectTypeByNo = defineStatement(
  () => sql`select no, site_no, id, handle, name, object_type, uri_pattern from content_types where no = ${slot('no')}`,
);
const selectFieldsOfType = defineStatement(
  () => sql`select no, type_no, id, handle, name, help_text, type, is_required, settings, is_hidden, slot, marks_missing
    from fields where type_no = ${slot('type')} order by position, no`,
);

export interface VersionedCatalog {
  readonly catalog: Catalog;
  /** Increases with every change to the catalog. */
  readonly version: number;
}

const selectVersion = defineStatement(() => sql`select catalog from sites where no = ${slot('no')} and ${isThere}`);

/** Returns undefined if there is no such site. */
export function* selectCatalogVersion(siteNo: number): Procedure<number | undefined> {
  return (yield* query<{ catalog: number }>(selectVersion, { no: siteNo }))[0]?.catalog;
}

export function* selectCatalog(siteNo: number): Procedure<VersionedCatalog | undefined> {
  const [site] = yield* query<SiteRow>(selectSiteByNo, { no: siteNo });
  if (site === undefined) return undefined;
  const fields = yield* query<FieldRow>(selectFields, { site: siteNo });
  const types = yield* query<TypeRow>(selectTypes, { site: siteNo });
  const fieldsByType = Map.groupBy(fields, (field) => field.type_no);
  return {
    catalog: buildCatalog(
      readSite(site),
      types.map((type) => readType(type, (fieldsByType.get(type.no) ?? []).map(readField))),
    ),
    version: site.catalog,
  };
}

/** Returns the type with its site's number. */
export function* selectType(
  no: number,
): Procedure<{ readonly siteNo: number; readonly type: ContentType } | undefined> {
  const [row] = yield* query<TypeRow & { readonly site_no: number }>(selectTypeByNo, { no });
  if (row === undefined) return undefined;
  const fields = yield* query<FieldRow>(selectFieldsOfType, { type: no });
  return { siteNo: row.site_no, type: readType(row, fields.map(readField)) };
}

/** Increases with every change to the site or its content, including drafts. */
export function* selectPreviewGeneration(siteNo: number): Procedure<number | undefined> {
  return (yield* query<SiteRow>(selectSiteByNo, { no: siteNo }))[0]?.preview_generation;
}

export function* selectSite(id: string): Procedure<Site | undefined> {
  const [row] = yield* query<SiteRow>(selectSiteById, { id });
  return row === undefined ? undefined : readSite(row);
}

export function* selectSites(): Procedure<readonly Site[]> {
  return (yield* query<SiteRow>(selectAllSites)).map(readSite);
}

/** Whether a site exists, or ever existed. */
export function* hasHadSites(): Procedure<boolean> {
  return (yield* query(selectAnySite)).length > 0;
}

function readSite(row: SiteRow): Site {
  return {
    no: row.no,
    accountNo: row.account_no,
    id: row.id,
    name: row.name,
    url: row.url,
    defaultLanguage: row.default_language,
    languages: parseStored<readonly string[]>(row.languages),
  };
}

function readType(row: TypeRow, fields: readonly Field[]): ContentType {
  return {
    no: row.no,
    id: row.id,
    handle: row.handle,
    name: row.name,
    objectType: row.object_type,
    uriPattern: row.uri_pattern,
    fields,
  };
}

function readField(row: FieldRow): Field {
  return {
    no: row.no,
    id: row.id,
    handle: row.handle,
    name: row.name,
    helpText: row.help_text,
    type: row.type,
    isRequired: row.is_required === 1,
    settings: parseStored<FieldSettings>(row.settings),
    isHidden: row.is_hidden === 1,
    slot: row.slot,
    marksMissing: row.marks_missing === 1,
  };
}

/** A site from its owners' point of view. */
export interface SiteRecord extends Site {
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The default address comes first. */
  readonly previewAddresses: readonly PreviewAddress[];
}

interface SiteRecordRow extends SiteRow {
  readonly created_at: number;
  readonly updated_at: number;
  readonly preview_addresses: string | null;
}

const recordColumns = sql`${siteColumns}, created_at, updated_at,
  (select addresses from preview_settings as p where p.site_no = sites.no) as preview_addresses`;
const selectRecordById = defineStatement(
  () =>
    sql`select ${recordColumns} from sites where account_no = ${slot('account')} and id = ${slot('id')} and ${isThere}`,
);
const selectRecordPage = defineStatement(
  () => sql`select ${recordColumns} from sites where account_no = ${slot('account')} and id > ${slot('after')} and ${isThere}
    order by id limit ${slot('limit')} + 0`,
);

/** Undefined if the site does not exist or belongs to another account. */
export function* selectSiteRecord(accountNo: number, id: string): Procedure<SiteRecord | undefined> {
  const [row] = yield* query<SiteRecordRow>(selectRecordById, { account: accountNo, id });
  return row && readRecord(row);
}

/** Sorted by id. */
export function* selectSiteRecords(accountNo: number, after: string, limit: number): Procedure<readonly SiteRecord[]> {
  return (yield* query<SiteRecordRow>(selectRecordPage, { account: accountNo, after, limit })).map(readRecord);
}

function readRecord(row: SiteRecordRow): SiteRecord {
  const { created_at: createdAt, updated_at: updatedAt, preview_addresses: addresses } = row;
  const previewAddresses = addresses === null ? [] : parseStored<readonly PreviewAddress[]>(addresses);
  return { ...readSite(row), createdAt, updatedAt, previewAddresses };
}
