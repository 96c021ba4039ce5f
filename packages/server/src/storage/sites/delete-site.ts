// Deletes a site for good, in two steps. The first is one short transaction: from then on readers and editors find no such
// site. The second removes what belonged to it, in small portions, so that others can write in between.
// The emptied row of the site stays. A new site with the same id takes it over with a later generation, so no answer that
// was cached for the old site can be taken for one of the new site.

import { sql } from 'kysely';
import { type DeletedContent, deleteContents } from '../contents/write-content.ts';
import { announce } from '../publication/announce.ts';
import { forgetDepartedOfSite } from '../publication/sort-keys.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectAccount = defineStatement(
  () => sql`select account_no from sites where id = ${slot('id')} and (deletion is null or deletion = 'begun')`,
);
const selectBegun = defineStatement(
  () => sql`select no from sites
    where account_no = ${slot('account')} and id = ${slot('id')} and deletion = 'begun'`,
);
const selectBegunById = defineStatement(
  () => sql`select no from sites where id = ${slot('id')} and deletion = 'begun'`,
);
const selectBegunByNo = defineStatement(
  () => sql`select no from sites where no = ${slot('site')} and deletion = 'begun'`,
);
const clearSite = defineStatement(
  () => sql`update sites set deletion = 'begun', name = '', url = null, default_language = '', languages = '[]'
    where no = ${slot('site')}`,
);
const markDone = defineStatement(() => sql`update sites set deletion = 'done' where no = ${slot('site')}`);

// A key for this site alone would open nothing any more. A key for several sites loses this one.
const selectSoleKeys = sql`select key_id from api_key_sites where site_no = ${slot('site')}
  and key_id not in (select key_id from api_key_sites where site_no <> ${slot('site')})`;
const selectKeys = defineStatement(() => sql`select id from api_keys where id in (${selectSoleKeys})`);
const deleteKeySites = defineStatement(() => sql`delete from api_key_sites where site_no = ${slot('site')}`);
const deleteKey = defineStatement(() => sql`delete from api_keys where id = ${slot('key')} and has_all_sites = 0`);

// The scheduler must not find anything of the site.
const dropSchedules = ['publish_at', 'unpublish_at'].map((column) =>
  defineStatement(
    () => sql`update contents set publish_at = null, unpublish_at = null
      where site_no = ${slot('site')} and ${sql.ref(column)} is not null`,
  ),
);
const countUnscheduled = defineStatement(
  () => sql`insert into content_counts (site_no, type_no, status, is_changed, is_scheduled, total)
    select site_no, type_no, status, is_changed, 0, total from content_counts
      where site_no = ${slot('site')} and is_scheduled = 1
    on conflict (site_no, type_no, status, is_changed, is_scheduled) do update set total = content_counts.total + excluded.total`,
);
const deleteScheduledCounts = defineStatement(
  () => sql`delete from content_counts where site_no = ${slot('site')} and is_scheduled = 1`,
);

const selectContents = defineStatement(
  () => sql`select no, site_no, id, type_no, status, newest_version, published_version, publish_at, unpublish_at
    from contents where site_no = ${slot('site')} limit ${slot('limit')} + 0`,
);
const deleteRest = ['assets', 'authors'].map((table) =>
  defineStatement(
    () => sql`delete from ${sql.table(table)} where no in
      (select no from ${sql.table(table)} where site_no = ${slot('site')} limit ${slot('limit')} + 0) returning no`,
  ),
);
const deleteLast = ['content_counts', 'fields', 'content_types'].map((table) =>
  defineStatement(() => sql`delete from ${sql.table(table)} where site_no = ${slot('site')}`),
);
/** A portion takes about a hundredth of a second. One object with more versions is a portion by itself. */
const MOST_CONTENTS = 20;
const MOST_VERSIONS = 200;
const MOST_ROWS = 200;

/** Whose site it is; one whose deletion is not finished counts too. */
export function* selectSiteAccount(siteId: string): Procedure<number | undefined> {
  return (yield* query<{ account_no: number }>(selectAccount, { id: siteId }))[0]?.account_no;
}

/** The number of a site of the account whose deletion was begun and not finished. */
export function* selectUnfinishedDeletion(accountNo: number, siteId: string): Procedure<number | undefined> {
  return (yield* query<{ no: number }>(selectBegun, { account: accountNo, id: siteId }))[0]?.no;
}

/** Of whatever account: no new site can have the id yet. */
export function* isDeletionUnfinished(siteId: string): Procedure<boolean> {
  return (yield* query(selectBegunById, { id: siteId })).length > 0;
}

/** From the end of the transaction on, nobody finds the site. */
export function* beginSiteDeletion(siteNo: number, now: number): Procedure<void> {
  const site = { site: siteNo };
  yield* announce(siteNo, [{ kind: 'site as a whole' }], now);
  yield* query(clearSite, site);
  const keys = yield* query<{ id: string }>(selectKeys, site);
  yield* query(deleteKeySites, site);
  for (const { id } of keys) yield* query(deleteKey, { key: id });
  for (const statement of dropSchedules) yield* query(statement, site);
  yield* query(countUnscheduled, site);
  yield* query(deleteScheduledCounts, site);
}

/** False also where the row is another site's by now. */
export function* isBeingDeleted(siteNo: number): Procedure<boolean> {
  return (yield* query(selectBegunByNo, { site: siteNo })).length > 0;
}

/** Removes a portion of what belonged to the site; false when nothing is left. */
export function* deleteSitePortion(siteNo: number, now: number): Procedure<boolean> {
  // Another process may have finished it, and a new site may have the row by now.
  if (!(yield* isBeingDeleted(siteNo))) return false;
  const contents = (yield* query<ContentRow>(selectContents, { site: siteNo, limit: MOST_CONTENTS })).map(readContent);
  if (contents.length > 0) {
    yield* deleteContents(takePortion(contents), now);
    return true;
  }
  for (const statement of deleteRest) {
    if ((yield* query(statement, { site: siteNo, limit: MOST_ROWS })).length > 0) return true;
  }
  yield* forgetDepartedOfSite(siteNo);
  for (const statement of deleteLast) yield* query(statement, { site: siteNo });
  return false;
}

/** To be called when nothing of the site is left. Its id is free from then on. */
export function* finishSiteDeletion(siteNo: number): Procedure<void> {
  if (yield* isBeingDeleted(siteNo)) yield* query(markDone, { site: siteNo });
}

interface ContentRow {
  readonly no: number;
  readonly site_no: number;
  readonly id: string;
  readonly type_no: number;
  readonly status: DeletedContent['status'];
  readonly newest_version: number;
  readonly published_version: number | null;
  readonly publish_at: number | null;
  readonly unpublish_at: number | null;
}

function readContent(row: ContentRow): DeletedContent {
  return {
    no: row.no,
    siteNo: row.site_no,
    id: row.id,
    typeNo: row.type_no,
    status: row.status,
    newestVersion: row.newest_version,
    publishedVersion: row.published_version,
    publishAt: row.publish_at,
    unpublishAt: row.unpublish_at,
  };
}

function takePortion(contents: readonly DeletedContent[]): readonly DeletedContent[] {
  let versions = 0;
  const end = contents.findIndex(({ newestVersion }) => {
    versions += newestVersion;
    return versions > MOST_VERSIONS;
  });
  return end === -1 ? contents : contents.slice(0, Math.max(1, end));
}
