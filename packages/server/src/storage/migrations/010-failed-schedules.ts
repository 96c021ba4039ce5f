// Stores failed schedules with their content. Few content objects have a failed schedule, so each sort order of the editors' list gets a
// small index with only those objects.

import type { ColumnTypes } from '../engine.ts';

export function keepFailedSchedules({ integer, text }: ColumnTypes): readonly string[] {
  return [
    `alter table contents add column failed_action ${text}`,
    `alter table contents add column failed_due_at ${integer}`,
    `alter table contents add column failed_at ${integer}`,
    `alter table contents add column failed_reason ${text}`,
    'create index contents_failed_at on contents (site_no, failed_at, no) where failed_at is not null',
    ...['updated_at', 'created_at', 'name_key'].map(
      (column) =>
        `create index contents_failed_${column} on contents (site_no, ${column}, no) where failed_at is not null`,
    ),
  ];
}
