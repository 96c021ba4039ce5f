// Webhook calls: those that are waiting to be sent, and the log of those that have ended.

import { type RawBuilder, sql } from 'kysely';
import { type CallType, type EventKind, listContents, type WebhookEvent } from '../../content/webhook-event.ts';
import { defineBatchStatement, defineInsertMany, queryBatch } from '../batch.ts';
import { insertNumbered } from '../named-rows.ts';
import { defineStatement, type Procedure, parseStored, query, type Statement, slot } from '../statement.ts';

export type CallState = 'waiting' | 'delivered' | 'failed';

export interface CallRecord {
  readonly no: number;
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly type: CallType;
  readonly events: readonly WebhookEvent[];
  /** The current name of the first content that the events are about; null if there is no such content, or if it no longer exists. */
  readonly contentName: string | null;
  readonly state: CallState;
  readonly attempts: number;
  /** Null if the call is not waiting. */
  readonly nextAt: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** The last attempt. Its properties are null before the first attempt. */
  readonly attemptAt: number | null;
  readonly durationMs: number | null;
  readonly status: number | null;
  /** A sentence. */
  readonly error: string | null;
}

/** A call with everything that is known about it. */
export interface WholeCall extends CallRecord, CallExchange {
  /** The current names of all content that the events are about. Content that no longer exists is left out. */
  readonly contentNames: ReadonlyMap<string, string>;
}

/** The request sent in the last attempt, and its response. Secrets are masked. */
interface CallExchange {
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

export interface NewCall {
  readonly siteNo: number;
  readonly webhookNo: number;
  readonly id: string;
  readonly type: CallType;
  /** At least one. */
  readonly events: readonly WebhookEvent[];
  readonly nextAt: number;
  readonly createdAt: number;
}

const insertRow = defineStatement(
  () => sql`insert into webhook_calls (site_no, webhook_no, id, type, events, state, next_at, created_at)
    values (${slot('site')}, ${slot('webhook')}, ${slot('id')}, ${slot('type')}, ${slot('events')}, 'waiting', ${slot('nextAt')},
      ${slot('createdAt')})
    returning no`,
);
const insertContents = defineInsertMany('webhook_call_contents', ['site_no', 'content_id', 'call_no']);

/** Calls about the same content are sent in this order. */
export function* insertCalls(calls: readonly NewCall[]): Procedure<void> {
  for (const { siteNo, webhookNo, id, type, events, nextAt, createdAt } of calls) {
    const row = { site: siteNo, webhook: webhookNo, id, type, events: JSON.stringify(events), nextAt, createdAt };
    const { no } = yield* insertNumbered(insertRow, row);
    yield* insertContents(listContents(events).map((contentId) => [siteNo, contentId, no]));
  }
}

/**
 * Events that do not come from the change log are dropped while this many of the webhook's calls are waiting, so that a receiver that is
 * down cannot fill the database. This is more than the number of waiting calls that the sender creates from the log.
 */
export const MOST_WAITING = 6000;

const selectListening = defineStatement(
  () => sql`select w.no, w.id, w.kinds, w.types, w.languages,
      (select count(*) from webhook_calls as c where c.webhook_no = w.no and c.state = 'waiting') as waiting
    from webhooks as w where w.site_no = ${slot('site')} and w.is_on = 1 order by w.no`,
);

interface ListeningRow {
  readonly no: number;
  readonly id: string;
  readonly kinds: string;
  readonly types: string | null;
  readonly languages: string | null;
  readonly waiting: number;
}

/** The subject of an event. Webhooks that are limited to some types or languages do not get events about others. */
export interface EventSubject {
  readonly type: string;
  readonly language: string;
}

/**
 * For an event that is not in the change log, adds a call for each webhook that subscribes to it. Call this in the same transaction as the
 * event.
 * @param newId returns the id of the next call
 * @returns the ids of the webhooks that do not get the event, because too many of their calls are waiting
 */
export function* insertEvent(
  siteNo: number,
  event: WebhookEvent & { readonly type: EventKind },
  {
    subject,
    newId,
    now,
  }: { readonly subject: EventSubject | null; readonly newId: () => string; readonly now: number },
): Procedure<readonly string[]> {
  const lists = (list: string | null, name: string | undefined): boolean =>
    list === null || name === undefined || parseStored<readonly string[]>(list).includes(name);
  const rows = (yield* query<ListeningRow>(selectListening, { site: siteNo })).filter(
    ({ kinds, types, languages }) =>
      lists(kinds, event.type) && lists(types, subject?.type) && lists(languages, subject?.language),
  );
  const isFull = ({ waiting }: ListeningRow): boolean => Number(waiting) >= MOST_WAITING;
  const calls = rows
    .filter((row) => !isFull(row))
    .map(({ no: webhookNo }) => {
      return { siteNo, webhookNo, id: newId(), type: event.type, events: [event], nextAt: now, createdAt: now };
    });
  yield* insertCalls(calls);
  return rows.filter(isFull).map(({ id }) => id);
}

const callColumns = sql.raw(
  'no, site_no, id, type, events, state, attempts, next_at, created_at, ended_at, attempt_at, duration_ms, status, error',
);
const selectAll = definePage(sql`1 = 1`);
const selectInState = definePage(sql`state = ${slot('state')}`);
const selectOne = defineStatement(
  () => sql`select ${callColumns}, request_headers, request_body, response_headers, response_body from webhook_calls
    where webhook_no = ${slot('webhook')} and id = ${slot('id')}`,
);

function definePage(condition: RawBuilder<unknown>): Statement {
  return defineStatement(
    () => sql`select ${callColumns} from webhook_calls
      where webhook_no = ${slot('webhook')} and ${condition} and no < ${slot('before')}
      order by no desc limit ${slot('limit')} + 0`,
  );
}

interface CallRow {
  readonly no: number;
  readonly site_no: number;
  readonly id: string;
  readonly type: CallType;
  readonly events: string;
  readonly state: CallState;
  readonly attempts: number;
  readonly next_at: number | null;
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly attempt_at: number | null;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

interface WholeRow extends CallRow {
  readonly request_headers: string | null;
  readonly request_body: string | null;
  readonly response_headers: string | null;
  readonly response_body: string | null;
}

export interface CallSelection {
  readonly state: CallState | undefined;
  /** The number of the last call on the previous page; null for the first page. */
  readonly before: number | null;
  readonly limit: number;
}

/** The newest calls come first. */
export function* selectCalls(
  webhookNo: number,
  { state, before, limit }: CallSelection,
): Procedure<readonly CallRecord[]> {
  const page = { webhook: webhookNo, before: before ?? Number.MAX_SAFE_INTEGER, limit };
  const rows =
    state === undefined
      ? yield* query<CallRow>(selectAll, page)
      : yield* query<CallRow>(selectInState, { ...page, state });
  const calls = rows.map(readCall);
  const firsts = calls.flatMap(({ events }) => listContents(events).slice(0, 1));
  const names = yield* selectContentNames(rows[0]?.site_no ?? 0, [...new Set(firsts)]);
  return calls.map((call) => addName(call, names));
}

export function* selectCall(webhookNo: number, id: string): Procedure<WholeCall | undefined> {
  const [row] = yield* query<WholeRow>(selectOne, { webhook: webhookNo, id });
  if (row === undefined) return undefined;
  const { request_headers, request_body, response_headers, response_body } = row;
  const call = readCall(row);
  const contentNames = yield* selectContentNames(row.site_no, listContents(call.events));
  return {
    ...addName(call, contentNames),
    contentNames,
    requestHeaders: request_headers === null ? null : parseStored(request_headers),
    requestBody: request_body,
    responseHeaders: response_headers === null ? null : parseStored(response_headers),
    responseBody: response_body,
  };
}

const selectNames = defineBatchStatement(
  (list) => sql`select id, name from contents where site_no = ${slot('site')} and id in (${list})`,
);

function* selectContentNames(siteNo: number, ids: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  const rows = yield* queryBatch<{ id: string; name: string }>(selectNames, ids, { site: siteNo });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function addName(call: NamelessCall, names: ReadonlyMap<string, string>): CallRecord {
  const [first = ''] = listContents(call.events);
  return { ...call, contentName: names.get(first) ?? null };
}

type NamelessCall = Omit<CallRecord, 'contentName'>;

function readCall(row: CallRow): NamelessCall {
  return {
    no: row.no,
    id: row.id,
    type: row.type,
    events: parseStored(row.events),
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    attemptAt: row.attempt_at,
    durationMs: row.duration_ms,
    status: row.status,
    error: row.error,
  };
}

const deleteContentsOfWebhook = defineStatement(
  () => sql`delete from webhook_call_contents where call_no in
    (select no from webhook_calls where webhook_no = ${slot('webhook')})`,
);
const deleteOfWebhook = defineStatement(() => sql`delete from webhook_calls where webhook_no = ${slot('webhook')}`);

export function* deleteCallsOfWebhook(webhookNo: number): Procedure<void> {
  yield* query(deleteContentsOfWebhook, { webhook: webhookNo });
  yield* query(deleteOfWebhook, { webhook: webhookNo });
}

const deleteContentsOf = defineBatchStatement(
  (list) => sql`delete from webhook_call_contents where call_no in (${list})`,
);
const deleteRows = defineBatchStatement((list) => sql`delete from webhook_calls where no in (${list})`);

/** @param nos the numbers of the calls */
export function* deleteCalls(nos: readonly number[]): Procedure<void> {
  yield* queryBatch(deleteContentsOf, nos);
  yield* queryBatch(deleteRows, nos);
}

const selectOfSite = defineStatement(
  () => sql`select no from webhook_calls where site_no = ${slot('site')} limit ${slot('limit')} + 0`,
);

/** Deletes a batch of calls for a site that is being deleted. Returns false if there are none. */
export function* deleteCallsOfSite(siteNo: number, limit: number): Procedure<boolean> {
  const rows = yield* query<{ no: number }>(selectOfSite, { site: siteNo, limit });
  yield* deleteCalls(rows.map(({ no }) => no));
  return rows.length > 0;
}

const selectNaming = defineBatchStatement(
  (list) => sql`select no, events from webhook_calls where no in
    (select call_no from webhook_call_contents where site_no = ${slot('site')} and content_id in (${list}))`,
);
const deleteNaming = defineBatchStatement(
  (list) => sql`delete from webhook_call_contents where site_no = ${slot('site')} and content_id in (${list})`,
);
const updateEvents = defineStatement(
  () => sql`update webhook_calls set events = ${slot('events')} where no = ${slot('no')}`,
);

interface EventsRow {
  readonly no: number;
  readonly events: string;
}

/** Permanently deleted content must not remain in any call. Calls that are also about other content keep their other events. */
export function* eraseContentsInCalls(siteNo: number, ids: readonly string[]): Procedure<void> {
  const erased = new Set(ids);
  const isKept = ({ data }: WebhookEvent): boolean => data.id === undefined || !erased.has(data.id);
  const empty: number[] = [];
  for (const { no, events } of yield* queryBatch<EventsRow>(selectNaming, ids, { site: siteNo })) {
    const kept = parseStored<readonly WebhookEvent[]>(events).filter(isKept);
    if (kept.length === 0) empty.push(no);
    else yield* query(updateEvents, { no, events: JSON.stringify(kept) });
  }
  yield* deleteCalls(empty);
  yield* queryBatch(deleteNaming, ids, { site: siteNo });
}

/** A site can have 25,000 logged calls, each with bodies of up to 18 KB in total. */
const FORGOTTEN_AT_ONCE = 500;
const selectPortion = defineStatement(
  () => sql`select type, no from webhook_calls
    where site_no = ${slot('site')} and (type, no) > (${slot('type')}, ${slot('no')})
    order by type, no limit ${sql.lit(FORGOTTEN_AT_ONCE)}`,
);
const forgetBodies = defineBatchStatement(
  (list) => sql`update webhook_calls set request_body = null, response_body = null
    where no in (${list}) and (request_body is not null or response_body is not null)`,
);
const selectFailures = defineStatement(
  () => sql`select no, events from webhook_calls
    where site_no = ${slot('site')} and type = 'schedule.failed' and events like ${slot('pattern')}`,
);

/** A place in the site's call log. */
export interface CallPlace {
  readonly type: string;
  readonly no: number;
}

export const FIRST_CALL: CallPlace = { type: '', no: 0 };

/**
 * Deletes a batch of logged bodies, since any of them may contain permanently deleted data. Returns the place after the batch, or null at
 * the end.
 */
export function* forgetCallBodies(siteNo: number, after: CallPlace): Procedure<CallPlace | null> {
  const rows = yield* query<CallPlace>(selectPortion, { site: siteNo, type: after.type, no: after.no });
  yield* queryBatch(
    forgetBodies,
    rows.map(({ no }) => no),
  );
  return rows.length < FORGOTTEN_AT_ONCE ? null : (rows.at(-1) ?? null);
}

/** Deletes the reasons for schedule failures if they match the pattern, since they may quote permanently deleted data. */
export function* forgetReasonsInCalls(siteNo: number, pattern: string): Procedure<void> {
  for (const { no, events } of yield* query<EventsRow>(selectFailures, { site: siteNo, pattern })) {
    const kept = parseStored<readonly WebhookEvent[]>(events).map((event) => {
      return { ...event, data: { ...event.data, reason: null } };
    });
    yield* query(updateEvents, { no, events: JSON.stringify(kept) });
  }
}
