// Schedules that could not be carried out. A content object keeps the last one, until somebody has dealt with it.

import { sql } from 'kysely';
import type { FailedSchedule, ScheduleKind } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

/** The columns of `contents`: all of them are null, or only the reason is. */
export interface FailedScheduleCells {
  readonly failed_action: ScheduleKind | null;
  readonly failed_due_at: number | null;
  readonly failed_at: number | null;
  readonly failed_reason: string | null;
}

export function encodeFailedSchedule(failed: FailedSchedule | null): FailedScheduleCells {
  return {
    failed_action: failed?.action ?? null,
    failed_due_at: failed?.dueAt ?? null,
    failed_at: failed?.failedAt ?? null,
    failed_reason: failed === null || failed.reason === null ? null : JSON.stringify(failed.reason),
  };
}

export function decodeFailedSchedule(cells: FailedScheduleCells): FailedSchedule | null {
  const { failed_action: action, failed_due_at: dueAt, failed_at: failedAt, failed_reason: reason } = cells;
  if (action === null || dueAt === null || failedAt === null) return null;
  return { action, dueAt, failedAt, reason: reason === null ? null : parseStored(reason) };
}

export interface FailedScheduleRow extends FailedScheduleCells {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly language: string;
}

const selectLatest = defineStatement(
  () => sql`select c.id, c.name, t.handle as type, c.language, c.failed_action, c.failed_due_at, c.failed_at, c.failed_reason
    from contents as c join content_types as t on t.no = c.type_no
    where c.site_no = ${slot('site')} and c.failed_at is not null
    order by c.failed_at desc, c.no desc limit ${slot('limit')} + 0`,
);
const countRows = defineStatement(
  () => sql`select count(*) as total from contents where site_no = ${slot('site')} and failed_at is not null`,
);
const forgetReasons = defineStatement(
  () => sql`update contents set failed_reason = null where site_no = ${slot('site')} and failed_at is not null
    and failed_reason like ${slot('pattern')}`,
);

/** Those that failed last come first. */
export function* selectFailedSchedules(siteNo: number, limit: number): Procedure<readonly FailedScheduleRow[]> {
  return yield* query<FailedScheduleRow>(selectLatest, { site: siteNo, limit });
}

export function* countFailedSchedules(siteNo: number): Procedure<number> {
  return (yield* query<{ total: number }>(countRows, { site: siteNo }))[0]?.total ?? 0;
}

/** @param pattern of the reasons, as `like` takes it */
export function* forgetFailureReasons(siteNo: number, pattern: string): Procedure<void> {
  yield* query(forgetReasons, { site: siteNo, pattern });
}
