// The tables of an installation, and how they are read for a copy. Each table comes after the tables that its rows refer to. Tables that
// change even when nobody edits anything (sign-ins, last use of keys) come last, so a resumed copy usually finds the others unchanged.

import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Snapshot } from './engine.ts';
import {
  type Cells,
  defineStatement,
  NOTHING_COMMON,
  type Procedure,
  query,
  queryCells,
  type SqlValue,
  type Statement,
  slot,
} from './statement.ts';

export interface CopiedTable {
  readonly name: string;
  /** The columns that the rows are sorted by. */
  readonly key: readonly string[];
  /** Whether the table may contain identical rows. Only one of each is copied. */
  readonly mayRepeat?: true;
  /** Whether the database assigns the numbers in the `no` column. */
  readonly isNumbered?: true;
}

export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'installation_keys', key: ['no'] },
  numbered('accounts'),
  numbered('sites'),
  numbered('authors'),
  numbered('assets'),
  numbered('asset_files'),
  numbered('asset_tags'),
  numbered('asset_folders'),
  numbered('image_presets'),
  numbered('content_types'),
  numbered('fields'),
  numbered('contents'),
  { name: 'content_counts', key: ['site_no', 'type_no', 'status', 'is_changed', 'is_scheduled'] },
  { name: 'content_versions', key: ['content_no', 'number'] },
  { name: 'content_assets', key: ['site_no', 'asset_id', 'content_no', 'standing'] },
  ...listReadModel('published'),
  ...listReadModel('preview'),
  { name: 'changes', key: ['site_no', 'position'] },
  numbered('audit_entries'),
  numbered('users'),
  { name: 'management_tokens', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'api_key_sites', key: ['key_id', 'site_no'] },
  { name: 'idempotent_calls', key: ['account_no', 'actor_id', 'key_hash'] },
  numbered('webhooks'),
  numbered('webhook_calls'),
  { name: 'webhook_call_contents', key: ['site_no', 'content_id', 'call_no'] },
  { name: 'preview_settings', key: ['site_no'] },
  numbered('share_links'),
];

/**
 * Sessions are not copied, because a session that has ended in one database must not stay valid in the other. People have to sign in
 * again. Leases belong to the processes that use the old database.
 */
export const LEFT_BEHIND: readonly string[] = ['sessions', 'leases'];

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

/** The database that is being copied. */
export interface CopySource {
  /** The database's path, for display. */
  readonly path: string;
  /**
   * The time at which the database's schema was created. If the file is itself a copy, this is when the original's
   * schema was created.
   */
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

/** A string that changes with every edit. */
export function* selectLastEdit(): Procedure<string> {
  const [row] = yield* query<{ generations: number; entries: number }>(selectLastChange);
  return `${row?.generations} ${row?.entries}`;
}

const FIRST_ROWS_AT_ONCE = 100;
const MOST_ROWS_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 2 ** 19;

export function* selectColumns({ name }: CopiedTable): Procedure<readonly string[]> {
  const statement = defineStatement(() => sql`select * from ${sql.table(name)} limit 0`);
  return (yield { statement, values: {}, common: NOTHING_COMMON }).columns;
}

export function* countRows(table: CopiedTable): Procedure<number> {
  const { name, key, mayRepeat } = table;
  const rows = mayRepeat ? sql`(select distinct ${listColumns(key)} from ${sql.table(name)}) as rows` : sql.table(name);
  const [row] = yield* query<{ count: number }>(defineStatement(() => sql`select count(*) as count from ${rows}`));
  return row?.count ?? 0;
}

/**
 * Reads the rows in batches. Every batch uses about the same amount of memory, regardless of the size of its rows.
 * @param mostOf returns the maximum size of the next batch, given the number of rows read so far
 */
export async function* readRows(
  snapshot: Snapshot,
  table: CopiedTable,
  columns: readonly string[],
  mostOf: (before: number) => number = () => MOST_ROWS_AT_ONCE,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const first = defineRead(table, columns, sql``);
  const further = defineRead(
    table,
    columns,
    sql`where (${listColumns(table.key)}) > (${sql.join(table.key.map((column) => slot(column)))})`,
  );
  const places = table.key.map((column) => columns.indexOf(column));
  let last: Cells | undefined;
  let before = 0;
  let atOnce = FIRST_ROWS_AT_ONCE;
  for (;;) {
    const limit = Math.min(atOnce, mostOf(before));
    const values: Record<string, SqlValue> = { limit };
    for (const [index, column] of table.key.entries()) values[column] = last?.[places[index] ?? -1] ?? null;
    const rows = await snapshot.run(queryCells(last === undefined ? first : further, values));
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
    before += rows.length;
    atOnce = Math.max(1, Math.min(MOST_ROWS_AT_ONCE, Math.floor((CHARACTERS_AT_ONCE * rows.length) / measure(rows))));
  }
}

function defineRead({ name, key, mayRepeat }: CopiedTable, columns: readonly string[], where: RawBuilder<unknown>) {
  const all = mayRepeat ? sql`distinct ${listColumns(columns)}` : listColumns(columns);
  return defineStatement(
    () => sql`select ${all} from ${sql.table(name)} ${where} order by ${listColumns(key)} limit ${slot('limit')}`,
  ) satisfies Statement;
}

function listColumns(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function measure(rows: readonly Cells[]): number {
  let characters = 1;
  for (const cells of rows) for (const cell of cells) characters += typeof cell === 'string' ? cell.length : 8;
  return characters;
}

/**
 * A checksum of a table's rows, in order. The rows are converted to JSON first. So the same rows have the same checksum on every engine,
 * regardless of how the engine stores numbers and strings.
 */
export class TableDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(table: string, columns: readonly string[]) {
    this.#hash.update(`${JSON.stringify([table, columns])}\n`);
  }

  /** The number of rows added. */
  get rows(): number {
    return this.#rows;
  }

  /** The checksum of the rows so far. More rows can be added afterwards. */
  get text(): string {
    return this.#hash.copy().digest('hex');
  }

  add(rows: readonly Cells[]): void {
    for (const cells of rows) this.#hash.update(`${JSON.stringify(cells)}\n`);
    this.#rows += rows.length;
  }
}
