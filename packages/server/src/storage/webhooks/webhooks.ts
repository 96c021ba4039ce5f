// A site's webhooks.

import { sql } from 'kysely';
import type { EventKind } from '../../content/webhook-event.ts';
import { encodePosition } from '../../listing/change-position.ts';
import { insertNumbered } from '../named-rows.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';
import { type FailedCalls, selectFailedCalls } from './failed-calls.ts';
import { deleteOldCalls } from './old-calls.ts';
import { deleteCallsOfWebhook } from './webhook-calls.ts';

/** Everything that an owner can change. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly EventKind[];
  /** Handles; null for all types. */
  readonly types: readonly string[] | null;
  /** Null for all languages. */
  readonly languages: readonly string[] | null;
  /** The values are secret: no response, log line or audit entry may contain them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: 'light' | 'full';
  readonly isBatched: boolean;
  readonly isOn: boolean;
}

export interface WebhookRecord extends WebhookSettings {
  readonly no: number;
  readonly siteNo: number;
  readonly id: string;
  /**
   * Why Galley switched the webhook off: the receiver responded with 410, or calls failed for days. Null if the webhook is on, or if an
   * owner switched it off.
   */
  readonly offReason: 'gone' | 'failing' | null;
  readonly offAt: number | null;
  readonly secret: string;
  /** The secret before the last rotation. Calls are also signed with it until `formerUntil`. */
  readonly formerSecret: string | null;
  readonly formerUntil: number | null;
  /** The encoded position in the site's change log up to which calls have been created. */
  readonly position: string;
  /** When the latest run of failed calls began; null after a success. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** The columns of the `webhooks as w` table that `readWebhook` needs. */
export const webhookColumns = sql.raw(
  `w.no, w.site_no, w.id, w.name, w.url, w.kinds, w.types, w.languages, w.headers, w.payload, w.is_batched, w.is_on, w.off_reason,
    w.off_at, w.secret, w.former_secret, w.former_until, w.position, w.failing_since, w.created_at, w.changed_at`,
);

export interface WebhookRow {
  readonly no: number;
  readonly site_no: number;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly kinds: string;
  readonly types: string | null;
  readonly languages: string | null;
  readonly headers: string;
  readonly payload: WebhookRecord['payload'];
  readonly is_batched: number;
  readonly is_on: number;
  readonly off_reason: WebhookRecord['offReason'];
  readonly off_at: number | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_until: number | null;
  readonly position: string;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly changed_at: number;
}

export function readWebhook(row: WebhookRow): WebhookRecord {
  return {
    no: row.no,
    siteNo: row.site_no,
    id: row.id,
    name: row.name,
    url: row.url,
    kinds: parseStored(row.kinds),
    types: row.types === null ? null : parseStored(row.types),
    languages: row.languages === null ? null : parseStored(row.languages),
    headers: parseStored(row.headers),
    payload: row.payload,
    isBatched: row.is_batched === 1,
    isOn: row.is_on === 1,
    offReason: row.off_reason,
    offAt: row.off_at,
    secret: row.secret,
    formerSecret: row.former_secret,
    formerUntil: row.former_until,
    position: row.position,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}

/** A webhook, with figures about its calls. */
export interface WebhookSummary extends WebhookRecord, FailedCalls {
  readonly lastCallAt: number | null;
  readonly waitingCalls: number;
}

const figures = sql`(select max(c.attempt_at) from webhook_calls as c where c.webhook_no = w.no) as last_call_at,
  (select count(*) from webhook_calls as c where c.webhook_no = w.no and c.state = 'waiting') as waiting_calls`;
const selectAll = defineStatement(
  () => sql`select ${webhookColumns}, ${figures} from webhooks as w where w.site_no = ${slot('site')} order by w.no`,
);
const selectOne = defineStatement(
  () => sql`select ${webhookColumns}, ${figures} from webhooks as w
    where w.site_no = ${slot('site')} and w.id = ${slot('id')}`,
);
const countRows = defineStatement(() => sql`select count(*) as total from webhooks where site_no = ${slot('site')}`);

interface SummaryRow extends WebhookRow {
  readonly last_call_at: number | null;
  readonly waiting_calls: number;
}

/** The oldest webhooks come first. */
export function* selectWebhooks(siteNo: number): Procedure<readonly WebhookSummary[]> {
  const summaries: WebhookSummary[] = [];
  for (const row of yield* query<SummaryRow>(selectAll, { site: siteNo })) summaries.push(yield* completeSummary(row));
  return summaries;
}

export function* selectWebhook(siteNo: number, id: string): Procedure<WebhookSummary | undefined> {
  const [row] = yield* query<SummaryRow>(selectOne, { site: siteNo, id });
  return row && (yield* completeSummary(row));
}

function* completeSummary(row: SummaryRow): Procedure<WebhookSummary> {
  return {
    ...readWebhook(row),
    lastCallAt: row.last_call_at,
    waitingCalls: Number(row.waiting_calls),
    ...(yield* selectFailedCalls(row.no)),
  };
}

export function* countWebhooks(siteNo: number): Procedure<number> {
  const [row] = yield* query<{ total: number }>(countRows, { site: siteNo });
  return Number(row?.total ?? 0);
}

const selectPlace = defineStatement(
  () => sql`select s.id as site_id, s.account_no from webhooks as w join sites as s on s.no = w.site_no
    where w.id = ${slot('id')}`,
);

export interface WebhookPlace {
  readonly siteId: string;
  readonly accountNo: number;
}

/** The webhook's site, in any account. */
export function* selectWebhookPlace(id: string): Procedure<WebhookPlace | undefined> {
  const [row] = yield* query<{ site_id: string; account_no: number }>(selectPlace, { id });
  return row && { siteId: row.site_id, accountNo: row.account_no };
}

const selectEnd = defineStatement(
  () => sql`select coalesce((select max(position) from changes where site_no = s.no), s.changes_start) as last
    from sites as s where s.no = ${slot('site')}`,
);

/** The encoded position after the last change in the site's log. */
export function* selectLogEnd(siteNo: number): Procedure<string> {
  const [row] = yield* query<{ last: number }>(selectEnd, { site: siteNo });
  if (row === undefined) throw new Error(`There is no site with the number ${siteNo}`);
  return encodePosition({ mode: 'changes', row: Number(row.last), inside: null });
}

export interface NewWebhook extends WebhookSettings {
  readonly siteNo: number;
  readonly id: string;
  readonly secret: string;
  readonly createdAt: number;
}

const insertRow = defineStatement(
  () => sql`insert into webhooks (site_no, id, name, url, kinds, types, languages, headers, payload, is_batched, is_on, off_at,
      secret, position, created_at, changed_at)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('url')}, ${slot('kinds')}, ${slot('types')},
      ${slot('languages')}, ${slot('headers')}, ${slot('payload')}, ${slot('isBatched')}, ${slot('isOn')}, ${slot('offAt')},
      ${slot('secret')}, ${slot('position')}, ${slot('now')}, ${slot('now')})
    returning no`,
);

/** Calls will be created only for changes made from now on. */
export function* insertWebhook(webhook: NewWebhook): Procedure<void> {
  const { siteNo: site, id, secret, createdAt: now, isOn } = webhook;
  const position = yield* selectLogEnd(site);
  const offAt = isOn ? null : now;
  yield* insertNumbered(insertRow, { site, id, secret, position, offAt, now, ...buildValues(webhook) });
}

const updateRow = defineStatement(
  () => sql`update webhooks set name = ${slot('name')}, url = ${slot('url')}, kinds = ${slot('kinds')}, types = ${slot('types')},
    languages = ${slot('languages')}, headers = ${slot('headers')}, payload = ${slot('payload')},
    is_batched = ${slot('isBatched')}, changed_at = ${slot('now')} where no = ${slot('no')}`,
);

/** Changes everything but `isOn`. */
export function* updateWebhook(no: number, settings: WebhookSettings, now: number): Procedure<void> {
  const { isOn: _, ...values } = buildValues(settings);
  yield* query(updateRow, { no, now, ...values });
}

function buildValues(settings: WebhookSettings) {
  const { name, url, payload } = settings;
  return {
    name,
    url,
    kinds: JSON.stringify(settings.kinds),
    types: settings.types === null ? null : JSON.stringify(settings.types),
    languages: settings.languages === null ? null : JSON.stringify(settings.languages),
    headers: JSON.stringify(settings.headers),
    payload,
    isBatched: settings.isBatched ? 1 : 0,
    isOn: settings.isOn ? 1 : 0,
  };
}

const updateOn = defineStatement(
  () => sql`update webhooks set is_on = 1, off_reason = null, off_at = null, failing_since = null, position = ${slot('position')},
    changed_at = ${slot('now')} where no = ${slot('no')} and is_on = 0`,
);
const updateOff = defineStatement(
  () => sql`update webhooks set is_on = 0, off_reason = ${slot('reason')}, off_at = ${slot('now')}, changed_at = ${slot('now')}
    where no = ${slot('no')} and is_on = 1`,
);
const endWaiting = defineStatement(
  () => sql`update webhook_calls set state = 'failed', next_at = null, ended_at = ${slot('now')}, error = ${slot('error')}
    where webhook_no = ${slot('no')} and state = 'waiting'`,
);

/** Calls will be created only for changes made from now on. Changes made while the webhook was off are skipped. */
export function* switchWebhookOn({ no, siteNo }: Pick<WebhookRecord, 'no' | 'siteNo'>, now: number): Procedure<void> {
  yield* query(updateOn, { no, now, position: yield* selectLogEnd(siteNo) });
}

/** Pending calls are marked as failed. @param reason null if an owner switched the webhook off */
export function* switchWebhookOff(no: number, reason: WebhookRecord['offReason'], now: number): Procedure<void> {
  yield* query(updateOff, { no, now, reason });
  yield* query(endWaiting, { no, now, error: 'The webhook was switched off before this call was delivered.' });
  // No more calls will end, so nothing else would delete those that exceed the limits.
  let deleted: number;
  do deleted = yield* deleteOldCalls(no, now);
  while (deleted > 0);
}

const updateSecret = defineStatement(
  () => sql`update webhooks set former_secret = secret, former_until = ${slot('until')}, secret = ${slot('secret')},
    changed_at = ${slot('now')} where no = ${slot('no')}`,
);

/** @param until calls are also signed with the former secret until this time */
export function* rotateSecret(no: number, secret: string, until: number, now: number): Procedure<void> {
  yield* query(updateSecret, { no, secret, until, now });
}

const deleteRow = defineStatement(() => sql`delete from webhooks where no = ${slot('no')}`);
const deleteOfSite = defineStatement(() => sql`delete from webhooks where site_no = ${slot('site')}`);

/** Also deletes the webhook's calls and their log. */
export function* deleteWebhook(no: number): Procedure<void> {
  yield* query(deleteRow, { no });
  yield* deleteCallsOfWebhook(no);
}

/** Call this for a site that is being deleted. Its calls are deleted later, in batches. */
export function* deleteWebhooksOfSite(siteNo: number): Procedure<void> {
  yield* query(deleteOfSite, { site: siteNo });
}
