// Content from the editors' point of view: the record and its state.

import { sql } from 'kysely';
import type { ContentStatus, Lifecycle } from '../../content/lifecycle.ts';
import { buildTextKey } from '../../content/text-key.ts';
import { defineBatchStatement, defineInsertMany, queryBatch } from '../batch.ts';
import { type Cells, defineStatement, type Procedure, query, slot } from '../statement.ts';
import { addToCounts, moveInCounts } from './content-counts.ts';
import { decodeFailedSchedule, encodeFailedSchedule, type FailedScheduleCells } from './schedules.ts';

export interface ContentRecord extends Lifecycle {
  readonly siteNo: number;
  readonly id: string;
  readonly typeNo: number;
  readonly language: string;
  readonly translationGroup: string;
  /** The slug of the newest version, unique among content with the same type and language. */
  readonly slug: string;
  /** The name of the newest version, for editors' lists. */
  readonly name: string;
  readonly authorNo: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Used to detect whether imported content is unchanged; null once something other than an import has changed the content. */
  readonly sourceDigest: string | null;
}

export interface StoredContentRecord extends ContentRecord {
  readonly no: number;
}

interface RecordRow extends FailedScheduleCells {
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

const recordColumns = sql.raw(`no, site_no, id, type_no, language, translation_group, status, slug, name, author_no,
  newest_version, published_version, published_at, publish_at, unpublish_at, failed_action, failed_due_at, failed_at,
  failed_reason, created_at, updated_at, source_digest`);
const selectRecordRow = defineStatement(
  () => sql`select ${recordColumns} from contents where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectRecordRows = defineStatement(() => sql`select ${recordColumns} from contents where id = ${slot('id')}`);
const selectGroupRows = defineStatement(
  () => sql`select ${recordColumns} from contents
    where site_no = ${slot('site')} and translation_group = ${slot('group')} order by language`,
);
const insertRecordRows = defineInsertMany('contents', [
  'site_no',
  'id',
  'type_no',
  'language',
  'translation_group',
  'status',
  'slug',
  'name',
  'name_key',
  'author_no',
  'newest_version',
  'published_version',
  'published_at',
  'publish_at',
  'unpublish_at',
  'failed_action',
  'failed_due_at',
  'failed_at',
  'failed_reason',
  'created_at',
  'updated_at',
  'source_digest',
]);
const selectRecordNos = defineBatchStatement(
  (list) => sql`select id, no from contents where site_no = ${slot('site')} and id in (${list})`,
);
const updateRecordRow = defineStatement(
  () => sql`update contents set translation_group = ${slot('translationGroup')}, status = ${slot('status')},
    slug = ${slot('slug')}, name = ${slot('name')}, name_key = ${slot('nameKey')}, author_no = ${slot('authorNo')},
    newest_version = ${slot('newestVersion')}, published_version = ${slot('publishedVersion')},
    published_at = ${slot('publishedAt')}, publish_at = ${slot('publishAt')}, unpublish_at = ${slot('unpublishAt')},
    failed_action = ${slot('failed_action')}, failed_due_at = ${slot('failed_due_at')},
    failed_at = ${slot('failed_at')}, failed_reason = ${slot('failed_reason')},
    created_at = ${slot('createdAt')}, updated_at = ${slot('updatedAt')}, source_digest = ${slot('sourceDigest')}
    where no = ${slot('no')}`,
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

/** Ids are unique within a site, so several sites may have content with the same id. */
export function* selectRecordsOfAllSites(id: string): Procedure<readonly StoredContentRecord[]> {
  return (yield* query<RecordRow>(selectRecordRows, { id })).map(readRecord);
}

/** All content in a translation group. */
export function* selectGroup(siteNo: number, group: string): Procedure<readonly StoredContentRecord[]> {
  return (yield* query<RecordRow>(selectGroupRows, { site: siteNo, group })).map(readRecord);
}

/** All records belong to one site. Returns the numbers assigned by the database, in the same order. */
export function* insertRecords(records: readonly ContentRecord[]): Procedure<readonly number[]> {
  const [first] = records;
  if (first === undefined) return [];
  yield* insertRecordRows(records.map(buildRecordCells));
  yield* addToCounts(records);
  // This does not use `returning`, because on the embedded engine it takes longer than a separate query.
  const ids = records.map(({ id }) => id);
  const rows = yield* queryBatch<{ id: string; no: number }>(selectRecordNos, ids, { site: first.siteNo });
  const numbers = new Map(rows.map(({ id, no }) => [id, no]));
  return ids.flatMap((id) => numbers.get(id) ?? []);
}

function buildRecordCells(record: ContentRecord): Cells {
  const failed = encodeFailedSchedule(record.failedSchedule);
  return [
    record.siteNo,
    record.id,
    record.typeNo,
    record.language,
    record.translationGroup,
    record.status,
    record.slug,
    record.name,
    buildTextKey(record.name),
    record.authorNo,
    record.newestVersion,
    record.publishedVersion,
    record.publishedAt,
    record.publishAt,
    record.unpublishAt,
    failed.failed_action,
    failed.failed_due_at,
    failed.failed_at,
    failed.failed_reason,
    record.createdAt,
    record.updatedAt,
    record.sourceDigest,
  ];
}

/** @param before the record as currently stored in the database; its site and type never change */
export function* updateRecord(before: StoredContentRecord, record: ContentRecord): Procedure<void> {
  const { failedSchedule, ...columns } = record;
  const failed = encodeFailedSchedule(failedSchedule);
  yield* query(updateRecordRow, { ...columns, ...failed, nameKey: buildTextKey(record.name), no: before.no });
  yield* moveInCounts(before, record);
}

export interface SlugClaim {
  readonly siteNo: number;
  readonly typeNo: number;
  readonly language: string;
  readonly id: string;
}

/** The id of a different content object whose newest or published version has the slug. */
export function* findSlugOwner(claim: SlugClaim, slugs: readonly string[]): Procedure<string | undefined> {
  for (const slugText of slugs) {
    const values = { site: claim.siteNo, type: claim.typeNo, language: claim.language, slug: slugText, id: claim.id };
    const [owner] = yield* query<{ id: string }>(selectSlugOwner, values);
    if (owner !== undefined) return owner.id;
  }
  return undefined;
}

/** The id of the group's translation into this language, unless that is the given content itself. */
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
    failedSchedule: decodeFailedSchedule(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sourceDigest: row.source_digest,
  };
}
