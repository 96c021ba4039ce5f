// Marks versions that were once published, and versions that were created by restoring an older one.

import type { ColumnTypes } from '../engine.ts';

export function markVersions({ integer }: ColumnTypes): readonly string[] {
  return [
    `alter table content_versions add column was_published ${integer} not null default 0`,
    `alter table content_versions add column restored_from ${integer}`,
  ];
}
