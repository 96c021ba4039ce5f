// Creates calls from the change log, in the same transaction as the webhooks' new positions, so every change becomes a call exactly once.

import { decodePosition, encodePosition } from '../listing/change-position.ts';
import { type ChangePage, selectChanges } from '../storage/changes/select-changes.ts';
import type { CatalogMemo, DeliveryReads } from '../storage/delivery-reads.ts';
import type { Procedure } from '../storage/statement.ts';
import { moveWebhook, selectWebhooksOn } from '../storage/webhooks/outbox.ts';
import { insertCalls } from '../storage/webhooks/webhook-calls.ts';
import { selectLogEnd, type WebhookRecord } from '../storage/webhooks/webhooks.ts';
import { endsInBatch, planCalls } from './plan-calls.ts';

export interface MakingParts {
  readonly reads: DeliveryReads;
  readonly newCallId: () => string;
  readonly now: number;
  /**
   * Other writes wait for this transaction, so it creates only about this many calls. The remaining webhooks are handled in the next
   * transaction.
   */
  readonly most: number;
}

export interface MadeCalls {
  readonly count: number;
  /**
   * For each webhook whose next batch is not complete, the time at which to look again, keyed by the webhook's number.
   */
  readonly readyAt: ReadonlyMap<number, number>;
  /** Webhooks whose position is no longer in the log. */
  readonly skipped: readonly WebhookRecord[];
  /** The age of the oldest change that was read. */
  readonly lagMs: number;
}

/** The maximum number of changes that are read at once for a webhook. */
export const CHANGES_AT_ONCE = 100;

/** If a webhook gets only a few of the changes, its batches can extend over several pages. */
const MOST_PAGES = 10;

/** @param nos the numbers of webhooks that have changes to catch up on */
export function* makeCalls(nos: readonly number[], parts: MakingParts): Procedure<MadeCalls> {
  const making = new Making(parts);
  const wanted = new Map(nos.map((no, index) => [no, index]));
  const webhooks = yield* selectWebhooksOn(nos);
  for (const webhook of webhooks.toSorted((a, b) => (wanted.get(a.no) ?? 0) - (wanted.get(b.no) ?? 0))) {
    if (making.count >= parts.most) break;
    yield* making.add(webhook);
  }
  return making;
}

class Making implements MadeCalls {
  count = 0;
  lagMs = 0;
  readonly readyAt = new Map<number, number>();
  readonly skipped: WebhookRecord[] = [];
  readonly #parts: MakingParts;
  readonly #sites = new Map<number, CatalogMemo | undefined>();
  /** Most of a site's webhooks are at the same position, so each page of changes is read once for all of them. */
  readonly #pages = new Map<string, ChangePage | undefined>();

  constructor(parts: MakingParts) {
    this.#parts = parts;
  }

  *add(webhook: WebhookRecord): Procedure<void> {
    const { newCallId, now } = this.#parts;
    const { no: webhookNo, siteNo } = webhook;
    const memo = yield* this.#openSite(siteNo);
    if (memo === undefined) return;
    const since = decodePosition(webhook.position);
    const page = since === undefined ? undefined : yield* this.#readWholeBatches(webhook, memo);
    if (since === undefined || page === undefined) {
      this.skipped.push(webhook);
      yield* moveWebhook(webhookNo, yield* selectLogEnd(siteNo));
      return;
    }
    const [oldest] = page.changes;
    if (oldest !== undefined) this.lagMs = Math.max(this.lagMs, now - oldest.at);
    const plan = planCalls(webhook, page, { siteId: memo.catalog.site.id, since, now });
    yield* insertCalls(
      plan.calls.map((call) => ({ ...call, siteNo, webhookNo, id: newCallId(), nextAt: now, createdAt: now })),
    );
    yield* moveWebhook(webhookNo, encodePosition(plan.next));
    this.count += plan.calls.length;
    if (plan.readyAt !== null) this.readyAt.set(webhookNo, plan.readyAt);
  }

  *#openSite(siteNo: number): Procedure<CatalogMemo | undefined> {
    if (!this.#sites.has(siteNo)) this.#sites.set(siteNo, yield* this.#parts.reads.openSite(siteNo));
    return this.#sites.get(siteNo);
  }

  /** Reads further pages as long as the last batch may be incomplete. */
  *#readWholeBatches(webhook: WebhookRecord, memo: CatalogMemo): Procedure<ChangePage | undefined> {
    // If few calls are wanted, fewer changes are read, except for webhooks that receive batches: a batch is one call, however many changes
    // it contains.
    const limit = webhook.isBatched ? CHANGES_AT_ONCE : Math.min(CHANGES_AT_ONCE, this.#parts.most);
    let page = yield* this.#readPage(webhook.position, memo, limit);
    for (let count = 1; page !== undefined && count < MOST_PAGES && endsInBatch(webhook, page); count += 1) {
      const more: ChangePage | undefined = yield* this.#readPage(encodePosition(page.next), memo, limit);
      if (more === undefined) break;
      page = { ...more, changes: [...page.changes, ...more.changes] };
    }
    return page;
  }

  *#readPage(position: string, memo: CatalogMemo, limit: number): Procedure<ChangePage | undefined> {
    const key = `${memo.catalog.site.no} ${position} ${limit}`;
    if (!this.#pages.has(key)) {
      const since = decodePosition(position) ?? null;
      this.#pages.set(key, yield* selectChanges(memo.catalog.site, { since, types: null, limit }));
    }
    return this.#pages.get(key);
  }
}
