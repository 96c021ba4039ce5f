// How much content a site has, counted on one index alone, and which schedules come next.

import { type RawBuilder, sql } from 'kysely';
import type { ContentStatus } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import type { ScheduleKind } from './select-due.ts';

/** Content of one type that stands alike. */
export interface ContentCountRow {
  readonly type: string;
  readonly status: ContentStatus;
  /** 1 where the newest version is not the published one. */
  readonly is_changed: number;
  readonly is_scheduled: number;
  readonly total: number;
}

export interface NextScheduleRow {
  readonly kind: ScheduleKind;
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly language: string;
}

const selectCounts = defineStatement(
  () => sql`select t.handle as type, n.status, n.is_changed, n.is_scheduled, n.total from (
      select type_no, status,
        case when published_version is not null and newest_version <> published_version then 1 else 0 end as is_changed,
        case when publish_at is not null or unpublish_at is not null then 1 else 0 end as is_scheduled,
        count(*) as total
      from contents where site_no = ${slot('site')} group by 1, 2, 3, 4
    ) as n join content_types as t on t.no = n.type_no`,
);

const selectNext = defineStatement(
  () => sql`select s.kind, s.at, s.id, s.name, t.handle as type, s.language
    from (select * from (${selectKind('publish')}) as p union all select * from (${selectKind('unpublish')}) as u) as s
    join content_types as t on t.no = s.type_no
    order by s.at, s.kind, s.no limit ${slot('limit')} + 0`,
);

function selectKind(kind: ScheduleKind): RawBuilder<unknown> {
  const column = sql.ref(`${kind}_at`);
  return sql`select ${sql.lit(kind)} as kind, ${column} as at, no, id, name, language, type_no from contents
    where ${column} is not null and site_no = ${slot('site')} order by ${column}, no limit ${slot('limit')} + 0`;
}

export function* countContent(siteNo: number): Procedure<readonly ContentCountRow[]> {
  return yield* query<ContentCountRow>(selectCounts, { site: siteNo });
}

/** The soonest first. */
export function* selectNextSchedules(siteNo: number, limit: number): Procedure<readonly NextScheduleRow[]> {
  return yield* query<NextScheduleRow>(selectNext, { site: siteNo, limit });
}
