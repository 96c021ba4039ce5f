// Removes rows from the change log, or the names in them, without any change that readers can see: old rows, the rows of deleted sites, and
// data that was permanently deleted.

import { sql } from 'kysely';
import { decodePosition } from '../../listing/change-position.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { appendChanges } from './change-log.ts';

/** Shared rows have no content id. The subquery finds them in the index on content ids; without it, SQLite would read the whole log. */
const eraseAssetRows = defineBatchStatement(
  (list) => sql`update changes set kind = 'erased', subject = null
    where site_no = ${slot('site')} and kind = 'asset' and subject in (${list})
      and position in (select position from changes where site_no = ${slot('site')} and content_id is null)`,
);

/** For assets that are permanently deleted. No published object shows them, so their rows tell readers nothing. */
export function* eraseAssets(siteNo: number, ids: readonly string[]): Procedure<void> {
  yield* queryBatch(eraseAssetRows, ids, { site: siteNo });
}

const selectWaitingCall = defineStatement(
  () =>
    sql`select no from webhook_calls where site_no = ${slot('site')} and next_at is not null and next_at >= 0 limit 1`,
);

/** Adds an empty row, which readers skip. It tells webhook attempts that are running now not to log their bodies. */
export function* noteErasure(siteNo: number, now: number): Procedure<void> {
  const isCallWaiting = (yield* query(selectWaitingCall, { site: siteNo })).length > 0;
  if (isCallWaiting) yield* appendChanges(siteNo, [{ kind: 'erased', subject: null }], now);
}

const deleteFirst = defineStatement(
  () => sql`delete from changes where site_no = ${slot('site')} and position in
    (select position from changes where site_no = ${slot('site')} and position < ${slot('before')}
      order by position limit ${slot('limit')} + 0)
    returning position`,
);
const moveStart = defineStatement(
  () => sql`update sites set changes_start = ${slot('start')} where no = ${slot('site')}`,
);

/** Deletes a batch of log rows for a site that is being deleted. Returns false if there are none. */
export function* deleteChangesOfSite(siteNo: number, limit: number): Procedure<boolean> {
  const before = Number.MAX_SAFE_INTEGER;
  return (yield* query(deleteFirst, { site: siteNo, before, limit })).length > 0;
}

const selectOld = defineStatement(
  () => sql`select s.no from sites as s where s.no > ${slot('after')}
    and exists (select 1 from changes where site_no = s.no and position < ${slot('before')}) order by s.no limit 1`,
);

const CLEANED_AT_ONCE = 500;

/** The first site after the given one that has rows from before the given time. */
export function* selectSiteWithOldChanges(after: number, before: number): Procedure<number | undefined> {
  return (yield* query<{ no: number }>(selectOld, { after, before }))[0]?.no;
}

/**
 * Deletes a batch of the site's rows from before the given time, except those that the site's webhooks still need. Returns false if none
 * are left.
 */
export function* deleteOldChanges(siteNo: number, time: number): Procedure<boolean> {
  const before = Math.min(time, yield* selectFirstNeeded(siteNo));
  const rows = yield* query<{ position: number }>(deleteFirst, { site: siteNo, before, limit: CLEANED_AT_ONCE });
  if (rows.length === 0) return false;
  yield* query(moveStart, { site: siteNo, start: Math.max(...rows.map(({ position }) => position)) });
  return rows.length === CLEANED_AT_ONCE;
}

const selectWebhookPositions = defineStatement(
  () => sql`select position from webhooks where site_no = ${slot('site')} and is_on = 1`,
);

/**
 * The lowest position that a webhook has not made all its calls for; infinite if there is none. Galley switches off webhooks that keep
 * failing, so they do not keep rows forever.
 */
function* selectFirstNeeded(siteNo: number): Procedure<number> {
  let first = Number.POSITIVE_INFINITY;
  for (const { position } of yield* query<{ position: string }>(selectWebhookPositions, { site: siteNo })) {
    const decoded = decodePosition(position);
    if (decoded?.mode !== 'changes') continue;
    first = Math.min(first, decoded.inside === null ? decoded.row + 1 : decoded.row);
  }
  return first;
}
