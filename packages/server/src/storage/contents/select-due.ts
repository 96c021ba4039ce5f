// The schedules that content has: which are due, and when the next one is. All of it is read from the indexes on the two times, which hold only content that has one.

import { type RawBuilder, sql } from 'kysely';
import type { ScheduleKind } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface DueRow {
  readonly kind: ScheduleKind;
  readonly due_at: number;
  readonly site_no: number;
  readonly site_id: string;
  readonly account_no: number;
  readonly content_id: string;
}

const COLUMNS: Readonly<Record<ScheduleKind, string>> = { publish: 'publish_at', unpublish: 'unpublish_at' };

/** At the same time, content is unpublished before other content is published, which may take over its URL. */
const selectDueRows = defineStatement(
  () => sql`select due.kind, due.due_at, s.no as site_no, s.id as site_id, s.account_no, due.id as content_id
    from (select * from (${selectKind('publish')}) as p union all select * from (${selectKind('unpublish')}) as u) as due
    join sites as s on s.no = due.site_no
    order by due.due_at, due.kind desc, due.no limit ${slot('limit')} + 0`,
);

function selectKind(kind: ScheduleKind): RawBuilder<unknown> {
  const column = sql.ref(COLUMNS[kind]);
  return sql`select ${sql.lit(kind)} as kind, ${column} as due_at, site_no, id, no from contents
    where ${column} is not null and ${column} <= ${slot('now')}
    order by ${column}, no limit ${slot('limit')} + 0`;
}

const selectFirst = defineStatement(
  () => sql`select min(publish_at) as at from contents where publish_at is not null
    union all select min(unpublish_at) as at from contents where unpublish_at is not null`,
);

/** What is due, in the order in which it is to happen. */
export function* selectDue(now: number, limit: number): Procedure<readonly DueRow[]> {
  return yield* query<DueRow>(selectDueRows, { now, limit });
}

/** The time of the next schedule, which may have passed; undefined where nothing is scheduled. */
export function* selectNextDueTime(): Procedure<number | undefined> {
  const times = (yield* query<{ at: number | null }>(selectFirst)).flatMap(({ at }) => (at === null ? [] : [at]));
  return times.length === 0 ? undefined : Math.min(...times);
}
