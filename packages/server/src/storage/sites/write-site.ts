// Creates, changes and deletes sites. Saving the same values again changes nothing, and all cached responses stay valid. A site is deleted
// in two steps. The first is one short transaction, after which the site no longer exists for readers and editors. The second deletes the
// site's data in small batches, to let other writes run in between. The site's row is emptied but kept. A new site with the same id reuses
// the row and gets a later generation, so a response cached for the old site is never served for the new one.

import { sql } from 'kysely';
import type { Site } from '../../content/catalog.ts';
import { type DeletedContent, deleteContents } from '../contents/write-content.ts';
import { insertNumbered, isSame, type NumberedRow, type Written } from '../named-rows.ts';
import { announce, type Change } from '../publication/announce.ts';
import { deleteChangesOfSite } from '../publication/forget-changes.ts';
import { forgetDepartedOfSite } from '../publication/forget-departed-keys.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';
import { deleteCallsOfSite } from '../webhooks/webhook-calls.ts';
import { deleteWebhooksOfSite } from '../webhooks/webhooks.ts';
import { deletePreviewSettings } from './preview-settings.ts';

export interface SiteWrite extends Omit<Site, 'no'> {
  /** The account for a new site. An existing site stays in its account. */
  readonly accountNo: number;
}

interface KnownSiteRow extends NumberedRow {
  readonly url: string | null;
  readonly default_language: string;
  readonly languages: string;
}

const selectSiteRow = defineStatement(
  () => sql`select no, name, url, default_language, languages, deletion from sites where id = ${slot('id')}`,
);
const insertSite = defineStatement(
  () => sql`insert into sites (account_no, id, name, url, default_language, languages, generation, preview_generation, catalog,
      shown_catalog, changes_start, created_at, updated_at)
    values (${slot('account')}, ${slot('id')}, ${slot('name')}, ${slot('url')}, ${slot('default_language')},
      ${slot('languages')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')},
      ${slot('now')})
    returning no`,
);
const updateSite = defineStatement(
  () => sql`update sites set name = ${slot('name')}, url = ${slot('url')}, default_language = ${slot('default_language')},
    languages = ${slot('languages')}, updated_at = ${slot('now')} where no = ${slot('no')}`,
);

/** Reuses the row of a deleted site, whose generations continue from their last values. */
const reviveSite = defineStatement(
  () => sql`update sites set account_no = ${slot('account')}, name = ${slot('name')}, url = ${slot('url')},
    default_language = ${slot('default_language')}, languages = ${slot('languages')}, deletion = null,
    created_at = ${slot('now')}, updated_at = ${slot('now')} where no = ${slot('no')}`,
);

/** Must not be called with the id of a site that is being deleted: see `isDeletionUnfinished`. */
export function* writeSite(site: SiteWrite, now: number): Procedure<Written> {
  const values = {
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: JSON.stringify(site.languages),
  };
  const [known] = yield* query<KnownSiteRow>(selectSiteRow, { id: site.id });
  if (known === undefined)
    return yield* insertNumbered(insertSite, { account: site.accountNo, id: site.id, now, ...values });
  if (known.deletion === 'begun') throw new Error(`Site ${site.id} is being deleted`);
  if (known.deletion === 'done') {
    yield* query(reviveSite, { no: known.no, account: site.accountNo, now, ...values });
    yield* announce(known.no, [{ kind: 'site as a whole' }], now);
    return { no: known.no, hasChanged: true };
  }
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateSite, { no: known.no, now, ...values });
  yield* announce(known.no, listChanges(known, site), now);
  return { no: known.no, hasChanged: true };
}

function listChanges(before: KnownSiteRow, { url, defaultLanguage, languages }: SiteWrite): readonly Change[] {
  const isRemoved = (language: string): boolean => !languages.includes(language);
  const hasRemoved = parseStored<readonly string[]>(before.languages).some(isRemoved);
  const { default_language: defaultBefore } = before;
  return [
    { kind: 'rest of the catalog' },
    ...(url === before.url ? [] : [{ kind: 'address of the site' } as const]),
    ...(hasRemoved ? [{ kind: 'language that requests can name' } as const] : []),
    ...(defaultLanguage === defaultBefore
      ? []
      : [{ kind: 'default language', before: defaultBefore, after: defaultLanguage } as const]),
  ];
}

const selectAccountOf = defineStatement(
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
  () => sql`update sites set deletion = 'begun', name = '', url = null, default_language = '', languages = '[]',
    keeps_location = 0, upload_types = null, most_upload_mb = null, most_megapixels = null, image_access = 'open',
    requires_description = 0 where no = ${slot('site')}`,
);
const markDone = defineStatement(() => sql`update sites set deletion = 'done' where no = ${slot('site')}`);

// A key that can read only this site is now useless, so it is deleted. A key for several sites loses access to this one.
const selectSoleKeys = sql`select key_id from api_key_sites where site_no = ${slot('site')}
  and key_id not in (select key_id from api_key_sites where site_no <> ${slot('site')})`;
const selectKeys = defineStatement(() => sql`select id from api_keys where id in (${selectSoleKeys})`);
const deleteKeySites = defineStatement(() => sql`delete from api_key_sites where site_no = ${slot('site')}`);
const deleteKey = defineStatement(() => sql`delete from api_keys where id = ${slot('key')} and has_all_sites = 0`);

// The scheduler must not find any content in the deleted site.
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
const deleteRest = ['asset_files', 'asset_tags', 'asset_folders', 'image_presets', 'assets', 'authors'].map((table) =>
  defineStatement(
    () => sql`delete from ${sql.table(table)} where no in
      (select no from ${sql.table(table)} where site_no = ${slot('site')} limit ${slot('limit')} + 0) returning no`,
  ),
);
const deleteLast = ['content_counts', 'fields', 'content_types'].map((table) =>
  defineStatement(() => sql`delete from ${sql.table(table)} where site_no = ${slot('site')}`),
);
/**
 * With these limits, deleting a batch takes about ten milliseconds. An object with more than `MOST_VERSIONS` versions gets its own batch.
 */
const MOST_CONTENTS = 20;
const MOST_VERSIONS = 200;
const MOST_ROWS = 200;

/** A site's account, even if the site's deletion is not finished. */
export function* selectSiteAccount(siteId: string): Procedure<number | undefined> {
  return (yield* query<{ account_no: number }>(selectAccountOf, { id: siteId }))[0]?.account_no;
}

/** The number of the account's site with this id, if its deletion was started but not finished. */
export function* selectUnfinishedDeletion(accountNo: number, siteId: string): Procedure<number | undefined> {
  return (yield* query<{ no: number }>(selectBegun, { account: accountNo, id: siteId }))[0]?.no;
}

/** Whether a site with this id, in any account, is still being deleted. Until that is finished, no new site can have the id. */
export function* isDeletionUnfinished(siteId: string): Procedure<boolean> {
  return (yield* query(selectBegunById, { id: siteId })).length > 0;
}

/** After this transaction, the site can no longer be found. */
export function* beginSiteDeletion(siteNo: number, now: number): Procedure<void> {
  const site = { site: siteNo };
  yield* announce(siteNo, [{ kind: 'site as a whole' }], now);
  yield* query(clearSite, site);
  const keys = yield* query<{ id: string }>(selectKeys, site);
  yield* query(deleteKeySites, site);
  for (const { id } of keys) yield* query(deleteKey, { key: id });
  yield* deleteWebhooksOfSite(siteNo);
  yield* deletePreviewSettings(siteNo);
  for (const statement of dropSchedules) yield* query(statement, site);
  yield* query(countUnscheduled, site);
  yield* query(deleteScheduledCounts, site);
}

/** False if the deletion is finished. A new site may have reused the row since then. */
export function* isBeingDeleted(siteNo: number): Procedure<boolean> {
  return (yield* query(selectBegunByNo, { site: siteNo })).length > 0;
}

/** Deletes a batch of the site's data. Returns false if no data is left. */
export function* deleteSitePortion(siteNo: number, now: number): Procedure<boolean> {
  // Another process may have finished the deletion, and a new site may have reused the row.
  if (!(yield* isBeingDeleted(siteNo))) return false;
  if (yield* deleteCallsOfSite(siteNo, MOST_ROWS)) return true;
  const contents = (yield* query<ContentRow>(selectContents, { site: siteNo, limit: MOST_CONTENTS })).map(readContent);
  if (contents.length > 0) {
    yield* deleteContents(takePortion(contents), now);
    return true;
  }
  for (const statement of deleteRest) {
    if ((yield* query(statement, { site: siteNo, limit: MOST_ROWS })).length > 0) return true;
  }
  if (yield* deleteChangesOfSite(siteNo, MOST_ROWS)) return true;
  yield* forgetDepartedOfSite(siteNo);
  for (const statement of deleteLast) yield* query(statement, { site: siteNo });
  return false;
}

/** Call this when all of the site's data has been deleted. After that, a new site can have the same id. */
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
