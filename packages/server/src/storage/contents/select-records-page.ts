// The editors' list: all content in a site, one page at a time. It is read in the order of an index that also contains the filtered
// columns, so only the index is read until the page is full.

import { type RawBuilder, sql } from 'kysely';
import type { ContentState, ContentStatus } from '../../content/lifecycle.ts';
import { buildTextKey } from '../../content/text-key.ts';
import { buildContainsPattern } from '../named-rows.ts';
import {
  checkTime,
  defineStatement,
  type Procedure,
  query,
  type SqlTraits,
  type SqlValue,
  type Statement,
  slot,
} from '../statement.ts';
import type { FailedScheduleCells } from './schedules.ts';

/** The content states and two more: `scheduled` for content with a scheduled time, and `failed` for content with a failed schedule. */
type RecordState = ContentState | 'scheduled' | 'failed';

export type RecordSort = 'updated_at' | 'created_at' | 'name';

export interface RecordFilter {
  /** Part of the name; case and accents are ignored. */
  readonly search: string | undefined;
  readonly typeNo: number | undefined;
  readonly language: string | undefined;
  readonly authorNo: number | undefined;
  /** Undefined means all content that is not archived. `published` includes content with unpublished changes. */
  readonly state: RecordState | undefined;
}

export interface RecordOrder {
  readonly sort: RecordSort;
  readonly isDescending: boolean;
}

export interface RecordPosition {
  readonly key: string | number;
  readonly no: number;
}

export interface RecordSummaryRow extends FailedScheduleCells {
  readonly no: number;
  readonly id: string;
  readonly type: string;
  readonly language: string;
  readonly status: ContentStatus;
  readonly slug: string;
  readonly name: string;
  readonly author_id: string | null;
  readonly author_name: string | null;
  readonly newest_version: number;
  readonly published_version: number | null;
  readonly published_at: number | null;
  readonly publish_at: number | null;
  readonly unpublish_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** The value that the list is sorted by. */
  readonly key: string | number;
}

const KEY_COLUMNS: Readonly<Record<RecordSort, string>> = {
  updated_at: 'updated_at',
  created_at: 'created_at',
  name: 'name_key',
};

const STATE_CONDITIONS: Readonly<Record<RecordState | 'any', RawBuilder<unknown>>> = {
  any: sql`c.status <> 'archived'`,
  draft: sql`c.status = 'draft'`,
  published: sql`c.status = 'published'`,
  changed: sql`c.status = 'published' and c.newest_version <> c.published_version`,
  unpublished: sql`c.status = 'unpublished'`,
  archived: sql`c.status = 'archived'`,
  scheduled: sql`(c.publish_at is not null or c.unpublish_at is not null)`,
  failed: sql`c.failed_at is not null`,
};

/** Keyed by a list's filters and order, not by the filter values, so the map has a few hundred statements at most. */
const statements = new Map<string, Statement>();

export function* selectRecordsPage(
  siteNo: number,
  filter: RecordFilter,
  order: RecordOrder,
  after: RecordPosition | undefined,
  limit: number,
): Procedure<readonly RecordSummaryRow[]> {
  const values: Record<string, SqlValue> = { site: siteNo, limit };
  const conditions = [STATE_CONDITIONS[filter.state ?? 'any']];
  const take = (name: string, value: SqlValue | undefined, condition: RawBuilder<unknown>): void => {
    if (value === undefined) return;
    values[name] = value;
    conditions.push(condition);
  };
  take('type', filter.typeNo, sql`c.type_no = ${slot('type')}`);
  take('language', filter.language, sql`c.language = ${slot('language')}`);
  take('author', filter.authorNo, sql`c.author_no = ${slot('author')}`);
  const pattern = filter.search === undefined ? undefined : buildContainsPattern(buildTextKey(filter.search));
  take('pattern', pattern, sql`c.name_key like ${slot('pattern')} escape '\\'`);
  if (after !== undefined) Object.assign(values, { key: after.key, no: after.no });
  const shape = `${filter.state} ${order.sort} ${order.isDescending} ${Object.keys(values).join()}`;
  return yield* query<RecordSummaryRow>(findStatement(shape, conditions, order, after !== undefined), values);
}

function findStatement(
  shape: string,
  conditions: readonly RawBuilder<unknown>[],
  order: RecordOrder,
  isBehind: boolean,
): Statement {
  const known = statements.get(shape);
  if (known !== undefined) return known;
  const statement = defineStatement((traits) => buildSelect(conditions, order, isBehind, traits), {
    mayTakeLong: true,
  });
  statements.set(shape, statement);
  return statement;
}

function buildSelect(
  conditions: readonly RawBuilder<unknown>[],
  { sort, isDescending }: RecordOrder,
  isBehind: boolean,
  traits: SqlTraits,
): RawBuilder<unknown> {
  const key = sql.ref(`c.${KEY_COLUMNS[sort]}`);
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const behind = sql`and (${key}, c.no) ${sql.raw(isDescending ? '<' : '>')} (${slot('key')}, ${slot('no')})`;
  return sql`select c.no, c.id, t.handle as type, c.language, c.status, c.slug, c.name, a.id as author_id,
      a.name as author_name, c.newest_version, c.published_version, c.published_at, c.publish_at, c.unpublish_at,
      c.failed_action, c.failed_due_at, c.failed_at, c.failed_reason, c.created_at, c.updated_at, ${key} as key
    from contents as c
    join content_types as t on t.no = c.type_no
    left join authors as a on a.no = c.author_no
    where ${sql.join([...checkTime(sql.ref('c.no'), traits), sql`c.site_no = ${slot('site')}`, ...conditions], sql` and `)} ${isBehind ? behind : sql``}
    order by ${key} ${direction}, c.no ${direction} limit ${slot('limit')} + 0`;
}
