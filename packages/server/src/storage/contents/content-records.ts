// Content as its editors know it: the record with its state, and the versions that were saved.

import { sql } from 'kysely';
import type { FieldValues } from '../../content/field-value.ts';
import type { ContentStatus } from '../../content/lifecycle.ts';
import { EMPTY_SEO, type Seo } from '../../content/seo.ts';
import { buildTextKey } from '../../content/text-key.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';

export interface ContentRecord {
  readonly siteNo: number;
  readonly id: string;
  readonly typeNo: number;
  readonly language: string;
  readonly translationGroup: string;
  readonly status: ContentStatus;
  /** The slug of the newest version: unique among content of the same type and language. */
  readonly slug: string;
  /** Of the newest version too; for the lists of editors. */
  readonly name: string;
  readonly authorNo: number | null;
  readonly newestVersion: number;
  readonly publishedVersion: number | null;
  readonly publishedAt: number | null;
  readonly publishAt: number | null;
  readonly unpublishAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Tells whether an import brings what is there already; null once the content was changed by other means. */
  readonly sourceDigest: string | null;
}

export interface StoredContentRecord extends ContentRecord {
  readonly no: number;
}

export interface ContentVersion {
  readonly name: string;
  readonly slug: string;
  /** Null where the content type's pattern decides. */
  readonly uri: string | null;
  readonly authorNo: number | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
  readonly savedAt: number;
  /** Who saved it, as they were called then; null for imports. */
  readonly savedBy: Saver | null;
}

export interface Saver {
  readonly id: string | null;
  readonly name: string;
}

interface RecordRow {
  readonly no: number;
  readonly site_no: number;
  readonly id: string;
  readonly type_no: number;
  readonly language: string;
  readonly translation_group: string;
  readonly status: ContentStatus;
  readonly slug: string;
  readonly name: string;
  readonly author_no: number | null;
  readonly newest_version: number;
  readonly published_version: number | null;
  readonly published_at: number | null;
  readonly publish_at: number | null;
  readonly unpublish_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly source_digest: string | null;
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

const recordColumns = sql.raw(`no, site_no, id, type_no, language, translation_group, status, slug, name, author_no,
  newest_version, published_version, published_at, publish_at, unpublish_at, created_at, updated_at, source_digest`);
const selectRecordRow = defineStatement(
  () => sql`select ${recordColumns} from contents where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectRecordRows = defineStatement(() => sql`select ${recordColumns} from contents where id = ${slot('id')}`);
const selectGroupRows = defineStatement(
  () => sql`select ${recordColumns} from contents
    where site_no = ${slot('site')} and translation_group = ${slot('group')} order by language`,
);
const insertRecordRow = defineStatement(
  () => sql`insert into contents (site_no, id, type_no, language, translation_group, status, slug, name, name_key,
      author_no, newest_version, published_version, published_at, publish_at, unpublish_at, created_at, updated_at, source_digest)
    values (${slot('siteNo')}, ${slot('id')}, ${slot('typeNo')}, ${slot('language')}, ${slot('translationGroup')},
      ${slot('status')}, ${slot('slug')}, ${slot('name')}, ${slot('nameKey')}, ${slot('authorNo')},
      ${slot('newestVersion')}, ${slot('publishedVersion')}, ${slot('publishedAt')},
      ${slot('publishAt')}, ${slot('unpublishAt')}, ${slot('createdAt')}, ${slot('updatedAt')}, ${slot('sourceDigest')})`,
);
const selectRecordNo = defineStatement(
  () => sql`select no from contents where site_no = ${slot('siteNo')} and id = ${slot('id')}`,
);
const updateRecordRow = defineStatement(
  () => sql`update contents set translation_group = ${slot('translationGroup')}, status = ${slot('status')},
    slug = ${slot('slug')}, name = ${slot('name')}, name_key = ${slot('nameKey')}, author_no = ${slot('authorNo')},
    newest_version = ${slot('newestVersion')}, published_version = ${slot('publishedVersion')},
    published_at = ${slot('publishedAt')}, publish_at = ${slot('publishAt')}, unpublish_at = ${slot('unpublishAt')},
    created_at = ${slot('createdAt')}, updated_at = ${slot('updatedAt')}, source_digest = ${slot('sourceDigest')}
    where no = ${slot('no')}`,
);
const selectVersionRow = defineStatement(
  () => sql`select name, slug, uri, author_no, seo, fields, saved_at, saved_by, saved_by_id from content_versions
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);
const insertVersionRow = defineStatement(
  () => sql`insert into content_versions (content_no, number, saved_at, saved_by, saved_by_id, name, slug, uri, author_no, seo, fields)
    values (${slot('content')}, ${slot('number')}, ${slot('savedAt')}, ${slot('savedBy')}, ${slot('savedById')}, ${slot('name')}, ${slot('slug')}, ${slot('uri')},
      ${slot('authorNo')}, ${slot('seo')}, ${slot('fields')})`,
);
const selectSlugOwner = defineStatement(
  () => sql`select id from contents where site_no = ${slot('site')} and type_no = ${slot('type')}
      and language = ${slot('language')} and slug = ${slot('slug')} and status <> 'archived' and id <> ${slot('id')}
    union all select id from published_contents where site_no = ${slot('site')} and type_no = ${slot('type')}
      and language = ${slot('language')} and slug = ${slot('slug')} and id <> ${slot('id')}`,
);
const selectTranslation = defineStatement(
  () => sql`select id from contents where site_no = ${slot('site')} and translation_group = ${slot('group')}
    and language = ${slot('language')} and id <> ${slot('id')}`,
);

export function* selectRecord(siteNo: number, id: string): Procedure<StoredContentRecord | undefined> {
  const [row] = yield* query<RecordRow>(selectRecordRow, { site: siteNo, id });
  return row && readRecord(row);
}

/** Ids are unique within a site, so several sites may have the same one. */
export function* selectRecordsOfAllSites(id: string): Procedure<readonly StoredContentRecord[]> {
  return (yield* query<RecordRow>(selectRecordRows, { id })).map(readRecord);
}

/** All content of a translation group. */
export function* selectGroup(siteNo: number, group: string): Procedure<readonly StoredContentRecord[]> {
  return (yield* query<RecordRow>(selectGroupRows, { site: siteNo, group })).map(readRecord);
}

export function* insertRecord(record: ContentRecord): Procedure<number> {
  const { siteNo, id } = record;
  yield* query(insertRecordRow, { ...record, nameKey: buildTextKey(record.name) });
  // The embedded engine takes longer to return a column of the new row than to find the row.
  const [row] = yield* query<{ no: number }>(selectRecordNo, { siteNo, id });
  if (row === undefined) throw new Error('An insert left no row');
  return row.no;
}

export function* updateRecord(no: number, record: ContentRecord): Procedure<void> {
  yield* query(updateRecordRow, { ...record, nameKey: buildTextKey(record.name), no });
}

export function* selectVersion(contentNo: number, number: number): Procedure<ContentVersion | undefined> {
  const [row] = yield* query<VersionRow>(selectVersionRow, { content: contentNo, number });
  return row && readVersion(row);
}

export function* insertVersion(contentNo: number, number: number, version: ContentVersion): Procedure<void> {
  yield* query(insertVersionRow, {
    content: contentNo,
    number,
    savedAt: version.savedAt,
    savedBy: version.savedBy?.name ?? null,
    savedById: version.savedBy?.id ?? null,
    name: version.name,
    slug: version.slug,
    uri: version.uri,
    authorNo: version.authorNo,
    seo: version.seo === EMPTY_SEO ? EMPTY_SEO_TEXT : JSON.stringify(version.seo),
    fields: JSON.stringify(version.fields),
  });
}

export interface SlugClaim {
  readonly siteNo: number;
  readonly typeNo: number;
  readonly language: string;
  readonly id: string;
}

/** The id of other content that has the slug, in its newest or its published version. */
export function* findSlugOwner(claim: SlugClaim, slugs: readonly string[]): Procedure<string | undefined> {
  for (const slugText of slugs) {
    const values = { site: claim.siteNo, type: claim.typeNo, language: claim.language, slug: slugText, id: claim.id };
    const [owner] = yield* query<{ id: string }>(selectSlugOwner, values);
    if (owner !== undefined) return owner.id;
  }
  return undefined;
}

/** The id of other content that stands for the group in this language. */
export function* findTranslation(
  siteNo: number,
  group: string,
  language: string,
  id: string,
): Procedure<string | undefined> {
  return (yield* query<{ id: string }>(selectTranslation, { site: siteNo, group, language, id }))[0]?.id;
}

function readRecord(row: RecordRow): StoredContentRecord {
  return {
    no: row.no,
    siteNo: row.site_no,
    id: row.id,
    typeNo: row.type_no,
    language: row.language,
    translationGroup: row.translation_group,
    status: row.status,
    slug: row.slug,
    name: row.name,
    authorNo: row.author_no,
    newestVersion: row.newest_version,
    publishedVersion: row.published_version,
    publishedAt: row.published_at,
    publishAt: row.publish_at,
    unpublishAt: row.unpublish_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sourceDigest: row.source_digest,
  };
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
