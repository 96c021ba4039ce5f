// All changes to a content object: saving, publishing, discarding and deleting. The record, its versions and both read models change
// together or not at all.

import { sql } from 'kysely';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { collectReferences } from '../../content/field-value.ts';
import type { Lifecycle } from '../../content/lifecycle.ts';
import { type ContentState, type Typeset, typesetContent } from '../../content/typeset.ts';
import { buildUri } from '../../content/uri.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { forgetDepartedContents } from '../publication/forget-departed-keys.ts';
import type { ReadModelRow } from '../publication/show-content.ts';
import { hideContents, showContent, showDraft, showNewContents } from '../publication/show-content.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { eraseContentsInCalls } from '../webhooks/webhook-calls.ts';
import { type CountedRecord, takeFromCounts } from './content-counts.ts';
import {
  type ContentRecord,
  insertRecords,
  type StoredContentRecord,
  selectRecord,
  updateRecord,
} from './content-records.ts';
import { insertAssetUses, keepAssetUses, type Standing } from './content-uses.ts';
import {
  type ContentVersion,
  encodeVersion,
  insertVersions,
  type Saver,
  selectVersion,
  updatePublishedMark,
  updateRestoredMark,
} from './content-versions.ts';

type RecordState = Omit<ContentRecord, 'newestVersion' | 'publishedVersion' | 'slug' | 'name' | 'authorNo'>;

export interface ContentWrite {
  readonly record: RecordState;
  readonly existing: StoredContentRecord | undefined;
  /** The version that readers will see; null for content that is not published. */
  readonly published: ContentVersion | null;
  /** The newest saved version, if it is not the published one. */
  readonly draft: ContentVersion | null;
}

/** Saves the given versions and the record. Returns the content's internal number. */
export function* writeContent(write: ContentWrite, catalog: Catalog, now: number): Procedure<number> {
  const { existing, published, draft } = write;
  const newest = draft ?? published;
  if (newest === null) throw new Error('The write contains no version');
  const firstNumber = (existing?.newestVersion ?? 0) + 1;
  const publishedVersion = published === null ? null : firstNumber;
  const newestVersion = published !== null && draft !== null ? firstNumber + 1 : firstNumber;
  const record: ContentRecord = {
    ...write.record,
    slug: newest.slug,
    name: newest.name,
    authorNo: newest.authorNo,
    newestVersion,
    publishedVersion,
  };
  const no = yield* putRecord(record, existing);
  if (existing !== undefined) yield* markLeft(existing, publishedVersion);
  if (published !== null) yield* insertVersions([encodeVersion(no, firstNumber, published)]);
  if (draft !== null) yield* insertVersions([encodeVersion(no, newestVersion, draft)]);
  yield* fillReadModels({ ...record, no }, published, newest, catalog, existing !== undefined, now);
  return no;
}

/** Changes the content's lifecycle state. Returns the changed record. All its versions are kept. */
export function* moveContent(
  record: StoredContentRecord,
  life: Lifecycle,
  catalog: Catalog,
  now: number,
): Procedure<StoredContentRecord> {
  const next: StoredContentRecord = { ...record, ...life, sourceDigest: null };
  yield* updateRecord(record, next);
  yield* markLeft(record, next.publishedVersion);
  if (!isSeenAlike(record, next)) yield* refillContent(next, catalog, now);
  return next;
}

/** Rebuilds the content in the read models for readers and previews. The URI is derived from the current catalog. */
export function* refillContent(record: StoredContentRecord, catalog: Catalog, now: number): Procedure<void> {
  const newest = yield* loadVersion(record, record.newestVersion);
  const { publishedVersion } = record;
  const isNewest = publishedVersion === record.newestVersion;
  const older = publishedVersion === null || isNewest ? null : yield* loadVersion(record, publishedVersion);
  yield* fillReadModels(record, isNewest ? newest : older, newest, catalog, true, now);
}

/** Whether the content looks the same to readers and in previews before and after the change. */
export function isSeenAlike(before: Lifecycle, after: Lifecycle): boolean {
  return (
    before.publishedVersion === after.publishedVersion &&
    before.publishedAt === after.publishedAt &&
    before.newestVersion === after.newestVersion &&
    (before.status === 'archived') === (after.status === 'archived')
  );
}

/** Saves a new version as the newest one. The published version does not change; only previews show the new one. */
export function* saveVersion(
  record: StoredContentRecord,
  version: ContentVersion,
  life: Lifecycle,
  catalog: Catalog,
  now: number,
): Procedure<StoredContentRecord> {
  const { slug, name, authorNo, savedAt: updatedAt } = version;
  const next: StoredContentRecord = { ...record, ...life, slug, name, authorNo, updatedAt, sourceDigest: null };
  yield* updateRecord(record, next);
  yield* insertVersions([encodeVersion(record.no, next.newestVersion, version)]);
  yield* showDraft(next, buildRow(next, version, catalog), now);
  yield* keepAssetUses(next, 'newest', listAssets(next, version, catalog));
  return next;
}

function* putRecord(record: ContentRecord, existing: StoredContentRecord | undefined): Procedure<number> {
  if (existing === undefined) {
    const [no] = yield* insertRecords([record]);
    if (no === undefined) throw new Error('An inserted row is missing');
    return no;
  }
  yield* updateRecord(existing, record);
  return existing.no;
}

/** Marks the previously published version as formerly published, unless it stays published. */
function* markLeft({ no, publishedVersion }: StoredContentRecord, next: number | null): Procedure<void> {
  if (publishedVersion !== null && publishedVersion !== next) yield* updatePublishedMark(no, publishedVersion);
}

function* loadVersion(record: StoredContentRecord, number: number): Procedure<ContentVersion> {
  const version = yield* selectVersion(record.no, number);
  if (version === undefined) throw new Error(`Content ${record.id} has no version ${number}`);
  return version;
}

function* fillReadModels(
  record: StoredContentRecord,
  published: ContentVersion | null,
  newest: ContentVersion,
  catalog: Catalog,
  mayStandThere: boolean,
  now: number,
): Procedure<void> {
  const hasNewer = published === null || newest !== published;
  const shown = {
    published: published && buildRow(record, published, catalog),
    preview: hasNewer && record.status !== 'archived' ? buildRow(record, newest, catalog) : null,
  };
  yield* mayStandThere ? showContent(record, shown, now) : showNewContents(record.siteNo, [shown], now);
  yield* putAssetUses(record, 'published', listAssets(record, published, catalog), mayStandThere);
  yield* putAssetUses(record, 'newest', listAssets(record, hasNewer ? newest : null, catalog), mayStandThere);
}

/** New content has no earlier uses to delete. */
function putAssetUses(
  record: StoredContentRecord,
  standing: Standing,
  assets: readonly string[],
  mayStandThere: boolean,
): Procedure<void> {
  return mayStandThere ? keepAssetUses(record, standing, assets) : insertAssetUses(record, standing, assets);
}

function listAssets(record: StoredContentRecord, version: ContentVersion | null, catalog: Catalog): readonly string[] {
  if (version === null) return [];
  return collectReferences(typeOf(record, catalog), version.fields, catalog.typesByHandle).assets;
}

function buildRow(record: StoredContentRecord, version: ContentVersion, catalog: Catalog): ReadModelRow {
  const { no: contentNo, siteNo, typeNo, translationGroup } = record;
  const { state, typeset } = typesetVersion(record, version, catalog);
  return { ...state, contentNo, siteNo, typeNo, translationGroup, typeset };
}

export function typesetVersion(
  record: StoredContentRecord,
  version: ContentVersion,
  catalog: Catalog,
): { readonly state: ContentState; readonly typeset: Typeset } {
  const { id, language, publishedAt, createdAt } = record;
  const { slug, name, authorNo, seo, fields, savedAt: updatedAt } = version;
  const uri = findUri(record, version, catalog);
  const state = { id, slug, name, uri, language, authorNo, seo, fields, publishedAt, createdAt, updatedAt };
  return { state, typeset: typesetContent(state, typeOf(record, catalog), catalog.typesByHandle) };
}

/** The version's path, relative to the site's URL: its own path if it has one, otherwise a path built from the type's pattern. */
export function findUri(record: StoredContentRecord, { uri, slug }: ContentVersion, catalog: Catalog): string {
  const { id, language } = record;
  const { defaultLanguage } = catalog.site;
  return uri ?? buildUri(typeOf(record, catalog).uriPattern, { slug, id, language, defaultLanguage });
}

function typeOf(record: StoredContentRecord, catalog: Catalog): ContentType {
  const type = catalog.typesByNo.get(record.typeNo);
  if (type === undefined) throw new Error(`Content ${record.id} has a type that does not exist in its site`);
  return type;
}

const clearUri = defineStatement(
  () =>
    sql`update content_versions set uri = null where content_no = ${slot('content')} and number = ${slot('number')}`,
);

/**
 * Removes the URI that was saved with a version. Readers still see it for now. After the next save, the URI is built from the type's
 * pattern again.
 */
export function* leaveUriToPattern(siteNo: number, id: string, which: 'published' | 'newest'): Procedure<void> {
  const record = yield* selectRecord(siteNo, id);
  const number = which === 'published' ? record?.publishedVersion : record?.newestVersion;
  if (record !== undefined && number) yield* query(clearUri, { content: record.no, number });
}

/**
 * Discards everything newer than the published version. The published version is saved again as the newest one, with its original
 * time. Nothing changes for readers, and their read model is not touched.
 * @param record a record of published content that has a newer version
 * @param life the lifecycle after the change, in which a new version is both the newest and the published one
 */
export function* discardNewerVersions(
  record: StoredContentRecord,
  life: Lifecycle,
  savedBy: Saver,
  now: number,
): Procedure<{ readonly record: StoredContentRecord; readonly newest: ContentVersion }> {
  const { no, publishedVersion } = record;
  const published = publishedVersion === null ? undefined : yield* selectVersion(no, publishedVersion);
  if (publishedVersion === null || published === undefined) throw new Error(`Content ${record.id} is not published`);
  const newest = { ...published, savedBy };
  const { slug, name, authorNo, savedAt: updatedAt } = newest;
  const next: StoredContentRecord = { ...record, ...life, slug, name, authorNo, updatedAt, sourceDigest: null };
  yield* updateRecord(record, next);
  yield* insertVersions([encodeVersion(no, next.newestVersion, newest)]);
  yield* updateRestoredMark(no, next.newestVersion, publishedVersion);
  yield* updatePublishedMark(no, publishedVersion);
  yield* showDraft(next, null, now);
  yield* keepAssetUses(next, 'newest', []);
  return { record: next, newest };
}

export interface DeletedContent extends CountedRecord {
  readonly no: number;
  readonly id: string;
}

/** Rows that refer to a record are deleted before the record. */
const deleteStatements = [
  defineBatchStatement((list) => sql`delete from share_links where content_no in (${list})`),
  defineBatchStatement((list) => sql`delete from content_assets where content_no in (${list})`),
  defineBatchStatement((list) => sql`delete from content_versions where content_no in (${list})`),
  defineBatchStatement((list) => sql`delete from contents where no in (${list})`),
];

/**
 * Deletes content permanently: the record, every version, and all its data in lists, previews, cursors and webhook calls. It does not check
 * the status or incoming links.
 * @param contents the content objects as currently stored in the database, all from one site
 */
export function* deleteContents(contents: readonly DeletedContent[], now: number): Procedure<void> {
  const [first] = contents;
  if (first === undefined) return;
  const ids = contents.map(({ id }) => id);
  const numbers = contents.map(({ no }) => no);
  yield* hideContents(first.siteNo, numbers, now);
  yield* forgetDepartedContents(first.siteNo, ids);
  yield* eraseContentsInCalls(first.siteNo, ids);
  for (const statement of deleteStatements) yield* queryBatch(statement, numbers);
  yield* takeFromCounts(contents);
}
