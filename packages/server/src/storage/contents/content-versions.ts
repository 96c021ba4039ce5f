// The saved versions of content: the values, the time, and who saved them.

import { sql } from 'kysely';
import type { FieldValues } from '../../content/field-value.ts';
import { EMPTY_SEO, type Seo } from '../../content/seo.ts';
import { defineInsertMany } from '../batch.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface ContentVersion {
  readonly name: string;
  readonly slug: string;
  /** Null if the URI is derived from the content type's pattern. */
  readonly uri: string | null;
  readonly authorNo: number | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
  readonly savedAt: number;
  /** The person who saved it, with their name at that time; null for imports. */
  readonly savedBy: Saver | null;
}

export interface Saver {
  readonly id: string | null;
  readonly name: string;
}

/** How the API identifies a content object. */
export interface ContentPlace {
  readonly accountNo: number;
  readonly siteId: string;
  readonly contentId: string;
}

interface VersionRow {
  readonly name: string;
  readonly slug: string;
  readonly uri: string | null;
  readonly author_no: number | null;
  readonly seo: string;
  readonly fields: string;
  readonly saved_at: number;
  readonly saved_by: string | null;
  readonly saved_by_id: string | null;
}

const EMPTY_SEO_TEXT = JSON.stringify(EMPTY_SEO);

const selectVersionRow = defineStatement(
  () => sql`select name, slug, uri, author_no, seo, fields, saved_at, saved_by, saved_by_id from content_versions
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);
const insertVersionRows = defineInsertMany('content_versions', [
  'content_no',
  'number',
  'saved_at',
  'saved_by',
  'saved_by_id',
  'name',
  'slug',
  'uri',
  'author_no',
  'seo',
  'fields',
]);
const updatePublishedRow = defineStatement(
  () => sql`update content_versions set was_published = 1
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);
const updateRestoredRow = defineStatement(
  () => sql`update content_versions set restored_from = ${slot('from')}
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);

const selectLongestVersion = defineStatement(
  () => sql`select coalesce(max(octet_length(v.fields)), 0) as bytes
    from sites s join contents c on c.site_no = s.no join content_versions v on v.content_no = c.no
    where s.account_no = ${slot('account')} and s.id = ${slot('site')} and c.id = ${slot('content')}
      and v.number in (c.newest_version, c.published_version, ${slot('one')}, ${slot('other')})`,
);

/**
 * The size in bytes of the largest of these versions: the newest, the published one, and up to two others. Zero if there are none.
 * @param others at most two version numbers
 */
export function* measureVersions(
  { accountNo, siteId, contentId }: ContentPlace,
  [one = 0, other = 0]: readonly number[],
): Procedure<number> {
  const slots = { account: accountNo, site: siteId, content: contentId, one, other };
  const [row] = yield* query<{ readonly bytes: number }>(selectLongestVersion, slots);
  return row?.bytes ?? 0;
}

export function* selectVersion(contentNo: number, number: number): Procedure<ContentVersion | undefined> {
  const [row] = yield* query<VersionRow>(selectVersionRow, { content: contentNo, number });
  return row && readVersion(row);
}

/** A version as it is stored, with its values encoded as JSON. */
export interface EncodedVersion extends Omit<ContentVersion, 'seo' | 'fields'> {
  readonly contentNo: number;
  readonly number: number;
  readonly seo: string;
  readonly fields: string;
}

export function encodeVersion(contentNo: number, number: number, version: ContentVersion): EncodedVersion {
  return { ...version, contentNo, number, seo: encodeSeo(version.seo), fields: JSON.stringify(version.fields) };
}

export function encodeSeo(seo: Seo): string {
  return seo === EMPTY_SEO ? EMPTY_SEO_TEXT : JSON.stringify(seo);
}

export function insertVersions(versions: readonly EncodedVersion[]): Procedure<void> {
  return insertVersionRows(
    versions.map((version) => [
      version.contentNo,
      version.number,
      version.savedAt,
      version.savedBy?.name ?? null,
      version.savedBy?.id ?? null,
      version.name,
      version.slug,
      version.uri,
      version.authorNo,
      version.seo,
      version.fields,
    ]),
  );
}

/** Marks a version as formerly published. */
export function* updatePublishedMark(contentNo: number, number: number): Procedure<void> {
  yield* query(updatePublishedRow, { content: contentNo, number });
}

/** Marks a version as created by restoring an older one. */
export function* updateRestoredMark(contentNo: number, number: number, from: number): Procedure<void> {
  yield* query(updateRestoredRow, { content: contentNo, number, from });
}

const FORGOTTEN_AT_ONCE = 200;
const afterPlace = sql`saved_by_id = ${slot('saver')} and (content_no, number) > (${slot('content')}, ${slot('number')})`;
const selectSaved = defineStatement(
  () => sql`select content_no, number from content_versions where ${afterPlace}
    order by content_no, number limit ${slot('limit')} + 0`,
);
const updateSaver = defineStatement(
  () => sql`update content_versions set saved_by = ${slot('name')}
    where ${afterPlace} and (content_no, number) <= (${slot('lastContent')}, ${slot('lastNumber')})`,
);

export interface VersionPosition {
  readonly contentNo: number;
  readonly number: number;
}

export const FIRST_VERSION: VersionPosition = { contentNo: 0, number: 0 };

/**
 * Changes the stored name of the person who saved the versions in one batch.
 * @returns the start of the next batch; null if there are no more versions
 */
export function* renameSaver(saverId: string, name: string, after: VersionPosition): Procedure<VersionPosition | null> {
  const place = { saver: saverId, content: after.contentNo, number: after.number };
  const limit = FORGOTTEN_AT_ONCE;
  const rows = yield* query<{ content_no: number; number: number }>(selectSaved, { ...place, limit });
  const last = rows.at(-1);
  if (last === undefined) return null;
  yield* query(updateSaver, { ...place, name, lastContent: last.content_no, lastNumber: last.number });
  return rows.length < limit ? null : { contentNo: last.content_no, number: last.number };
}

function readVersion(row: VersionRow): ContentVersion {
  return {
    name: row.name,
    slug: row.slug,
    uri: row.uri,
    authorNo: row.author_no,
    seo: parseStored<Seo>(row.seo),
    fields: parseStored<FieldValues>(row.fields),
    savedAt: row.saved_at,
    savedBy: row.saved_by === null ? null : { id: row.saved_by_id, name: row.saved_by },
  };
}

export interface VersionEntry {
  readonly number: number;
  readonly name: string;
  readonly savedAt: number;
  /** The person who saved it, with their name at that time; null for imports. */
  readonly savedBy: Saver | null;
  /** Whether the version was published in the past but is not published now. */
  readonly wasPublished: boolean;
  /** The number of the older version that was restored as this one. */
  readonly restoredFrom: number | null;
}

export interface WholeVersion extends VersionEntry {
  readonly slug: string;
  /** Null if the URI is derived from the content type's pattern. */
  readonly uri: string | null;
  /** The author's id. */
  readonly author: string | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
}

interface EntryRow {
  readonly number: number;
  readonly name: string;
  readonly saved_at: number;
  readonly saved_by: string | null;
  readonly saved_by_id: string | null;
  readonly was_published: number;
  readonly restored_from: number | null;
}

interface WholeRow extends EntryRow {
  readonly slug: string;
  readonly uri: string | null;
  readonly author: string | null;
  readonly seo: string;
  readonly fields: string;
}

const selectEntries = defineStatement(
  () => sql`select number, name, saved_at, saved_by, saved_by_id, was_published, restored_from from content_versions
    where content_no = ${slot('content')} and number < ${slot('before')}
    order by number desc limit ${slot('limit')} + 0`,
);
const selectWhole = defineStatement(
  () => sql`select v.number, v.name, v.saved_at, v.saved_by, v.saved_by_id, v.was_published, v.restored_from, v.slug, v.uri,
      a.id as author, v.seo, v.fields
    from content_versions as v left join authors as a on a.no = v.author_no
    where v.content_no = ${slot('content')} and v.number = ${slot('number')}`,
);

/**
 * The newest versions come first.
 * @param before only versions with a lower number are returned; undefined to start with the newest
 */
export function* selectVersions(
  contentNo: number,
  before: number | undefined,
  limit: number,
): Procedure<readonly VersionEntry[]> {
  const page = { content: contentNo, before: before ?? Number.MAX_SAFE_INTEGER, limit };
  return (yield* query<EntryRow>(selectEntries, page)).map(readEntry);
}

export function* selectWholeVersion(contentNo: number, number: number): Procedure<WholeVersion | undefined> {
  const [row] = yield* query<WholeRow>(selectWhole, { content: contentNo, number });
  return row && readWhole(row);
}

function readEntry(row: EntryRow): VersionEntry {
  return {
    number: row.number,
    name: row.name,
    savedAt: row.saved_at,
    savedBy: row.saved_by === null ? null : { id: row.saved_by_id, name: row.saved_by },
    wasPublished: row.was_published !== 0,
    restoredFrom: row.restored_from,
  };
}

function readWhole(row: WholeRow): WholeVersion {
  const { slug, uri, author } = row;
  return {
    ...readEntry(row),
    slug,
    uri,
    author,
    seo: parseStored<Seo>(row.seo),
    fields: parseStored<FieldValues>(row.fields),
  };
}
