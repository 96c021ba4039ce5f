// What is scheduled next on a site, of both kinds.

import { type RawBuilder, sql } from 'kysely';
import type { ScheduleKind } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

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
    from (select * from (${selectKind('publish')}) as p union all select * from (${selectKind('unpublish')}) as u) as s
    join content_types as t on t.no = s.type_no
    order by s.at, s.kind, s.no limit ${slot('limit')} + 0`,
);

function selectKind(kind: ScheduleKind): RawBuilder<unknown> {
  const column = sql.ref(`${kind}_at`);
  return sql`select ${sql.lit(kind)} as kind, ${column} as at, no, id, name, language, type_no from contents
    where ${column} is not null and site_no = ${slot('site')} order by ${column}, no limit ${slot('limit')} + 0`;
}

/** The soonest first. */
export function* selectNextSchedules(siteNo: number, limit: number): Procedure<readonly NextScheduleRow[]> {
  return yield* query<NextScheduleRow>(selectNext, { site: siteNo, limit });
}
