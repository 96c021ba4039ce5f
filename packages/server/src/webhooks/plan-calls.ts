// Turns a page of the change log into the calls that one webhook gets.

import type { CallType, ContentEvent, WebhookEvent } from '../content/webhook-event.ts';
import { type ChangePosition, encodePosition } from '../listing/change-position.ts';
import type { ChangePage, FoundChange } from '../storage/changes/select-changes.ts';
import type { WebhookRecord } from '../storage/webhooks/webhooks.ts';

export interface PlannedCall {
  readonly type: CallType;
  readonly events: readonly WebhookEvent[];
}

export interface CallPlan {
  readonly calls: readonly PlannedCall[];
  /** The position after the last change that the calls cover. */
  readonly next: ChangePosition;
  /** When the changes after `next` become a batch; null if there are none, or if they can be read now. */
  readonly readyAt: number | null;
}

type Wishes = Pick<WebhookRecord, 'kinds' | 'types' | 'languages' | 'isBatched'>;

export interface PlanContext {
  readonly siteId: string;
  /** The position before the page. */
  readonly since: ChangePosition;
  readonly now: number;
}

/** A batch contains the changes made within this period, up to this many. */
const BATCH_MS = 2000;
const MOST_IN_BATCH = 100;

export function planCalls(webhook: Wishes, page: ChangePage, context: PlanContext): CallPlan {
  if (webhook.isBatched) return planBatches(webhook, page, context);
  const calls = page.changes
    .filter((change) => isWanted(change, webhook))
    .map((change): PlannedCall => {
      const event = buildEvent(change, context.siteId);
      return { type: event.type, events: [event] };
    });
  return { calls, next: page.next, readyAt: null };
}

/** Whether the page ends within a batch, so that changes on the next page may belong to it. */
export function endsInBatch(webhook: Wishes, page: ChangePage): boolean {
  if (!webhook.isBatched || !page.hasMore) return false;
  const batch = gatherBatches(webhook, page).at(-1);
  const end = page.changes.at(-1);
  return batch !== undefined && end !== undefined && isInBatch(end, batch);
}

/** The last batch of the log waits until its period has passed, because further changes may belong to it. */
function planBatches(webhook: Wishes, page: ChangePage, { siteId, since, now }: PlanContext): CallPlan {
  const batches = gatherBatches(webhook, page);
  const calls = batches.map((batch): PlannedCall => {
    return { type: 'batch', events: batch.map((change) => buildEvent(change, siteId)) };
  });
  const [first] = batches.at(-1) ?? [];
  if (first === undefined || page.hasMore || batches.at(-1)?.length === MOST_IN_BATCH || isOver(first, now)) {
    return { calls, next: page.next, readyAt: null };
  }
  const before = page.changes[page.changes.indexOf(first) - 1];
  return { calls: calls.slice(0, -1), next: before?.position ?? since, readyAt: first.at + BATCH_MS };
}

function gatherBatches(webhook: Wishes, { changes }: ChangePage): readonly (readonly FoundChange[])[] {
  const batches: FoundChange[][] = [];
  for (const change of changes) {
    if (!isWanted(change, webhook)) continue;
    const batch = batches.at(-1);
    if (batch !== undefined && isInBatch(change, batch)) batch.push(change);
    else batches.push([change]);
  }
  return batches;
}

function isInBatch(change: FoundChange, batch: readonly FoundChange[]): boolean {
  const [first] = batch;
  return first !== undefined && batch.length < MOST_IN_BATCH && change.at - first.at <= BATCH_MS;
}

/** If the clock was set back, a change may have a time in the future. The batch does not wait for that time. */
function isOver({ at }: FoundChange, now: number): boolean {
  return at + BATCH_MS <= now || at > now + BATCH_MS;
}

function isWanted(change: FoundChange, { kinds, types, languages }: Wishes): boolean {
  const type = nameEvent(change);
  if (type === undefined || !kinds.includes(type)) return false;
  return (types === null || types.includes(change.type)) && (languages === null || languages.includes(change.language));
}

/** A full sync has no events. */
function nameEvent({ kind }: FoundChange): ContentEvent | undefined {
  return kind === 'present' ? undefined : `content.${kind}`;
}

/**
 * The path of the content is not part of the event. It is added when the call is sent, because the content may
 * have been unpublished by then.
 */
function buildEvent(change: FoundChange, siteId: string): WebhookEvent {
  const { id, type, language, at, uris, position } = change;
  return {
    type: nameEvent(change) ?? 'content.updated',
    timestamp: new Date(at).toISOString(),
    data: {
      site: siteId,
      id,
      content_type: type,
      language,
      moved: uris === null ? null : { from: uris.from, to: uris.to },
      position: encodePosition(position),
    },
  };
}
