// What is known of the database that is copied.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../statement.ts';

export interface CopySource {
  /** Where it lies, for people to read. */
  readonly path: string;
  /** When its schema was created. A copy of a database file has the time of the original. */
  readonly createdAt: number;
}

const selectCreated = defineStatement(() => sql`select min(applied_at) as created_at from schema_versions`);
const selectLastChange = defineStatement(
  () => sql`select (select coalesce(sum(preview_generation), 0) from sites) as generations,
    (select coalesce(max(no), 0) from audit_entries) as entries`,
);

export function* selectCopySource(path: string): Procedure<CopySource> {
  const [row] = yield* query<{ created_at: number | null }>(selectCreated);
  return { path, createdAt: row?.created_at ?? 0 };
}

/** A text that is another one after any edit. */
export function* selectLastEdit(): Procedure<string> {
  const [row] = yield* query<{ generations: number; entries: number }>(selectLastChange);
  return `${row?.generations} ${row?.entries}`;
}
