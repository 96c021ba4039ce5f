// The number of content objects in a site, by type and state. The counts are updated in the same transaction as the records, so the
// dashboard reads only a few rows even if the site is large. There is no row for a count of zero.

import { sql } from 'kysely';
import type { ContentStatus } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** The properties that a record is counted by. */
export interface CountedRecord {
  readonly siteNo: number;
  readonly typeNo: number;
  readonly status: ContentStatus;
  readonly newestVersion: number;
  readonly publishedVersion: number | null;
  readonly publishAt: number | null;
  readonly unpublishAt: number | null;
}

/** The number of content objects with the same type and state. */
export interface ContentCountRow {
  readonly type: string;
  readonly status: ContentStatus;
  /** 1 if the newest version is not the published one. */
  readonly is_changed: number;
  readonly is_scheduled: number;
  readonly total: number;
}

const selectCounts = defineStatement(
  () => sql`select t.handle as type, n.status, n.is_changed, n.is_scheduled, n.total
    from content_counts as n join content_types as t on t.no = n.type_no where n.site_no = ${slot('site')}`,
);
const addRow = defineStatement(
  () => sql`insert into content_counts (site_no, type_no, status, is_changed, is_scheduled, total)
    values (${slot('site')}, ${slot('type')}, ${slot('status')}, ${slot('isChanged')}, ${slot('isScheduled')}, ${slot('total')})
    on conflict (site_no, type_no, status, is_changed, is_scheduled) do update set total = content_counts.total + excluded.total`,
);
const ofPlace = sql`site_no = ${slot('site')} and type_no = ${slot('type')} and status = ${slot('status')}
  and is_changed = ${slot('isChanged')} and is_scheduled = ${slot('isScheduled')}`;
const takeFromRow = defineStatement(
  () => sql`update content_counts set total = total - ${slot('total')} where ${ofPlace}`,
);
const deleteEmptyRow = defineStatement(() => sql`delete from content_counts where ${ofPlace} and total = 0`);

export function* countContent(siteNo: number): Procedure<readonly ContentCountRow[]> {
  return yield* query<ContentCountRow>(selectCounts, { site: siteNo });
}

export function* addToCounts(records: readonly CountedRecord[]): Procedure<void> {
  for (const alike of Map.groupBy(records, namePlace).values()) {
    const [first] = alike;
    if (first !== undefined) yield* query(addRow, { ...findPlace(first), total: alike.length });
  }
}

/** @param before the record as currently stored in the database */
export function* moveInCounts(before: CountedRecord, after: CountedRecord): Procedure<void> {
  if (namePlace(before) === namePlace(after)) return;
  yield* takeFromCounts([before]);
  yield* addToCounts([after]);
}

/** @param records the records as currently stored in the database */
export function* takeFromCounts(records: readonly CountedRecord[]): Procedure<void> {
  for (const alike of Map.groupBy(records, namePlace).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    yield* query(takeFromRow, { ...findPlace(first), total: alike.length });
    yield* query(deleteEmptyRow, findPlace(first));
  }
}

function findPlace(record: CountedRecord) {
  const { siteNo, typeNo, status, newestVersion, publishedVersion, publishAt, unpublishAt } = record;
  return {
    site: siteNo,
    type: typeNo,
    status,
    isChanged: publishedVersion !== null && publishedVersion !== newestVersion ? 1 : 0,
    isScheduled: publishAt !== null || unpublishAt !== null ? 1 : 0,
  };
}

function namePlace(record: CountedRecord): string {
  return Object.values(findPlace(record)).join(' ');
}
