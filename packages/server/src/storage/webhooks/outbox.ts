// The procedures that only the sender of webhook calls needs. They read waiting calls and each webhook's position in the change log, and
// record the outcomes of attempts.

import { sql } from 'kysely';
import type { CallType, WebhookEvent } from '../../content/webhook-event.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';
import type { CallState } from './webhook-calls.ts';
import { readWebhook, type WebhookRecord, type WebhookRow, webhookColumns } from './webhooks.ts';

export interface WebhookPlace {
  readonly no: number;
  /** The encoded position up to which calls have been created. */
  readonly position: string;
  /** The position of the last change in the site's log. */
  readonly last: number;
}

const selectPlaces = defineStatement(
  () => sql`select w.no, w.position,
      coalesce((select max(c.position) from changes as c where c.site_no = w.site_no), s.changes_start) as last
    from webhooks as w join sites as s on s.no = w.site_no
    where w.is_on = 1 and s.deletion is null order by w.no`,
);

/** For each webhook that is switched on, its position in the site's change log. */
export function* selectWebhookPlaces(): Procedure<readonly WebhookPlace[]> {
  const rows = yield* query<WebhookPlace>(selectPlaces);
  return rows.map(({ no, position, last }) => ({ no, position, last: Number(last) }));
}

const selectOn = defineBatchStatement(
  (list) => sql`select ${webhookColumns} from webhooks as w where w.no in (${list}) and w.is_on = 1 order by w.no`,
);

/** The given webhooks that are switched on. */
export function* selectWebhooksOn(nos: readonly number[]): Procedure<readonly WebhookRecord[]> {
  // The list is padded by repeating a number, but each row is still found only once.
  return (yield* queryBatch<WebhookRow>(selectOn, nos)).map(readWebhook);
}

const updatePosition = defineStatement(
  () => sql`update webhooks set position = ${slot('position')} where no = ${slot('no')}`,
);

export function* moveWebhook(no: number, position: string): Procedure<void> {
  yield* query(updatePosition, { no, position });
}

export interface WaitingCall {
  readonly no: number;
  readonly webhookNo: number;
  readonly siteNo: number;
  readonly nextAt: number;
  /** Whether an attempt has failed. */
  readonly isTried: boolean;
}

/** The range makes the planner use the index of waiting calls. Otherwise, it might read all calls with their bodies. */
const selectAllWaiting = defineStatement(
  () =>
    sql`select no, webhook_no, site_no, next_at, attempts from webhook_calls where next_at is not null and next_at >= 0`,
);
const selectWaitingAfter = defineStatement(
  () => sql`select no, webhook_no, site_no, next_at, attempts from webhook_calls
    where no > ${slot('after')} and next_at is not null`,
);

interface WaitingRow {
  readonly no: number;
  readonly webhook_no: number;
  readonly site_no: number;
  readonly next_at: number;
  readonly attempts: number;
}

/** The waiting calls, in order. @param after only calls with a higher number; 0 for all */
export function* selectWaitingCalls(after: number): Procedure<readonly WaitingCall[]> {
  const rows =
    after === 0 ? yield* query<WaitingRow>(selectAllWaiting) : yield* query<WaitingRow>(selectWaitingAfter, { after });
  return rows
    .map(({ no, webhook_no, site_no, next_at, attempts }) => {
      return { no, webhookNo: webhook_no, siteNo: site_no, nextAt: next_at, isTried: attempts > 0 };
    })
    .toSorted((a, b) => a.no - b.no);
}

const selectContents = defineBatchStatement(
  (list) => sql`select call_no, content_id from webhook_call_contents where call_no in (${list})`,
);

/** The content that each call is about. Calls that are not about any content are left out. */
export function* selectContentsOfCalls(nos: readonly number[]): Procedure<ReadonlyMap<number, readonly string[]>> {
  const contents = new Map<number, string[]>();
  for (const { call_no, content_id } of yield* queryBatch<{ call_no: number; content_id: string }>(
    selectContents,
    nos,
  )) {
    const known = contents.get(call_no);
    if (known === undefined) contents.set(call_no, [content_id]);
    else known.push(content_id);
  }
  return contents;
}

export interface DueCall {
  readonly no: number;
  readonly id: string;
  readonly type: CallType;
  readonly events: readonly WebhookEvent[];
  readonly attempts: number;
  readonly createdAt: number;
  /** The position of the last change in the site's log. */
  readonly logEnd: number;
  readonly webhook: WebhookRecord;
}

interface DueRow extends WebhookRow {
  readonly call_no: number;
  readonly call_id: string;
  readonly call_type: CallType;
  readonly events: string;
  readonly attempts: number;
  readonly made_at: number;
  readonly log_end: number;
}

const selectDue = defineStatement(
  () => sql`select c.no as call_no, c.id as call_id, c.type as call_type, c.events, c.attempts, c.created_at as made_at,
      coalesce((select max(l.position) from changes as l where l.site_no = w.site_no), 0) as log_end, ${webhookColumns}
    from webhook_calls as c join webhooks as w on w.no = c.webhook_no
    where c.no = ${slot('no')} and c.state = 'waiting'`,
);

/** Returns undefined if the call is no longer waiting. */
export function* selectDueCall(no: number): Procedure<DueCall | undefined> {
  const [row] = yield* query<DueRow>(selectDue, { no });
  if (row === undefined) return undefined;
  return {
    no: row.call_no,
    id: row.call_id,
    type: row.call_type,
    events: parseStored(row.events),
    attempts: row.attempts,
    createdAt: row.made_at,
    logEnd: Number(row.log_end),
    webhook: readWebhook(row),
  };
}

const selectUris = defineBatchStatement(
  (list) => sql`select id, uri from published_contents where site_no = ${slot('site')} and id in (${list})`,
);

/** The paths of published content, by id. */
export function* selectUrisById(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; uri: string }>(selectUris, ids, { site: siteNo });
  return new Map(rows.map(({ id, uri }) => [id, uri]));
}

const selectLoggedMoves = defineBatchStatement(
  (list) => sql`select position, content_id from changes
    where site_no = ${slot('site')} and position in (${list}) and old_uri is not null`,
);

/**
 * The given positions in the site's log at which content moved, each with the content's id. The log does not keep the paths of unpublished
 * content.
 */
export function* selectMoves(siteNo: number, rows: readonly number[]): Procedure<ReadonlyMap<number, string>> {
  const found = yield* queryBatch<{ position: number; content_id: string }>(selectLoggedMoves, rows, { site: siteNo });
  return new Map(found.map(({ position, content_id }) => [position, content_id]));
}

const selectErasing = defineStatement(
  () => sql`select 1 as found from changes where site_no = ${slot('site')} and position > ${slot('after')}
    and kind in ('deleted', 'erased') limit 1`,
);

/** Whether anything that a body may contain has been permanently deleted since the given position in the site's log. */
export function* mayHaveErased(siteNo: number, after: number): Procedure<boolean> {
  return (yield* query(selectErasing, { site: siteNo, after })).length > 0;
}

export interface AttemptRecord {
  readonly callNo: number;
  /** The number of attempts before this one. */
  readonly attempts: number;
  readonly state: CallState;
  /** Null unless the call is waiting for another attempt. */
  readonly nextAt: number | null;
  readonly endedAt: number | null;
  readonly attemptAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

const updateCall = defineStatement(
  () => sql`update webhook_calls set state = ${slot('state')}, attempts = attempts + 1, next_at = ${slot('nextAt')},
      ended_at = ${slot('endedAt')}, attempt_at = ${slot('attemptAt')}, duration_ms = ${slot('durationMs')},
      status = ${slot('status')}, error = ${slot('error')}, request_headers = ${slot('requestHeaders')},
      request_body = ${slot('requestBody')}, response_headers = ${slot('responseHeaders')},
      response_body = ${slot('responseBody')}
    where no = ${slot('no')} and state = 'waiting' and attempts = ${slot('attempts')} returning no`,
);

/** Returns false if the call is no longer waiting, or if the attempt has already been recorded. */
export function* recordAttempt(record: AttemptRecord): Procedure<boolean> {
  const { callNo: no, requestHeaders, responseHeaders, ...values } = record;
  const headers = {
    requestHeaders: JSON.stringify(requestHeaders),
    responseHeaders: responseHeaders === null ? null : JSON.stringify(responseHeaders),
  };
  return (yield* query(updateCall, { no, ...values, ...headers })).length > 0;
}

const updateFailing = defineStatement(
  () => sql`update webhooks set failing_since = coalesce(failing_since, ${slot('now')}) where no = ${slot('no')} and is_on = 1
    returning failing_since`,
);
const clearFailing = defineStatement(
  () => sql`update webhooks set failing_since = null where no = ${slot('no')} and failing_since is not null`,
);

/** Returns the time at which calls to the webhook started failing; undefined if the webhook is off. */
export function* noteFailure(webhookNo: number, now: number): Procedure<number | undefined> {
  return (yield* query<{ failing_since: number }>(updateFailing, { no: webhookNo, now }))[0]?.failing_since;
}

export function* noteSuccess(webhookNo: number): Procedure<void> {
  yield* query(clearFailing, { no: webhookNo });
}
