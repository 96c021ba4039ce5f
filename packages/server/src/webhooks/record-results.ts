// Records the outcomes of attempts (delivered, to be retried, or failed), and switches webhooks off if necessary.

import { DAY_MS } from '../content/timestamp.ts';
import { TEST_EVENT } from '../content/webhook-event.ts';
import type { Procedure } from '../storage/statement.ts';
import { deleteOldCalls } from '../storage/webhooks/old-calls.ts';
import { type DueCall, mayHaveErased, noteFailure, noteSuccess, recordAttempt } from '../storage/webhooks/outbox.ts';
import { switchWebhookOff, type WebhookRecord } from '../storage/webhooks/webhooks.ts';
import type { PreparedCall } from './prepare-call.ts';
import { planRetry } from './retry-plan.ts';
import type { Attempt } from './send-attempt.ts';

/** An attempt that has ended. */
export interface AttemptResult extends PreparedCall {
  readonly attempt: Attempt;
  readonly attemptAt: number;
}

/** The result for a call that could not be prepared, so nothing was sent. */
export function buildUnprepared(call: DueCall, attemptAt: number): AttemptResult {
  const error = 'Galley could not prepare this call.';
  const attempt = { durationMs: 0, status: null, error, responseHeaders: null, responseBody: null };
  return {
    call,
    outgoing: { url: call.webhook.url, headers: {}, body: '', secrets: [] },
    shownHeaders: {},
    attempt,
    attemptAt,
  };
}

export interface RecordedResult {
  readonly result: AttemptResult;
  /**
   * `dropped` if the call is no longer waiting (it was erased, or the webhook was deleted or switched off), or if the result has already
   * been recorded.
   */
  readonly outcome: 'delivered' | 'retried' | 'failed' | 'dropped';
  readonly nextAt: number | null;
  /** Why the result switched the webhook off. */
  readonly offReason: WebhookRecord['offReason'];
}

export interface RecordingParts {
  readonly now: number;
  readonly retryAfterMs: readonly number[];
  readonly random: () => number;
}

const MOST_LOGGED_CHARACTERS = 16 * 1024;
const GONE = 410;
/** A webhook whose calls have all been failing for this long is switched off. */
const MOST_FAILING_MS = 5 * DAY_MS;

export function* recordResults(
  results: readonly AttemptResult[],
  parts: RecordingParts,
): Procedure<readonly RecordedResult[]> {
  const recorded: RecordedResult[] = [];
  // Deliveries come first, because a failure may switch the webhook off, which marks its other calls as failed.
  const isDelivered = ({ attempt }: AttemptResult): boolean => attempt.error === null;
  const sorted = [...results.filter(isDelivered), ...results.filter((result) => !isDelivered(result))];
  for (const result of sorted) recorded.push(yield* recordResult(result, parts));
  const ended = recorded.filter(({ outcome }) => outcome === 'delivered' || outcome === 'failed');
  for (const no of new Set(ended.map(({ result }) => result.call.webhook.no))) yield* deleteOldCalls(no, parts.now);
  return recorded;
}

function* recordResult(
  result: AttemptResult,
  { now, retryAfterMs, random }: RecordingParts,
): Procedure<RecordedResult> {
  const { call, outgoing, shownHeaders, attempt, attemptAt } = result;
  const { webhook } = call;
  const isTest = call.type === TEST_EVENT;
  const isGone = attempt.status === GONE;
  const isFinal = attempt.error === null || isTest || isGone;
  const retryAt = isFinal ? undefined : planRetry(call.attempts + 1, now, { retryAfterMs, random: random() });
  const nextAt = retryAt ?? null;
  const outcome = attempt.error === null ? 'delivered' : nextAt === null ? 'failed' : 'retried';
  // Permanently deleted data must not end up in the log through an attempt that was running at the time.
  const mayKeep = !(yield* mayHaveErased(webhook.siteNo, call.logEnd));
  const isRecorded = yield* recordAttempt({
    callNo: call.no,
    attempts: call.attempts,
    state: outcome === 'retried' ? 'waiting' : outcome,
    nextAt,
    endedAt: nextAt === null ? now : null,
    attemptAt,
    requestHeaders: shownHeaders,
    ...attempt,
    requestBody: mayKeep ? outgoing.body.slice(0, MOST_LOGGED_CHARACTERS).toWellFormed() : null,
    responseBody: mayKeep ? attempt.responseBody : null,
  });
  if (!isRecorded) return { result, outcome: 'dropped', nextAt: null, offReason: null };
  const isFailedTest = isTest && outcome !== 'delivered';
  const offReason = isGone ? 'gone' : isFailedTest ? null : yield* noteOutcome(webhook.no, outcome, now);
  if (offReason !== null) yield* switchWebhookOff(webhook.no, offReason, now);
  return { result, outcome, nextAt, offReason: webhook.isOn ? offReason : null };
}

/** Returns `failing` if the webhook has been failing for too long. */
function* noteOutcome(
  webhookNo: number,
  outcome: 'delivered' | 'retried' | 'failed',
  now: number,
): Procedure<'failing' | null> {
  if (outcome === 'delivered') {
    yield* noteSuccess(webhookNo);
    return null;
  }
  const since = yield* noteFailure(webhookNo, now);
  // On a quiet site, the last failure may be days old, so the call gets all its attempts before the webhook is switched off.
  if (outcome === 'retried' || since === undefined) return null;
  return now - since >= MOST_FAILING_MS ? 'failing' : null;
}
