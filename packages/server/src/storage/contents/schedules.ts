// Due, upcoming and failed schedules. Due and upcoming schedules are read from the indexes on the publish and unpublish
// times. These indexes include only scheduled content. A content object keeps its last failed schedule until someone
// has dealt with it.

import { type RawBuilder, sql } from 'kysely';
import type { FailedSchedule, ScheduleKind } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface DueRow {
  readonly kind: ScheduleKind;
  readonly due_at: number;
  readonly site_no: number;
  readonly site_id: string;
  readonly account_no: number;
  readonly content_id: string;
}

/** If two schedules have the same time, unpublishing comes first, because the content that is published next may take over the URL. */
const selectDueRows = defineStatement(
  () => sql`select due.kind, due.due_at, s.no as site_no, s.id as site_id, s.account_no, due.id as content_id
    from (select * from (${selectDueOfKind('publish')}) as p union all select * from (${selectDueOfKind('unpublish')}) as u) as due
    join sites as s on s.no = due.site_no
    order by due.due_at, due.kind desc, due.no limit ${slot('limit')} + 0`,
);

function selectDueOfKind(kind: ScheduleKind): RawBuilder<unknown> {
  const column = sql.ref(`${kind}_at`);
  return sql`select ${sql.lit(kind)} as kind, ${column} as due_at, site_no, id, no from contents
    where ${column} is not null and ${column} <= ${slot('now')}
    order by ${column}, no limit ${slot('limit')} + 0`;
}

const selectFirst = defineStatement(
  () => sql`select min(publish_at) as at from contents where publish_at is not null
    union all select min(unpublish_at) as at from contents where unpublish_at is not null`,
);

/** The schedules that are due, in the order in which they run. */
export function* selectDue(now: number, limit: number): Procedure<readonly DueRow[]> {
  return yield* query<DueRow>(selectDueRows, { now, limit });
}

/** The time of the next scheduled action, which may be in the past; undefined if nothing is scheduled. */
export function* selectNextDueTime(): Procedure<number | undefined> {
  const times = (yield* query<{ at: number | null }>(selectFirst)).flatMap(({ at }) => (at === null ? [] : [at]));
  return times.length === 0 ? undefined : Math.min(...times);
}

export interface NextScheduleRow {
  readonly kind: ScheduleKind;
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly language: string;
}

const selectNext = defineStatement(
  () => sql`select s.kind, s.at, s.id, s.name, t.handle as type, s.language
    from (select * from (${selectNextOfKind('publish')}) as p union all select * from (${selectNextOfKind('unpublish')}) as u) as s
    join content_types as t on t.no = s.type_no
    order by s.at, s.kind, s.no limit ${slot('limit')} + 0`,
);

function selectNextOfKind(kind: ScheduleKind): RawBuilder<unknown> {
  const column = sql.ref(`${kind}_at`);
  return sql`select ${sql.lit(kind)} as kind, ${column} as at, no, id, name, language, type_no from contents
    where ${column} is not null and site_no = ${slot('site')} order by ${column}, no limit ${slot('limit')} + 0`;
}

/** The soonest schedules come first. */
export function* selectNextSchedules(siteNo: number, limit: number): Procedure<readonly NextScheduleRow[]> {
  return yield* query<NextScheduleRow>(selectNext, { site: siteNo, limit });
}

/** Columns of `contents`. If there is no failed schedule, all of them are null; otherwise only the reason can be null. */
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

const selectFailedRows = defineStatement(
  () => sql`select c.id, c.name, t.handle as type, c.language, c.failed_action, c.failed_due_at, c.failed_at, c.failed_reason
    from contents as c join content_types as t on t.no = c.type_no
    where c.site_no = ${slot('site')} and c.failed_at is not null
    order by c.failed_at desc, c.no desc limit ${slot('limit')} + 0`,
);
const countFailedRows = defineStatement(
  () => sql`select count(*) as total from contents where site_no = ${slot('site')} and failed_at is not null`,
);
const forgetReasons = defineStatement(
  () => sql`update contents set failed_reason = null where site_no = ${slot('site')} and failed_at is not null
    and failed_reason like ${slot('pattern')}`,
);

/** The most recent failures come first. */
export function* selectFailedSchedules(siteNo: number, limit: number): Procedure<readonly FailedScheduleRow[]> {
  return yield* query<FailedScheduleRow>(selectFailedRows, { site: siteNo, limit });
}

export function* countFailedSchedules(siteNo: number): Procedure<number> {
  return (yield* query<{ total: number }>(countFailedRows, { site: siteNo }))[0]?.total ?? 0;
}

/** @param pattern a `like` pattern for the reasons */
export function* forgetFailureReasons(siteNo: number, pattern: string): Procedure<void> {
  yield* query(forgetReasons, { site: siteNo, pattern });
}
