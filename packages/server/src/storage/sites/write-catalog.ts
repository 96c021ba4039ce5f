// Writes what a site is made of. Each write says whether it changed anything, so that saving the same again moves no
// generation and keeps every cached answer valid.

import { sql } from 'kysely';
import type { ContentType, FieldSettings, FieldType } from '../../content/field.ts';
import { defineStatement, type Procedure, query, type SlotValues, type SqlRow, slot } from '../statement.ts';

export interface SiteWrite {
  /** Whose a new site is; one that is there already stays where it is. */
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
}

export interface AuthorWrite {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profilePhotoUrl: string | null;
}

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

export interface TypeWrite {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly objectType: ContentType['objectType'];
  readonly uriPattern: string;
}

export interface FieldWrite {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly helpText: string | null;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly settings: FieldSettings;
  readonly isHidden: boolean;
  readonly slot: number;
  readonly position: number;
}

interface NumberedRow extends SqlRow {
  readonly no: number;
}

const selectSiteRow = defineStatement(
  () => sql`select no, name, url, default_language, languages from sites where id = ${slot('id')}`,
);
const insertSite = defineStatement(
  () => sql`insert into sites (account_no, id, name, url, default_language, languages, generation, catalog, created_at, updated_at)
    values (${slot('account')}, ${slot('id')}, ${slot('name')}, ${slot('url')}, ${slot('default_language')},
      ${slot('languages')}, 1, ${slot('now')}, ${slot('now')}, ${slot('now')}) returning no`,
);
const updateSite = defineStatement(
  () => sql`update sites set name = ${slot('name')}, url = ${slot('url')}, default_language = ${slot('default_language')},
    languages = ${slot('languages')}, updated_at = ${slot('now')} where no = ${slot('no')}`,
);

export interface Written {
  readonly no: number;
  readonly hasChanged: boolean;
}

export function* writeSite(site: SiteWrite, now: number): Procedure<Written> {
  const values = {
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: JSON.stringify(site.languages),
  };
  const [known] = yield* query<NumberedRow>(selectSiteRow, { id: site.id });
  if (known === undefined)
    return yield* insertNumbered(insertSite, { account: site.accountNo, id: site.id, now, ...values });
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateSite, { no: known.no, now, ...values });
  return { no: known.no, hasChanged: true };
}

const selectAuthorRow = defineStatement(
  () =>
    sql`select no, name, email, profile_photo_url from authors where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const insertAuthor = defineStatement(
  () => sql`insert into authors (site_no, id, name, email, profile_photo_url)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('email')}, ${slot('profile_photo_url')}) returning no`,
);
const updateAuthor = defineStatement(
  () => sql`update authors set name = ${slot('name')}, email = ${slot('email')},
    profile_photo_url = ${slot('profile_photo_url')} where no = ${slot('no')}`,
);

export function* writeAuthor(siteNo: number, author: AuthorWrite): Procedure<Written> {
  const values = { name: author.name, email: author.email, profile_photo_url: author.profilePhotoUrl };
  const [known] = yield* query<NumberedRow>(selectAuthorRow, { site: siteNo, id: author.id });
  if (known === undefined) return yield* insertNumbered(insertAuthor, { site: siteNo, id: author.id, ...values });
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateAuthor, { no: known.no, ...values });
  return { no: known.no, hasChanged: true };
}

const selectAssetRow = defineStatement(
  () => sql`select no, name, description, path, url, extension, size, mime_type, width, height from assets
    where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const insertAsset = defineStatement(
  () => sql`insert into assets (site_no, id, name, description, path, url, extension, size, mime_type, width, height)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('description')}, ${slot('path')}, ${slot('url')},
      ${slot('extension')}, ${slot('size')}, ${slot('mime_type')}, ${slot('width')}, ${slot('height')}) returning no`,
);
const updateAsset = defineStatement(
  () => sql`update assets set name = ${slot('name')}, description = ${slot('description')}, path = ${slot('path')},
    url = ${slot('url')}, extension = ${slot('extension')}, size = ${slot('size')}, mime_type = ${slot('mime_type')},
    width = ${slot('width')}, height = ${slot('height')} where no = ${slot('no')}`,
);

export function* writeAsset(siteNo: number, asset: AssetWrite): Procedure<Written> {
  const { name, description, path, url, extension, size, mimeType, width, height } = asset;
  const values = { name, description, path, url, extension, size, mime_type: mimeType, width, height };
  const [known] = yield* query<NumberedRow>(selectAssetRow, { site: siteNo, id: asset.id });
  if (known === undefined) return yield* insertNumbered(insertAsset, { site: siteNo, id: asset.id, ...values });
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateAsset, { no: known.no, ...values });
  return { no: known.no, hasChanged: true };
}

const insertType = defineStatement(
  () => sql`insert into content_types (site_no, id, handle, name, object_type, uri_pattern)
    values (${slot('site')}, ${slot('id')}, ${slot('handle')}, ${slot('name')}, ${slot('object_type')},
      ${slot('uri_pattern')}) returning no`,
);
const updateType = defineStatement(
  () => sql`update content_types set name = ${slot('name')}, object_type = ${slot('object_type')},
    uri_pattern = ${slot('uri_pattern')} where no = ${slot('no')}`,
);

export function* insertContentType(siteNo: number, type: TypeWrite): Procedure<number> {
  const { id, handle, name, objectType, uriPattern } = type;
  const values = { site: siteNo, id, handle, name, object_type: objectType, uri_pattern: uriPattern };
  return (yield* insertNumbered(insertType, values)).no;
}

export function* updateContentType(no: number, type: Omit<TypeWrite, 'id' | 'handle'>): Procedure<void> {
  yield* query(updateType, { no, name: type.name, object_type: type.objectType, uri_pattern: type.uriPattern });
}

const insertFieldRow = defineStatement(
  () => sql`insert into fields
      (site_no, type_no, id, handle, name, help_text, type, is_required, settings, is_hidden, slot, position, marks_missing)
    values (${slot('site')}, ${slot('type_no')}, ${slot('id')}, ${slot('handle')}, ${slot('name')},
      ${slot('help_text')}, ${slot('type')}, ${slot('is_required')}, ${slot('settings')}, ${slot('is_hidden')}, ${slot('slot')},
      ${slot('position')}, ${slot('marks_missing')}) returning no`,
);
const updateFieldRow = defineStatement(
  () => sql`update fields set name = ${slot('name')}, help_text = ${slot('help_text')},
    is_required = ${slot('is_required')}, settings = ${slot('settings')}, is_hidden = ${slot('is_hidden')}, position = ${slot('position')}
    where no = ${slot('no')}`,
);
const selectAnyContent = defineStatement(() => sql`select no from contents where type_no = ${slot('type_no')} limit 1`);

export function* insertField(siteNo: number, typeNo: number, field: FieldWrite): Procedure<number> {
  // Content that is there already carries no mark where it lacks the new field.
  const hasContent = (yield* query(selectAnyContent, { type_no: typeNo })).length > 0;
  const { id, handle, name, helpText, type, isRequired, settings, position } = field;
  const values = {
    site: siteNo,
    type_no: typeNo,
    id,
    handle,
    name,
    help_text: helpText,
    type,
    is_required: isRequired ? 1 : 0,
    settings: JSON.stringify(settings),
    is_hidden: field.isHidden ? 1 : 0,
    slot: field.slot,
    position,
    marks_missing: hasContent ? 0 : 1,
  };
  return (yield* insertNumbered(insertFieldRow, values)).no;
}

export function* updateField(no: number, field: Omit<FieldWrite, 'id' | 'handle' | 'type' | 'slot'>): Procedure<void> {
  yield* query(updateFieldRow, {
    no,
    name: field.name,
    help_text: field.helpText,
    is_required: field.isRequired ? 1 : 0,
    settings: JSON.stringify(field.settings),
    is_hidden: field.isHidden ? 1 : 0,
    position: field.position,
  });
}

const moveGenerationRow = defineStatement(
  () => sql`update sites set generation = generation + 1 where no = ${slot('no')}`,
);
// A catalog's version is a time, so that no other history of the same database has used it: clients hold it in ETags.
const moveCatalogRow = defineStatement(
  () => sql`update sites set generation = generation + 1,
    catalog = case when catalog >= ${slot('now')} then catalog + 1 else ${slot('now')} end where no = ${slot('no')}`,
);

/** To be called in the transaction that changes anything that a reader of the site can see. */
export function* moveGeneration(siteNo: number, hasCatalogChanged: boolean, now: number): Procedure<void> {
  yield* query(hasCatalogChanged ? moveCatalogRow : moveGenerationRow, { no: siteNo, now });
}

function* insertNumbered(statement: ReturnType<typeof defineStatement>, values: SlotValues): Procedure<Written> {
  const [row] = yield* query<NumberedRow>(statement, values);
  if (row === undefined) throw new Error('An insert returned no number');
  return { no: row.no, hasChanged: true };
}

function isSame(row: SqlRow, values: SlotValues): boolean {
  return Object.entries(values).every(([name, value]) => row[name] === value);
}
