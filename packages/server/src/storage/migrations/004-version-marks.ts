// What becomes of a version after it was saved: that readers have seen it; and where it came from, where an older one was
// restored.

import type { ColumnTypes } from '../engine.ts';

export function markVersions({ integer }: ColumnTypes): readonly string[] {
  return [
    `alter table content_versions add column was_published ${integer} not null default 0`,
    `alter table content_versions add column restored_from ${integer}`,
  ];
}
