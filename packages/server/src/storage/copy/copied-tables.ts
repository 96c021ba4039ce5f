// The tables that make up an installation, each after the tables that its rows refer to. Tables that change while nobody edits (who
// signed in, which key was used) come last, so that a copy that is resumed usually finds the others unchanged.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../statement.ts';

export interface CopiedTable {
  readonly name: string;
  /** The columns that its rows are sorted by. */
  readonly key: readonly string[];
  /** Whether rows may be identical. One of them is enough. */
  readonly mayRepeat?: true;
  /** Whether the database assigns the numbers in the column `no`. */
  readonly isNumbered?: true;
}

export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'installation_keys', key: ['no'] },
  numbered('accounts'),
  numbered('sites'),
  numbered('authors'),
  numbered('assets'),
  numbered('content_types'),
  numbered('fields'),
  numbered('contents'),
  { name: 'content_counts', key: ['site_no', 'type_no', 'status', 'is_changed', 'is_scheduled'] },
  { name: 'content_versions', key: ['content_no', 'number'] },
  { name: 'content_assets', key: ['site_no', 'asset_id', 'content_no', 'standing'] },
  ...listReadModel('published'),
  ...listReadModel('preview'),
  numbered('audit_entries'),
  numbered('users'),
  { name: 'management_tokens', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'api_key_sites', key: ['key_id', 'site_no'] },
  { name: 'idempotent_calls', key: ['account_no', 'actor_id', 'key_hash'] },
];

/** A session that ends in one database must not go on in the other: people sign in again. */
export const LEFT_BEHIND: readonly string[] = ['sessions'];

function numbered(name: string): CopiedTable {
  return { name, key: ['no'], isNumbered: true };
}

function listReadModel(model: 'published' | 'preview'): readonly CopiedTable[] {
  return [
    { name: `${model}_contents`, key: ['content_no'] },
    { name: `${model}_bodies`, key: ['content_no'] },
    { name: `${model}_texts`, key: ['content_no', 'field_no'] },
    { name: `${model}_numbers`, key: ['content_no', 'field_no'] },
    { name: `${model}_tokens`, key: ['field_no', 'token', 'language', 'content_no'] },
    { name: `${model}_links`, key: ['site_no', 'target_id', 'content_no'] },
    { name: `${model}_departed_keys`, key: ['site_no', 'id', 'left_at', 'keys'], mayRepeat: true },
  ];
}

/** What is known of the database that is copied. */
export interface CopySource {
  /** Its path, for people to read. */
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

/** A text that is different after any edit. */
export function* selectLastEdit(): Procedure<string> {
  const [row] = yield* query<{ generations: number; entries: number }>(selectLastChange);
  return `${row?.generations} ${row?.entries}`;
}
