// For permanent deletions: a deletion mark for sites, and indexes for finding audit entries by subject and actor.

import type { ColumnTypes } from '../engine.ts';

export function prepareDeletion({ text }: ColumnTypes): readonly string[] {
  return [
    // Null, `begun` or `done`. The row of a deleted site is kept, so its number and generation are never reused.
    `alter table sites add column deletion ${text}`,
    `create index audit_entries_subject_id on audit_entries (account_no, subject_id, no)`,
    `create index content_versions_saver on content_versions (saved_by_id, content_no, number) where saved_by_id is not null`,
  ];
}
