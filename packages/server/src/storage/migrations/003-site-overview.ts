// For the dashboard: a table with counts of a site's content, and an index for upcoming schedules. Previously, both required a scan of all
// content.

import type { ColumnTypes } from '../engine.ts';

export function prepareSiteOverview({ integer, text, narrowTable }: ColumnTypes): readonly string[] {
  return [
    `create table content_counts (
      site_no ${integer} not null, type_no ${integer} not null, status ${text} not null,
      is_changed ${integer} not null, is_scheduled ${integer} not null, total ${integer} not null,
      primary key (site_no, type_no, status, is_changed, is_scheduled)
    ) ${narrowTable}`,
    `insert into content_counts (site_no, type_no, status, is_changed, is_scheduled, total)
      select site_no, type_no, status,
        case when published_version is not null and newest_version <> published_version then 1 else 0 end,
        case when publish_at is not null or unpublish_at is not null then 1 else 0 end,
        count(*)
      from contents group by 1, 2, 3, 4, 5`,
    ...['publish_at', 'unpublish_at'].map(
      (column) =>
        `create index contents_site_${column} on contents (site_no, ${column}, no) where ${column} is not null`,
    ),
  ];
}
