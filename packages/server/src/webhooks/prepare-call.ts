// Prepares a call to be sent: reads the current content, builds the body, and signs it. Each attempt is prepared from
// scratch.

import { SHARED_ROOM } from '../content/answer-limit.ts';
import { placeFiles, renderContent } from '../content/render-content.ts';
import { CONTENT_EVENTS, listContents, type WebhookEvent } from '../content/webhook-event.ts';
import { findHeaderNameFault } from '../content/webhook-rules.ts';
import { decodePosition } from '../listing/change-position.ts';
import type { CatalogMemo, DeliveryReads } from '../storage/delivery-reads.ts';
import type { Procedure } from '../storage/statement.ts';
import { VIEWS } from '../storage/views.ts';
import { type DueCall, selectDueCall, selectMoves, selectUrisById } from '../storage/webhooks/outbox.ts';
import type { WebhookRecord } from '../storage/webhooks/webhooks.ts';
import { MASK, type OutgoingCall } from './send-attempt.ts';
import { signCall } from './sign-call.ts';

export interface PreparedCall {
  readonly call: DueCall;
  readonly outgoing: OutgoingCall;
  /** The headers as the call log shows them. */
  readonly shownHeaders: Readonly<Record<string, string>>;
}

export interface PreparingParts {
  readonly reads: DeliveryReads;
  /** The base of the URLs in content. */
  readonly publicUrl: string | null;
  readonly now: number;
}

/** Returns undefined if the call is no longer waiting. */
export function* prepareCall(no: number, parts: PreparingParts): Procedure<PreparedCall | undefined> {
  const call = yield* selectDueCall(no);
  if (call === undefined) return undefined;
  const { webhook } = call;
  const ids = listContents(call.events.filter(showsContent));
  const uris = ids.length === 0 ? new Map<string, string>() : yield* selectUrisById(webhook.siteNo, ids);
  const objects = yield* renderObjects(webhook, [...uris.keys()], parts);
  const moves = yield* selectMoves(webhook.siteNo, call.events.flatMap(findMoveRow));
  const body = buildBody(call, { uris, objects, moves });
  const own = buildHeaders(call, body, parts.now);
  const custom = Object.entries(webhook.headers).filter(([name]) => findHeaderNameFault(name) === undefined);
  return {
    call,
    outgoing: {
      url: webhook.url,
      headers: { ...Object.fromEntries(custom), ...own },
      body,
      secrets: custom.map(([, value]) => value),
    },
    shownHeaders: { ...own, ...Object.fromEntries(custom.map(([name]) => [name.toLowerCase(), MASK])) },
  };
}

/**
 * Content that was unpublished or deleted is not shown, even if it has been published again since, because publishing has its own event.
 */
function showsContent({ type }: WebhookEvent): boolean {
  return isContentEvent(type) && type !== 'content.unpublished' && type !== 'content.deleted';
}

function isContentEvent(type: string): boolean {
  return CONTENT_EVENTS.some((each) => each === type);
}

/** The text of the objects by id; null for objects that must be fetched because they are too large. */
type Objects = ReadonlyMap<string, string | null>;

/** Returns undefined if the webhook does not receive objects. */
function* renderObjects(
  { payload, siteNo }: WebhookRecord,
  ids: readonly string[],
  { reads, publicUrl }: PreparingParts,
): Procedure<Objects | undefined> {
  // Owners can ask for objects only while there is a public URL, but it may have been removed from the settings since.
  if (payload !== 'full' || publicUrl === null) return undefined;
  const objects = new Map<string, string | null>();
  const memo = ids.length === 0 ? undefined : yield* reads.openSite(siteNo);
  if (memo === undefined) return objects;
  let room = SHARED_ROOM.characters;
  for (const id of ids) {
    const object = yield* renderObject(id, reads, memo, publicUrl);
    const text = object === null || object.length > room ? null : object;
    room -= text?.length ?? 0;
    objects.set(id, text);
  }
  return objects;
}

/** Returns null if the object is too large for the main thread. */
function* renderObject(id: string, reads: DeliveryReads, memo: CatalogMemo, baseUrl: string): Procedure<string | null> {
  const { version } = memo;
  const reading = { memo, generation: 0, version, view: VIEWS.public, room: SHARED_ROOM, sharedId: null };
  const found = yield* reads.selectContents([id], reading);
  const [row] = found?.rows ?? [];
  if (found === undefined || row === undefined) return null;
  return renderContent(row, placeFiles(found.related, baseUrl), memo.templates);
}

interface Current {
  readonly uris: ReadonlyMap<string, string>;
  readonly objects: Objects | undefined;
  /** The ids of the moved content, keyed by log row. */
  readonly moves: ReadonlyMap<number, string>;
}

function buildBody({ type, events, createdAt }: DueCall, current: Current): string {
  const texts = events.map((event) => renderEvent(event, current));
  const [first, ...others] = texts;
  if (type !== 'batch' && first !== undefined && others.length === 0) return first;
  const site = JSON.stringify(events[0]?.data.site);
  const timestamp = JSON.stringify(new Date(createdAt).toISOString());
  return `{"type":"batch","timestamp":${timestamp},"data":{"site":${site},"events":[${texts.join(',')}]}}`;
}

function renderEvent({ type, timestamp, data }: WebhookEvent, current: Current): string {
  if (!isContentEvent(type)) return JSON.stringify({ type, timestamp, data });
  const { site, id = '', content_type, language, position } = data;
  const uri = showsContent({ type, timestamp, data }) ? (current.uris.get(id) ?? null) : null;
  // The former paths of content that was unpublished must not be revealed, even if it has been published again since.
  const isShownMove = uri !== null && findMoveRow({ data }).some((row) => current.moves.get(row) === id);
  const shown = { site, id, content_type, language, uri, moved: isShownMove ? data.moved : null, position };
  const head = JSON.stringify({ type, timestamp, data: shown }).slice(0, -'}}'.length);
  return `${head}${renderObjectMember(uri === null ? undefined : id, current.objects)}}}`;
}

/** The log row that an event's paths come from; empty if the event has no paths. */
function findMoveRow({ data: { moved, position } }: Pick<WebhookEvent, 'data'>): readonly number[] {
  if (moved === null || typeof position !== 'string') return [];
  const decoded = decodePosition(position);
  return decoded === undefined ? [] : [decoded.row];
}

/** @param id undefined if the content is not published */
function renderObjectMember(id: string | undefined, objects: Objects | undefined): string {
  if (objects === undefined) return '';
  const object = id === undefined ? null : (objects.get(id) ?? null);
  const isTooLarge = id !== undefined && object === null;
  return `,"content":${object}${isTooLarge ? ',"too_large":true' : ''}`;
}

/** The time of an attempt is part of its signature, so receivers can reject old attempts. */
function buildHeaders({ id, webhook }: DueCall, body: string, now: number): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signCall(listSecrets(webhook, now), id, timestamp, body),
    'content-type': 'application/json',
    'user-agent': 'Galley',
  };
}

function listSecrets({ secret, formerSecret, formerUntil }: WebhookRecord, now: number): readonly string[] {
  return formerSecret !== null && formerUntil !== null && now < formerUntil ? [secret, formerSecret] : [secret];
}
