// The failed calls that owners should know about. A later call about the same content makes up for a failed one, because the receiver then
// knows the current state of the content. For a call that is not about content, such as one about an import, any later call of the same
// type has this effect.

import { sql } from 'kysely';
import { TEST_EVENT } from '../../content/webhook-event.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectFailed = defineStatement(
  () => sql`select c.no, c.type, c.ended_at, f.content_id from webhook_calls as c
      left join webhook_call_contents as f on f.call_no = c.no
    where c.webhook_no = ${slot('webhook')} and c.state = 'failed' and c.type <> ${sql.lit(TEST_EVENT)}`,
);
const selectDelivered = defineStatement(
  () => sql`select case when l.content_id is null then d.type end as type, l.content_id, max(d.no) as no from webhook_calls as d
      left join webhook_call_contents as l on l.call_no = d.no
    where d.webhook_no = ${slot('webhook')} and d.state = 'delivered' and d.no > ${slot('after')}
    group by case when l.content_id is null then d.type end, l.content_id`,
);

/** One row for each content object that the call is about, or one row without content if there is none. */
interface FailedRow {
  readonly no: number;
  readonly type: string;
  readonly ended_at: number | null;
  readonly content_id: string | null;
}

interface DeliveredRow {
  readonly no: number;
  readonly type: string | null;
  readonly content_id: string | null;
}

export interface FailedCalls {
  /** The number of calls in the log, excluding tests, that failed permanently and that no later call makes up for. */
  readonly failedCalls: number;
  /** The time at which the last of these calls failed. */
  readonly lastFailedAt: number | null;
}

export function* selectFailedCalls(webhookNo: number): Procedure<FailedCalls> {
  const endTimes = yield* selectOpenFailures(webhookNo);
  const lastFailedAt = endTimes.values().reduce<number | null>((last, time) => Math.max(last ?? 0, time), null);
  return { failedCalls: endTimes.size, lastFailedAt };
}

/**
 * The times at which these calls failed, keyed by the call's number. Reads each call once: a receiver that was down for days can have
 * hundreds of failed calls about the same content.
 */
export function* selectOpenFailures(webhookNo: number): Procedure<ReadonlyMap<number, number>> {
  const failed = yield* query<FailedRow>(selectFailed, { webhook: webhookNo });
  if (failed.length === 0) return new Map();
  const after = failed.reduce((first, { no }) => Math.min(first, Number(no)), Number.POSITIVE_INFINITY);
  const delivered = yield* query<DeliveredRow>(selectDelivered, { webhook: webhookNo, after });
  const lastNos = new Map(delivered.map((row) => [nameSubject(row), Number(row.no)]));
  const endTimes = new Map<number, number>();
  for (const row of failed) {
    const no = Number(row.no);
    if ((lastNos.get(nameSubject(row)) ?? 0) < no) endTimes.set(no, Number(row.ended_at));
  }
  return endTimes;
}

/** The subject that a later call must have to make up for a failed one. */
function nameSubject({ type, content_id }: Pick<DeliveredRow, 'type' | 'content_id'>): string {
  return content_id === null ? `type ${type}` : `content ${content_id}`;
}
