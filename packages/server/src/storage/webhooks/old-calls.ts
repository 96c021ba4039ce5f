// Decides which ended calls stay in a webhook's log.

import { sql } from 'kysely';
import { DAY_MS } from '../../content/timestamp.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { selectOpenFailures } from './failed-calls.ts';
import { type CallState, deleteCalls } from './webhook-calls.ts';

/** How many ended calls are kept for each webhook. */
const MOST_ENDED = 500;
/** Older failed calls are kept for this long, up to the number below, so that owners learn about them even if many calls succeed. */
const KEEP_FAILED_MS = 7 * DAY_MS;
const MOST_OLD_FAILED = 500;
/** Larger than the number of old failed calls that are kept, so each deletion also reaches other calls. */
const DELETED_AT_ONCE = 1000;

/** A call that uses up its attempts ends long after newer calls, so calls are ordered by when they ended, not by number. */
const selectOldEnded = defineStatement(
  () => sql`select no, state, ended_at from webhook_calls
    where webhook_no = ${slot('webhook')} and ended_at is not null
    order by ended_at desc, no desc limit ${sql.lit(DELETED_AT_ONCE)} offset ${sql.lit(MOST_ENDED)}`,
);

interface EndedRow {
  readonly no: number;
  readonly state: CallState;
  readonly ended_at: number;
}

/**
 * Deletes the calls that ended first, except recent failed calls that no later call makes up for.
 * @returns how many calls were deleted; 0 if no more can be deleted
 */
export function* deleteOldCalls(webhookNo: number, now: number): Procedure<number> {
  const old = yield* query<EndedRow>(selectOldEnded, { webhook: webhookNo });
  const mayKeep = ({ state, ended_at }: EndedRow): boolean =>
    state === 'failed' && Number(ended_at) > now - KEEP_FAILED_MS;
  const open = old.some(mayKeep) ? yield* selectOpenFailures(webhookNo) : new Map<number, number>();
  const kept = new Set(old.filter((row) => mayKeep(row) && open.has(row.no)).slice(0, MOST_OLD_FAILED));
  const deleted = old.filter((row) => !kept.has(row)).map(({ no }) => no);
  yield* deleteCalls(deleted);
  return deleted.length;
}
