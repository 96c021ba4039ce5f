// The log of changes that readers can see (publication/change-log.ts). A position is a time in milliseconds, or one more than the
// position before it, so no other copy of the database (a restored backup, a promoted replica) has assigned it to another change.

import type { ColumnTypes } from '../engine.ts';

export function keepChanges({ integer, text, narrowTable }: ColumnTypes): readonly string[] {
  return [
    `create table changes (
      site_no ${integer} not null, position ${integer} not null, at ${integer} not null, kind ${text} not null,
      content_id ${text}, type ${text}, language ${text}, old_uri ${text}, new_uri ${text}, subject ${text},
      primary key (site_no, position)
    ) ${narrowTable}`,
    'create index changes_content on changes (site_no, content_id)',
    // The position before the first change that is kept. Readers who have an older position have to start over.
    `alter table sites add column changes_start ${integer} not null default 0`,
    'update sites set changes_start = generation',
  ];
}
